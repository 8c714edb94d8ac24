#!/bin/sh
# lanescope-cookbook(7), "Many runs": every line of every recipe is run as it is printed, one after the other, on runs that the demo's models
# make, and on the samples. TAP.
#
#   MANY_RUNS=500     so many runs (else a few)
#   LANESCOPE_SHARED  folder of the samples
src=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
generate=$(cd "${LANESCOPE_BUILDDIR:-.}" && pwd)/bench/generate
page=$src/man/lanescope-cookbook.7
shared=${LANESCOPE_SHARED:-/nowhere}
. "$src/tests/tap.sh"
. "$src/tests/page.sh"
[ -x "$generate" ] || skip_all "bench/generate is not built"
program_named

skip() { # name why
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# run_chapter NAME: its lines, in the folder that holds traces
run_chapter() {
	titles_of "$page" "MANY RUNS" >"$work/titles"
	while IFS= read -r title <&3; do
		lines_of "$page" "$title" >"$work/lines"
		while IFS= read -r line <&4; do
			run_line "$1" "$line"
		done 4<"$work/lines"
	done 3<"$work/titles"
}

run_line() { # name line
	case $2 in
	"    "*)
		play "$opened" "${2#    }"
		line_status=$?
		cat "$work/screen" >>screens
		result $line_status "$1: $opened, keys ${2#    }"
		[ $line_status -eq 0 ] || complain "$work/err"
		return
		;;
	python3*)
		command -v python3 >/dev/null 2>&1 || {
			skip "$1: $2" "no python3"
			return
		}
		;;
	"lanescope runs/")
		opened=$2
		return
		;;
	esac
	eval "$2" >"$work/out" 2>"$work/err" </dev/null
	line_status=$?
	case $2 in
	*--fail-over*) [ "$1" = made ] || [ $line_status -ne 1 ] || line_status=0 ;; # of the samples one may be slower
	*--quiet* | *' -o '* | *' >'* | *'tag runs/'*=* | *note-) ;;
	*) [ "$1" != made ] || [ -s "$work/out" ] || line_status=1 ;;
	esac
	result $line_status "$1: $2"
	[ $line_status -eq 0 ] || complain "$work/err"
}

# ---- made ----

if [ "${MANY_RUNS:-0}" -ge 500 ]; then
	ranks="2 4 6 8 10 12 16" repeats=5 sizes="1 2 4" graphs=20 nights=250
else
	ranks="8 16" repeats=2 sizes="1 2 4" graphs=1 nights=15
fi
mkdir -p "$work/made/traces/checkpoint" "$work/made/traces/scaling" "$work/made/traces/nightly" && cd "$work/made" || exit 2
set_ups=0
for n in $ranks; do
	for mode in base scr; do
		set_ups=$((set_ups + 1))
		for repeat in $(seq $repeats); do
			"$generate" dftracer traces/checkpoint/p${n}_${mode}_$repeat 4000 "$n" new $mode "$repeat" >/dev/null
		done
	done
done
for nodes in $sizes; do
	for workers in $sizes; do
		for repeat in $(seq $graphs); do
			"$generate" cascade traces/scaling/n${nodes}_w${workers}_$repeat.jsonl "$nodes" "$workers" "$repeat"
		done
	done
done
step=$((nights * 2 / 3)) # from that night on all takes 1.4 times as long
for night in $(seq $nights); do
	"$generate" cascade traces/nightly/night$night.jsonl 2 2 $((1000 + night)) "$([ "$night" -lt $step ] && echo 1 || echo 1.4)"
done
made=$(($(ls traces/checkpoint | wc -l) + $(ls traces/scaling traces/nightly | grep -c jsonl)))
[ "$made" -ge "${MANY_RUNS:-19}" ]
result $? "$made traces are made"
run_chapter made

rows() { # FILE: of CSV, without its header
	tail -n +2 "$1"
}
lanescope runs runs --columns run,ranks,mode,nodes,workers,night,study >list 2>/dev/null
[ "$(rows list | wc -l)" -eq "$made" ]
result $? "each trace is a run"
[ "$(awk -F, '$2 $3 $4 $5 $6 == ""' list | wc -l)" -eq 0 ] && [ "$(grep -c ',nightly$' list)" -eq $nights ] && grep -q '^p16_scr_1,16,scr,,,,$' list
result $? "each has the tags of its path, nights that which was said later"
lanescope query checkpoint-time runs --measure time --by ranks,mode --stat mean,n --columns ranks,mode,time_mean,time_n >folded 2>/dev/null
lanescope query checkpoint-time runs --columns ranks,mode,time >single 2>/dev/null
awk -F, -v set_ups=$set_ups -v repeats=$repeats '
	FNR == 1 { next }
	NR == FNR { n[$1, $2]++; sum[$1, $2] += $3; next }
	{ found++; off = $3 - sum[$1, $2] / n[$1, $2]; bad = bad || $4 != repeats || n[$1, $2] != repeats || off > 1 || off < -1 }
	END { exit bad || found != set_ups }' single folded
result $? "a row a set-up is the mean of its repetitions"
lanescope query efficiency runs --runs-where 'night > 0' --trend night --measure makespan >/dev/null 2>said
grep -q "from night $step on, p 0" said && [ "$(grep -c ' from night ' said)" -eq 1 ]
result $? "nights step where they do, and nowhere else"
grep -q "from night $step on, p 0" screens && grep -q 'base time_mean, scr time_mean' screens && grep -q 'p16_scr_1' screens
result $? "the explorer says so, and has the set-ups and the list"
lanescope diff call-counts --a runs/p16_base_*.lanes --b runs/p16_scr_*.lanes --measure calls >/dev/null 2>said
grep -q '^lanescope: note: 0 of [0-9]* rows only in a, [1-9] of [0-9]* only in b$' said
result $? "what only one group has is told by the group"
[ -s checkpoints.svg ] && [ -s report.html ] && [ -s answers/index.csv ] && [ -s sweep.lanes ]
result $? "they have written what they say"

# ---- the samples ----

if [ -d "$shared/cascade" ] && [ -d "$shared/dftracer" ]; then
	mkdir -p "$work/samples/traces/checkpoint" "$work/samples/traces/scaling" "$work/samples/traces/nightly" && cd "$work/samples" || exit 2
	while read -r from to; do
		mkdir -p "$(dirname "traces/$to")" && cp -r "$shared/$from" "traces/$to"
	done <<E
dftracer/dlio_v108 checkpoint/p16_base_1
dftracer/dlp_old checkpoint/p16_scr_1
dftracer/cm1_v105 checkpoint/p8_scr_1
cascade/f1.jsonl scaling/n1_w1_1.jsonl
cascade/f4.jsonl scaling/n1_w4_1.jsonl
cascade/m1_4.jsonl scaling/n1_w4_2.jsonl
cascade/m2_2.jsonl scaling/n2_w2_1.jsonl
cascade/m4_1.jsonl scaling/n4_w1_1.jsonl
cascade/m2_2.run2.jsonl nightly/night1.jsonl
cascade/m2_2.log nightly/night2.jsonl
E
	run_chapter samples
else
	skip "samples" "LANESCOPE_SHARED does not name the folder of samples"
fi
echo "1..$count"
exit $failed
