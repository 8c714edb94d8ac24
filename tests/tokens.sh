#!/bin/sh
# How much C there is: tokens by folder of src and ui, and which part of the text is comments.
#
#   tests/tokens.sh [REVISION]     beside REVISION's numbers, with the change in percent
#
# A token is what the compiler sees: a name, a number, a character or string literal, an operator of up to three characters. Comments and
# preprocessor directives are none, so neither words that explain nor a file's list of headers count, and layout does not matter. Lines
# that end in \ are joined first. The share of comments is their characters, with the marks around them, of all that are not blanks.
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

count() { # folder with src and ui: "FOLDER FILES LINES TOKENS COMMENT CHARACTERS" a folder
	(cd "$1" && find src ui -name '*.[ch]' | sort | LC_ALL=C xargs awk '
	function take(n) { rest = substr(rest, n + 1) }
	function visible(text) { gsub(/[ \t\r\f\v]/, "", text); return length(text) }
	# The place behind a literal that begins with this mark; what is not closed ends with its line.
	function literal(mark,    i, c) {
		for (i = 2; i <= length(rest); i++) {
			c = substr(rest, i, 1)
			if (c == "\\") i++
			else if (c == mark) return i
		}
		return length(rest)
	}
	function comment_take(    end) { # within a comment: up to its end, if that is here
		end = index(rest, "*/")
		in_comment = end == 0
		end = in_comment ? length(rest) : end + 1
		comment[folder] += visible(substr(rest, 1, end))
		take(end)
	}
	function tokens_of(line, is_directive,    n) {
		rest = line
		while (length(rest) > 0) {
			if (in_comment) { comment_take(); continue }
			if (match(rest, /^[ \t\r\f\v]+/)) { take(RLENGTH); continue }
			if (substr(rest, 1, 2) == "/*") {
				comment[folder] += 2
				take(2)
				in_comment = 1
				continue
			}
			if (substr(rest, 1, 2) == "//") { comment[folder] += visible(rest); return }
			if (match(rest, /^(u8|[uUL])?["\047]/)) {
				if (RLENGTH > 1) take(RLENGTH - 1)
				take(literal(substr(rest, 1, 1)))
			} else if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/) || match(rest, /^\.?[0-9]([eEpP][+-]|[A-Za-z_0-9.])*/) || \
				match(rest, /^(\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[*\/%+&^|-]=|##)/)) take(RLENGTH)
			else take(1)
			tokens[folder] += !is_directive
		}
	}
	FNR == 1 {
		folder = FILENAME
		sub(/\/[^\/]*$/, "", folder)
		files[folder]++
		in_comment = in_directive = 0
		joined = ""
	}
	{
		lines[folder]++
		characters[folder] += visible($0)
		if ($0 ~ /\\$/) { joined = joined substr($0, 1, length($0) - 1); next }
		line = joined $0
		joined = ""
		# A directive ends with its line, unless a comment that begins in it goes on.
		if (!in_comment) in_directive = line ~ /^[ \t]*(\/\*([^*]|\*+[^*\/])*\*+\/[ \t]*)*#/
		tokens_of(line, in_directive)
	}
	END { for (f in files) print f, files[f], lines[f], tokens[f] + 0, comment[f] + 0, characters[f] }') | sort
}

work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-tokens.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
count "$here" >"$work/now"
: >"$work/then"
if [ $# -gt 0 ]; then
	mkdir "$work/tree"
	git -C "$here" archive "$1" src ui >"$work/tar" && tar -xf "$work/tar" -C "$work/tree" || exit 2
	count "$work/tree" >"$work/then"
fi
awk -v revision="${1:-}" '
	function row(name, files, lines, tokens, comment, characters, before) {
		printf "%-14s %6d %7d %8d %8.1f %%", name, files, lines, tokens, characters ? 100 * comment / characters : 0
		if (revision != "") {
			printf " %12d", before
			if (before) printf " %+8.2f %%", 100 * (tokens - before) / before
		}
		print ""
	}
	FILENAME ~ /then$/ { before[$1] = $4; all_before += $4; order[++n] = $1; next }
	{ now[$1] = $0; if (!($1 in before)) order[++n] = $1 }
	END {
		printf "%-14s %6s %7s %8s %10s", "folder", "files", "lines", "tokens", "comments"
		print revision == "" ? "" : sprintf(" %12s %10s", substr(revision, 1, 12), "change")
		for (i = 1; i <= n; i++) {
			split(now[order[i]], f, " ")
			row(order[i], f[2], f[3], f[4], f[5], f[6], before[order[i]])
			for (j = 2; j <= 6; j++) sum[j] += f[j]
		}
		row("all", sum[2], sum[3], sum[4], sum[5], sum[6], all_before)
	}' "$work/then" "$work/now"
