#!/bin/sh
# What a round of tests came to, by kind: how many passed, failed and were skipped, and why.
#
#   tally.sh LOG...      the logs of the tests, as `make check` leaves them (TAP); `make tally` names them all
#
# A kind of which nothing ran stands in the table too, with the reason if NO_UNIT or NO_TERMINAL give one. Below it stand the tests that failed
# and why, at most 20. The last line is the sum; the exit status is 1 where something failed or a log is missing.
awk -v no_unit="${NO_UNIT:-}" -v no_terminal="${NO_TERMINAL:-}" '
function kind_of(path) {
	sub(/^.*tests\//, "tests/", path)
	if (path ~ /^tests\/unit\//) return "unit"
	if (path ~ /^tests\/pty\//) return "terminal"
	if (path ~ /^tests\/shared\//) return "sample"
	if (path ~ /^tests\/(golden|export|keys)/) return "golden"
	return "other"
}
function skip(reason, kind) {
	sub(/^[^#]*# *SKIP[A-Za-z]* */, "", reason)
	skipped[kind]++
	reasons[reason == "" ? "no reason given" : reason]++
}
BEGIN {
	n_kinds = split("unit golden terminal sample other", kinds, " ")
	for (i = 1; i < ARGC; i++) {
		log_name = ARGV[i]
		kind = kind_of(log_name)
		n_lines = planned = seen = 0
		planned = -1
		while ((status = (getline line < log_name)) > 0) {
			n_lines++
			if (line ~ /^1\.\.[0-9]+/) {
				planned = substr(line, 4) + 0
				if (line ~ /^1\.\.0.*# *SKIP/) skip(line, kind)
			} else if (line ~ /^not ok/) {
				seen++
				failed[kind]++
				if (++n_named <= 20) named = named sprintf("failed: %s: %s\n", log_name, substr(line, 1, 500))
			} else if (line ~ /^ok.*# *SKIP/) {
				seen++
				skip(line, kind)
			} else if (line ~ /^ok/) {
				seen++
				passed[kind]++
			} else if (line ~ /^# skipped: /) {
				partly[substr(line, 12)]++
			}
		}
		close(log_name)
		if (status < 0 || n_lines == 0 || planned < 0 || seen < planned) {
			failed[kind]++
			broken = broken sprintf("broken off or never run: %s\n", log_name)
		}
	}
	printf "%-10s %7s %7s %8s\n", "tests", "passed", "failed", "skipped"
	for (i = 1; i <= n_kinds; i++) {
		kind = kinds[i]
		why = kind == "unit" ? no_unit : kind == "terminal" ? no_terminal : ""
		printf "%-10s %7d %7d %8d%s\n", kind, passed[kind], failed[kind], skipped[kind], why == "" ? "" : "   " why
		all_passed += passed[kind]
		all_failed += failed[kind]
		all_skipped += skipped[kind]
	}
	printf "%s%s", broken, named
	if (n_named > 20) printf "failed: %d more, see the logs\n", n_named - 20
	for (reason in reasons) printf "skipped: %d: %s\n", reasons[reason], reason
	for (reason in partly) printf "passed without a part: %d: %s\n", partly[reason], reason
	printf "%d passed, %d failed, %d skipped\n", all_passed, all_failed, all_skipped
	exit all_failed > 0
}' "$@"
