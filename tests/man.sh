#!/bin/sh
# The manual pages are well-formed (where mandoc is installed), name every subcommand and its options, and `lanescope help` shows the same
# words as mandoc does.
src=${LANESCOPE_SRCDIR:-.}
count=0
failed=0
result() { # status name
	count=$((count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		failed=1
	fi
}
# A page's words, one a line: the line that heads it and the one that ends it are mandoc's own.
words() {
	sed "s/.$(printf '\b')//g" | tr '`' "'" | sed 's/^ *[*o] //' | tr -s ' \t\n' '\n' | sed '/^$/d'
}
same_words() { # page
	name=$(basename "$1")
	mandoc -Tascii -Owidth=1000 "$1" | sed '1d;$d' | words >"$work/expected"
	"$LANESCOPE" help page "${name%.*}" | words >"$work/words"
	diff "$work/expected" "$work/words" >"$work/diff"
	status=$?
	head -n 20 "$work/diff" | sed 's/^/# /'
	result $status "lanescope help page ${name%.*}: the words of mandoc, in its order"
}
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-man.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
for page in "$src"/man/*.[0-9]; do
	if command -v mandoc >/dev/null 2>&1; then
		out=$(mandoc -Tlint -Wwarning "$page" 2>&1)
		status=$?
		[ -z "$out" ] || printf '%s\n' "$out" | sed 's/^/# /'
		result $status "$(basename "$page") passes mandoc's lint"
		[ ! -x "${LANESCOPE:-}" ] || same_words "$page"
	else
		count=$((count + 1))
		echo "ok $count - $(basename "$page") # SKIP mandoc is not installed"
	fi
done
if [ -x "${LANESCOPE:-}" ]; then
	# Every word that completion offers (subcommands, options) stands in lanescope(1).
	for word in $("$LANESCOPE" completion words 2>/dev/null); do
		grep -q -- "$(printf '%s' "${word#--}" | sed 's/^-*//')" "$src/man/lanescope.1"
		result $? "lanescope(1) names $word"
	done
	for query in $("$LANESCOPE" queries --format csv --no-header 2>/dev/null | cut -d, -f1); do
		[ -e "$src/queries/$query.sql" ]
		result $? "saved query $query is a file"
	done
fi
echo "1..$count"
exit $failed
