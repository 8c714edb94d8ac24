#!/bin/sh
# lanescope-cookbook(7), on the demo's runs: every command and every script of keys is run as it is printed, and what the page says of an
# answer stands in it: in the tables that the commands print or on the screens that the keys lead to, and on each of these at least one. TAP.
src=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
page=$src/man/lanescope-cookbook.7
. "$src/tests/tap.sh"
. "$src/tests/page.sh"
program_named
cd "$work" || exit 2
lines_of "$page" DESCRIPTION >lines
. ./lines >/dev/null
[ "$(basename "$PWD")" = tryout ] && [ -s one-worker.lanes ]
result $? "the page's runs are made as it says"

# ask LINE: as printed, and as a table, which is added to what this section was told
ask() {
	eval "$1" >"$work/out" 2>"$work/err" </dev/null
	ask_status=$?
	[ -s "$work/out" ] || ask_status=1
	cat "$work/out" >>"$work/told"
	case $1 in
	*--plot*) ;;
	*)
		eval "$1 --format table" >"$work/out" 2>>"$work/err" </dev/null || ask_status=1
		cat "$work/out" "$work/err" >>"$work/told"
		;;
	esac
	[ $ask_status -eq 0 ] || complain "$work/err"
	result $ask_status "$1"
}

# walk COMMAND KEYS: the last screen, on which one of the quotes stands
walk() {
	play "$1" "$2"
	walk_status=$?
	cat "$work/screen" >>"$work/told"
	grep -E '.{5}' "$work/quotes" >"$work/long"
	grep -qwF -f "$work/long" "$work/screen" || walk_status=1
	[ $walk_status -eq 0 ] || complain "$work/screen"
	[ $walk_status -eq 0 ] || complain "$work/err"
	result $walk_status "$1, keys $2"
}

titles_of "$page" QUESTIONS >"$work/titles"
[ "$(wc -l <"$work/titles")" -ge 15 ]
result $? "the page has its questions"
while IFS= read -r title <&3; do
	lines_of "$page" "$title" >"$work/lines"
	quotes_of "$page" "$title" >"$work/quotes"
	: >"$work/told"
	opened=
	n_asked=0
	n_walked=0
	while IFS= read -r line <&4; do
		case $line in
		"    "*)
			walk "$opened" "${line#    }"
			n_walked=$((n_walked + 1))
			;;
		lanescope\ query\ * | lanescope\ diff\ * | lanescope\ explain\ * | lanescope\ simulate\ *)
			ask "$line"
			n_asked=$((n_asked + 1))
			;;
		*) opened=$line ;;
		esac
	done 4<"$work/lines"
	[ $n_asked -ge 1 ] && [ $n_walked -ge 1 ] && [ -s "$work/quotes" ]
	result $? "$title: commands, keys and what they say"
	while IFS= read -r quote <&4; do
		grep -qwF -- "$quote" "$work/told"
		result $? "$title: $quote"
	done 4<"$work/quotes"
done 3<"$work/titles"
echo "1..$count"
exit $failed
