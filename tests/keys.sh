#!/bin/sh
# Each printable character, control character and named key, in the view of every kind of place: the explorer lives on and draws a screen of the size asked for.
lanescope=${LANESCOPE:-lanescope}
command -v "$lanescope" >/dev/null 2>&1 || {
	echo "1..0 # SKIP no program $lanescope"
	exit 0
}
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-keys.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$work" XDG_CACHE_HOME="$work/cache" XDG_CONFIG_HOME="$work/config" XDG_STATE_HOME="$work/state" EDITOR=true
"$lanescope" demo >/dev/null 2>&1
runs=$work/runs
mkdir "$runs" && (cd "$work/cache/lanescope/demo" && cp one-worker.lanes four-workers.lanes training.lanes "$runs") || exit 2
# All but what leaves at once, suspends, or begins a text or a comment of the script.
keys="$(awk 'BEGIN { for (c = 33; c < 127; c++) if (!index("qQ#\047", k = sprintf("%c", c))) print k; for (c = 65; c < 90; c++) if (c != 72) printf "^%c\n", c }'
	sed -n 's/^    {[^"]*, "\([A-Za-z0-9-]*\)"},$/\1/p' "${LANESCOPE_SRCDIR:-.}/ui/base/keys.c" | grep -v Backspace)"
set -f
count=0
failed=0
cd "$work" || exit 2
# One script a view: each key, then back, and to the view again from the list of runs. The screen printed last is there twice if nothing ended before. A key may be refused where it stands, which is said once, with status 2.
view() { # name, keys that lead there from the list of runs
	count=$((count + 1))
	: >keys
	for key in $keys; do
		printf '%s %s Esc Esc Esc Esc Esc Esc\n' "$2" "$key" >>keys
	done
	printf 'screen\n' >>keys
	timeout 300 "$lanescope" --keys keys --size 80x24 "$runs" >screen 2>stderr
	case $?:$(wc -l <stderr):$(sed 's/:[0-9]*:.*//' stderr) in
	0:0: | 2:1:'lanescope: keys') ended=1 ;;
	*) ended= ;;
	esac
	if [ "$ended" ] && [ "$(wc -l <screen)" -ge 48 ]; then
		echo "ok $count - keys in $1"
	else
		echo "not ok $count - keys in $1"
		sed 's/^/# /' stderr screen
		failed=1
	fi
}
marks="g ':mark a' Enter j ':mark b' Enter"
view runs "g"
view overview "g i"
view queries "g v"
view questions-of-all "g t"
view all-in-one "g t Enter"
view chart "g v Enter P"
view spans "g S"
view span "g S Enter"
view timeline "g T"
view query "g v Enter"
view sql "g i ; 'SELECT * FROM lanes' Enter"
view result "g T t"
view source "g v Enter F"
view questions "$marks D"
view difference "$marks D Enter"
view explain "$marks X"
view parts "$marks X G Enter"
view part "$marks X Enter"
view pair "$marks B"
view text "g i ':messages' Enter"
view source_sql "g v s"
view help "g ?"
view manual "g ':help record' Enter"
echo "1..$count"
exit $failed
