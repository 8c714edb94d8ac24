# Shared by the tests over samples that are not part of the project.
#
#   COMPARE           tests/shared/compare, built
#   LANESCOPE_SHARED  folder of the samples; without it everything is skipped
. "$(dirname "$0")/../tap.sh"
COMPARE=${COMPARE:-compare}
[ -n "${LANESCOPE_SHARED:-}" ] && [ -d "$LANESCOPE_SHARED" ] || skip_all "LANESCOPE_SHARED does not name the folder of samples"
command -v "$COMPARE" >/dev/null 2>&1 || skip_all "no program $COMPARE"

# ask FILE QUERY RUN [OPTION]...: the answer as CSV in $work/FILE
ask() {
	ask_file=$1
	shift
	"$LANESCOPE" query "$@" --format csv -o "$work/$ask_file" 2>"$work/stderr" || {
		sed 's/^/# /' "$work/stderr"
		: >"$work/$ask_file"
	}
}

# check NAME COMPARE_ARGUMENT...
check() {
	check_name=$1
	shift
	"$COMPARE" "$@"
	result $? "$check_name"
}

# The sample's first run as $work/NAME.lanes
import_sample() { # name, path...
	import_name=$1
	shift
	for import_path; do
		set -- "$@" "$LANESCOPE_SHARED/$import_path"
		shift
	done
	"$LANESCOPE" import --quiet -o "$work/$import_name.lanes" "$@" 2>"$work/stderr"
	result $? "$import_name is imported"
}

# value FILE POINTER: a member of a file of expected results
value() {
	"$COMPARE" value "$LANESCOPE_SHARED/$1" "$2"
}
# duration NS: as it is shown
duration() {
	awk -v ns="$1" 'BEGIN {
		if (ns < 0) { sign = "-"; ns = -ns }
		if (ns >= 60e9) { s = int(ns / 1e9 + 0.5); printf "%s%dm %02ds", sign, s / 60, s % 60; exit }
		unit = ns >= 1e9 ? "s" : ns >= 1e6 ? "ms" : "us"
		x = ns / (ns >= 1e9 ? 1e9 : ns >= 1e6 ? 1e6 : 1e3)
		places = x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2
		printf "%s%.*f %s", sign, places, x, unit
	}'
}
# seconds S: the same of seconds
seconds() {
	duration "$(awk -v s="$1" 'BEGIN { printf "%.0f", s * 1e9 }')"
}
# real X: as it is shown
real() {
	awk -v x="$1" 'BEGIN { printf "%.6g", x }'
}
# field N ROW: of a line of CSV that has no quotes
field() {
	echo "$2" | cut -d, -f"$1"
}
# count N: with a blank between thousands
count() {
	echo "$1" | sed -e ':a' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\| \)/\1 \2\3/;ta'
}
# on SIZE GLYPHS RUNS KEYS TEXT...: shows, on a screen of this kind (variables set before a function outlive it in some shells)
on() {
	SIZE=$1
	GLYPHS=$2
	shift 2
	shows "$@"
	SIZE=
	GLYPHS=
}
# everywhere RUNS KEYS TEXT...: on three kinds of screen
everywhere() {
	on 80x24 "" "$@"
	on 200x50 "" "$@"
	on 80x24 --ascii "$@"
}
# The last screen after these keys holds each of the texts; an empty one would be on every screen, so it stands on none. REFUSED=2: the status of
# a script that leads to an error.
shows() { # names, keys, text...
	show_name=$1
	show_keys=$2
	shift 2
	show_what="$show_name, ${SIZE:-120x40}${GLYPHS:+ $GLYPHS}, keys '$show_keys'"
	printf '%s\n' "$show_keys" >"$work/keys"
	show_status=0
	(cd "$work" && "$LANESCOPE" --keys keys --size "${SIZE:-120x40}" ${GLYPHS:-} $(printf '%s.lanes ' $show_name) >screen 2>stderr) || show_status=$?
	[ $show_status -eq "${REFUSED:-0}" ] || {
		sed 's/^/# /' "$work/stderr"
		result 1 "$show_what"
		return
	}
	for text; do
		[ -n "$text" ] && grep -qF -- "$text" "$work/screen"
		show_status=$?
		[ $show_status -eq 0 ] || sed 's/^/# /' "$work/screen"
		result $show_status "$show_what: $text"
	done
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

finish() {
	echo "1..$count"
	exit $failed
}
