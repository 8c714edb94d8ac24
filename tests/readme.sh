#!/bin/sh
# README.md shows the screens that the golden run "pictures" draws, and each line of its five minutes works as it stands there. TAP.
#
# environment: README_LINES=1: the lines alone, for a program that finds the checkout's files elsewhere
src=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
. "$(dirname "$0")/tap.sh"
program=$(command -v "$LANESCOPE")
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
if [ -z "${README_LINES:-}" ]; then
	sh "$src/bench/pictures" --check
	result $? "pictures of README.md (bench/pictures draws them anew)"
fi

! grep -qiE '<script|href|@import|url\(' "$src/bench/tour.svg" && [ "$(wc -c <"$src/bench/tour.svg")" -lt 300000 ] && grep -q 'bench/tour.svg' "$src/README.md"
result $? "its moving picture is one file that plays without a script, below 300 kB"

# The five minutes, in a home and a checkout with nothing in them: bootstrap is played, all else is the program.
mkdir "$work/home" "$work/clone"
cat >"$work/clone/bootstrap" <<B
#!/bin/sh
shift
LANESCOPE_BOOTSTRAP=\$0 exec '$program' "\$@"
B
chmod 755 "$work/clone/bootstrap"
unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME LANESCOPE_PATH LANESCOPE_CACHE
export HOME="$work/home"
cd "$work/clone" || exit 2
awk '/^## / { on = $0 == "## Five minutes" } /^```/ { fenced = !fenced } on && !fenced && sub(/^    /, "")' "$src/README.md" >"$work/lines"
[ "$(grep -c '^lanescope' "$work/lines")" -ge 20 ]
result $? "README.md has its five minutes"
shopt -s expand_aliases 2>/dev/null # bash under its own name
while IFS= read -r line <&3; do
	case $line in
	"lanescope one-worker four-workers "*) expected=2 ;; # the explorer, where there is no terminal
	*) expected=0 ;;
	esac
	eval "$line" >"$work/out" 2>"$work/err" </dev/null
	status=$?
	[ $status -eq $expected ]
	result $? "status $status: $line"
	[ $status -eq $expected ] || sed 's/^/# /' "$work/err"
	case $line in
	alias* | cd* | *' >'* | *--quiet* | *' -o '*) ;;
	*)
		[ -s "$work/out" ] || grep -q 'needs a terminal' "$work/err"
		result $? "it says something: $line"
		;;
	esac
done 3<"$work/lines"
[ -s times.csv ] && [ -s four-workers.json.gz ] && [ -s job.lanes ] && [ -s again/four-hosts.lanes ] && [ "$(ls ./*.lanes | wc -l)" -eq 13 ]
result $? "they have written what they say"
echo "1..$count"
exit $failed
