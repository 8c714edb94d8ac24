#!/bin/sh
# Proves that a layer includes only what stands left of it, and that each library has one user.
src=${LANESCOPE_SRCDIR:-.}
build=${LANESCOPE_BUILDDIR:-.}
count=0
failed=0

report() { # name, offending lines
	count=$((count + 1))
	if [ -z "$2" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
		failed=1
	fi
}

# Layer and the layers it may include.
layers='util:
model:util
input:model util
import:input model util
column:model util
store:column model util
simulate:store column input model util
ingest:store import input column model util
query:store column model util
export:query store column input model util
explain:query store column model util
ui:export explain query store model util
cli:ui export explain simulate query ingest import input store column model util'

all='util|model|input|import|column|store|ingest|query|explain|simulate|export|ui|cli'
cd "$src" || exit 1
old_ifs=$IFS
IFS='
'
for row in $layers; do
	layer=${row%%:*}
	allowed=$(echo "$layer ${row#*:}" | tr -s ' ' '|' | sed 's/|$//')
	folder=src/$layer
	[ "$layer" != ui ] || folder=ui
	bad=$(grep -nE "^#include \"($all)/" "$folder"/*.[ch] 2>/dev/null | grep -vE "#include \"($allowed)/")
	report "$folder includes only what stands below it" "$bad"
done
IFS=$old_ifs

sole() { # header pattern, allowed path pattern
	bad=$(grep -nE "^#[ ]*include <($1)>" src/*.c src/*/*.[ch] ui/*.[ch] 2>/dev/null | grep -vE "^($2)")
	report "only $2 includes <$1>" "$bad"
}
sole 'sqlite3\.h|sqlite3ext\.h' 'src/store/'
sole 'zlib\.h|isa-l.*' 'src/input/'
sole 'jansson\.h' 'src/export/'
sole 'n?curses.*|ncursesw/.*|term\.h' 'ui/term(_keys|_shift|_signals|_type)?\.c'
sole 'getopt\.h' 'src/cli/'
sole 'zlib\.h|jansson\.h|sqlite3\.h' 'src/(input|export|store)/'

cd "$build" || exit 1
if command -v nm >/dev/null 2>&1; then
	undefined() { # library, symbol pattern
		[ ! -e "$1" ] || report "$1 does not call $2" "$(nm -u "$1" 2>/dev/null | grep -E " U ($2)" | sort -u)"
	}
	for library in libutil.a libmodel.a libinput.a libimport.a libcolumn.a libquery.a libexplain.a libexport.a libui.a libcli.a; do
		undefined $library 'sqlite3_'
	done
	for library in libutil.a libmodel.a libimport.a libcolumn.a libstore.a libquery.a libexplain.a libexport.a libui.a libcli.a; do
		undefined $library 'inflate|isal_|deflate'
	done
	for library in libutil.a libmodel.a libinput.a libimport.a libcolumn.a libstore.a libquery.a libexplain.a libexport.a libcli.a; do
		undefined $library 'initscr|newterm|waddn|endwin'
	done
fi
report "sources do not print from library layers" \
	"$(cd "$src" && grep -nE '\b(printf|puts|putchar)\(' src/util/*.c src/model/*.c src/input/*.c src/import/*.c src/column/*.c src/store/*.c src/ingest/*.c src/query/*.c src/explain/*.c 2>/dev/null | grep -v snprintf)"
echo "1..$count"
exit $failed
