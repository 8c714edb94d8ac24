#!/bin/sh
# The recipes of README's "Finding your way in the sources", as checklists: each thing that was added
# stands in all the places it must, and whoever forgot one is told the file.
src=${LANESCOPE_SRCDIR:-.}
count=0
failed=0
cd "$src" || exit 2

# recipe NAME: begins one; missing FILE WHY: a place that was forgotten; finish: its verdict.
recipe() {
	name=$1
	places=
}
missing() {
	places="$places# $1: $2
"
}
finish() {
	count=$((count + 1))
	if [ -z "$places" ]; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		printf %s "$places"
		failed=1
	fi
}
has() { # FILE PATTERN WHAT: FILE has a line like PATTERN (extended), else it is missing
	grep -qE -- "$2" "$1" 2>/dev/null || missing "$1" "$3"
}
is() { # FILE WHAT
	[ -s "$1" ] || missing "$1" "$2"
}

for format in $(sed -n '/define IMPORT_FORMATS/,/^$/p' src/import/formats.h | grep -oE 'row\([a-z_]+\)' | sed 's/row(\(.*\))/\1/'); do
	recipe "format $format"
	is "src/import/import_$format.c" "the importer"
	has Makefile.am "src/import/import_$format\.c" "the importer's file, in libimport_a_SOURCES"
	is "tests/unit/test_import_$format.c" "a unit test"
	has Makefile.am "tests/unit/test_import_$format( |$)" "the unit test, in unit_tests"
	is "tests/fuzz/fuzz_import_$format.c" "a fuzz harness"
	has Makefile.am "tests/fuzz/fuzz_import_$format( |$)" "the harness, in fuzz_programs"
	has Makefile.am "^tests_fuzz_fuzz_import_${format}_LDFLAGS" "the harness's flags, where FUZZERS"
	[ -n "$(ls "tests/fuzz/corpus/import_$format" 2>/dev/null)" ] || missing "tests/fuzz/corpus/import_$format" "a corpus to begin with"
	grep -qlE "\b$format\b" tests/golden/*.out || missing "tests/golden/" "a golden run of the format"
	has README.md "^\| $format \|" "a row in the table of formats"
	has man/lanescope-formats.5 "^\.Sh $(echo "$format" | tr a-z A-Z)" "a section"
	finish
done
echo "1..$count"
exit $failed
