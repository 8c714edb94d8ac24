#!/bin/sh
# The table of the columns of characters is what its generator makes of Unicode's own tables.
here=$(cd "$(dirname "$0")/.." && pwd)
command -v perl >/dev/null 2>&1 || {
	echo "1..0 # SKIP no perl"
	exit 0
}
perl -MUnicode::UCD -e '"\x{1100}" =~ /\p{East_Asian_Width=W}/ && Unicode::UCD::UnicodeVersion() =~ /^14\./ or exit 1' 2>/dev/null || {
	echo "1..0 # SKIP no perl with the tables of Unicode 14"
	exit 0
}
made=$(perl "$here/src/util/utf8_width.pl")
[ "$made" = "$(grep '^	0x' "$here/src/util/utf8_width.c")" ] && echo "ok 1 - the table of widths" || {
	echo "not ok 1 - the table of widths: perl src/util/utf8_width.pl gives another one"
	status=1
}
echo 1..1
exit ${status:-0}
