#!/bin/sh
# Adds a column to a copy of the sources as CONTRIBUTING.md says ("Add a column"), builds it, and asks for the column wherever columns are had.
# It costs a build of everything, so `make check-slow` runs it. SCRATCH: where to build; a folder of its own, which is kept.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
scratch=${SCRATCH:-$(mktemp -d "${TMPDIR:-/tmp}/lanescope-column.XXXXXX")}
[ -n "${SCRATCH:-}" ] || trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/tree"
git ls-files -z | xargs -0 tar cf - | tar xf - -C "$scratch/tree"
cd "$scratch/tree"

# edit FILE PATTERN LINES: puts the lines before the first line that matches
edit() {
	awk -v pattern="$2" -v lines="$3" '!done && $0 ~ pattern { print lines; done = 1 } { print } END { exit !done }' "$1" >edited ||
		{ echo "$1 has no line like $2"; exit 1; }
	cat edited >"$1"
	rm edited
}
edit src/model/model.h 'is_unfinished; /\* its end' '	int64_t stripes; /* of the file; 0: not known */'
edit src/import/import_chrome_nest.c 'chrome_flow_span\(reader, span, thread' '	span->stripes = span->stripes ? span->stripes : 3 + span->duration_ns % 5;'
edit src/model/model.h 'NUMBER\(UNFINISHED' '	NUMBER(STRIPES, "stripes", stripes, 0) \\'
edit src/column/encode/registry.h 'FIELD_BEFORE_ARGS, /\*' '	FIELD_STRIPES,'
edit src/column/encode/registry.h 'double value; /\* counters' '	int64_t stripes;'
edit src/column/encode/registry.h 'COLUMN\(PARENT,' '	COLUMN(STRIPES, .name = "stripes", .class = ROW_CLASS_INTEGER, .unit = UNIT_NONE, .kinds = SPANS, .field = FIELD_STRIPES, .place = 26, .by = "stripes", .member = MEMBER(stripes), .is_in_trace = true, .is_plain = true) \\'
touched=$(git -C "$root" ls-files | while read -r file; do cmp -s "$root/$file" "$file" || echo "$file"; done)
[ "$(echo "$touched" | wc -l)" -le 4 ] || { echo "too many files: $touched"; exit 1; }

[ -x configure ] || autoreconf -fi >/dev/null 2>&1
mkdir -p build
cd build
[ -f Makefile ] || ../configure -q --disable-extension ${CC:+CC="$CC"} CFLAGS='-O0 -g'
make -s -j"$(getconf _NPROCESSORS_ONLN)" lanescope tests/unit/test_registry >make.log 2>&1 || { tail -40 make.log; exit 1; }
# The test of the registry wants the manual, and nothing else.
LANESCOPE_SRCDIR=$scratch/tree CK_VERBOSITY=minimal tests/unit/test_registry >registry.log 2>&1 || :
missing=$(sed -n '/^not ok/s/.*(\([a-z./0-9_, -]*\))$/\1/p' registry.log | sort -u)
[ "$missing" = man/lanescope-schema.5 ] || { echo "missing places: $missing"; cat registry.log; exit 1; }

failed=0
check() { # NAME EXPECTED GOT
	[ "$2" = "$3" ] || { echo "$1: $3, not $2"; failed=1; }
}
rm -f run.lanes
./lanescope import -o run.lanes "$root/tests/data/chrome/nested.json" >/dev/null
sql() {
	./lanescope sql run.lanes --format csv "$1" | tail -n +2
}
n=$(sql 'SELECT count(*) FROM span')
check rows "$n" "$(sql 'SELECT count(*) FROM span WHERE stripes = 3 + duration % 5')"
check filter "$(sql 'SELECT count(*) FROM span WHERE stripes > 4')" "$(sql "SELECT sum(n) FROM span_sums('', 'stripes > 4')")"
check by "$(sql 'SELECT stripes, count(*) FROM span GROUP BY 1')" "$(sql "SELECT stripes, n FROM span_sums('stripes')")"
check order "$(sql 'SELECT id FROM span ORDER BY stripes DESC, id LIMIT 5')" "$(sql "SELECT id FROM span_page('', '-stripes', 0, 5)")"
./lanescope export run.lanes --to csv -o csv >/dev/null
check csv "$(sql 'SELECT stripes FROM span LIMIT 1')" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "stripes") c = i } NR == 2 { print $c }' csv/span.csv)"
./lanescope export run.lanes --to chrome -o trace.json >/dev/null
check chrome "$n" "$(grep -o '"stripes":[3-7]' trace.json | wc -l)"
sed -i 's/"stripes":3/"stripes":9/' trace.json
./lanescope import -o back.lanes trace.json >/dev/null
check "back from chrome" "$(sql 'SELECT count(*) FROM span WHERE stripes = 3')" \
	"$(./lanescope sql back.lanes --format csv 'SELECT count(*) FROM span WHERE stripes = 9' | tail -n +2)"
[ $failed = 0 ] && echo "a column: found everywhere, in $(echo "$touched" | wc -l) files"
exit $failed
