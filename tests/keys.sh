#!/bin/sh
# Each key of the key table, and each printable character, in every view: the explorer lives on and draws a screen of the size asked for.
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
runs=$work/cache/lanescope/demo
count=0
failed=0
cd "$work" || exit 2
# One script a view: each key, then back, and to the view again from the list of runs. The screen printed last is there twice if nothing ended before.
view() { # name, keys that lead there from the list of runs
	count=$((count + 1))
	: >keys
	for key in a b c d e f g h i j k l m n o p r s t u v w x y z A B C D E F G H I J K L M N O P R S T U V W X Y Z \
		0 1 9 . , '<' '>' '(' ')' '[' ']' '{' '}' '+' - _ '=' % '~' '&' '\' / ':' ';' '?' '!' \
		Enter Tab S-Tab Space Up Down Left Right PgUp PgDn Home End Del F1 ^L ^D ^U; do
		printf '%s %s Esc Esc Esc Esc Esc Esc\n' "$2" "$key" >>keys
	done
	printf 'screen\n' >>keys
	if timeout 300 "$lanescope" --keys keys --size 80x24 "$runs" >screen 2>stderr && [ "$(wc -l <screen)" -ge 48 ] && [ ! -s stderr ]; then
		echo "ok $count - keys in $1"
	else
		echo "not ok $count - keys in $1"
		sed 's/^/# /' stderr screen
		failed=1
	fi
}
marks='g a j b'
view runs "g"
view overview "g i"
view queries "g v"
view "a table" "g v Enter"
view "SQL" "g i ; 'SELECT * FROM lanes' Enter"
view spans "g S"
view "a span" "g S Enter"
view "a timeline" "g T"
view "two timelines" "$marks B"
view "questions to two runs" "$marks D"
view "a difference" "$marks D Enter"
view "a part of explain" "$marks X Enter"
view help "g ?"
view text "g v s"
echo "1..$count"
exit $failed
