#!/bin/sh
# .ci/floors.sh TALLY: does what `make tally` printed (a file) reach the floors? Kinds that fall below are named.
floors=$(dirname "$0")/floors
awk -v tally="$1" '
BEGIN {
	while ((getline line < tally) > 0) {
		n = split(line, word, " ")
		if (n >= 4) passed[word[1]] = word[2]
	}
}
/^[a-z]/ {
	if (!($1 in passed) || passed[$1] + 0 < $2 + 0) {
		printf "floors: %s: %d tests passed, of at least %d (.ci/floors)\n", $1, passed[$1], $2
		below = 1
	}
}
END { exit below }' "$floors"
