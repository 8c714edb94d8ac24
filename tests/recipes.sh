#!/bin/sh
# The recipes of CONTRIBUTING.md, as checklists: what was added stands in all the places it must, and whoever
# forgot one is told the file.
. "$(dirname "$0")/tap.sh"
cd "${LANESCOPE_SRCDIR:-.}" || exit 1

told() { # name, complaints
	[ -z "$2" ] || printf '%s\n' "$2" | sed 's/^/# /'
	[ -z "$2" ]
	result $? "$1"
}
missing() { # file, what a word is in it (its @ is the word), word...: complaints about the words that it does not hold
	missing_file=$1
	missing_as=$2
	shift 2
	for word; do
		grep -qE -- "$(echo "$missing_as" | sed "s/@/$word/")" $missing_file || echo "$missing_file does not have $word"
	done
}

queries=$(ls queries/*.sql | sed 's,.*/\(.*\)\.sql,\1,')
# shellcheck disable=SC2086 # lists of words
{
	told "Makefile.am has every query" "$(missing Makefile.am 'queries/@\.sql' $queries)"
	told "lanescope-formats(5) or lanescope(1) names every query" "$(missing 'man/lanescope-formats.5 man/lanescope.1' '(^|[ (])@($|[ ,.)])' $queries)"
}
told "a golden test, or one of the samples, asks every query" "$(for query in $queries; do
	grep -qE -- "(^|[^-a-z])$query($|[^-a-z])" tests/golden/*.sh tests/shared/*.sh || echo "tests/golden/*.sh: none asks $query"
done)"
told "queries/columns tells what every column of a query is, and of nothing else" "$(awk '
	FILENAME == "queries/columns" {
		if (/^[#*]/ || NF == 0) next
		if ($1 in kinds || $1 in alias) print "queries/columns has " $1 " twice"
		if ($2 == "=") { alias[$1] = $3; next }
		kinds[$1] = "," $2 ","
		if ($4 !~ /^(lower|higher|-)$/ || NF < 5) print "queries/columns: " $1 " is not: name, kinds, unit, better, what it is"
		next
	}
	/^-- column / {
		name = $3 in alias ? alias[$3] : $3
		used[name] = 1
		if (!(name in kinds)) print FILENAME ": queries/columns has no row " name
		else {
			if (!index(kinds[name], "," $4 ",")) print FILENAME ": queries/columns does not know " name " as " $4
			had[name] = had[name] "," $4 ","
		}
	}
	END {
		for (name in alias) if (!(alias[name] in kinds)) print "queries/columns: " name " is an alias of no row"
		for (name in kinds) {
			n = split(kinds[name], list, ",")
			if (!(name in used)) print "queries/columns: no query has " name
			else for (i = 2; i < n; i++) if (!index(had[name], "," list[i] ",")) print "queries/columns: no query has " name " as " list[i]
		}
	}' queries/columns queries/*.sql)"

line() { # FILE PATTERN WHAT: a complaint unless FILE has a line like PATTERN
	grep -qE -- "$2" "$1" 2>/dev/null || echo "$1: $3"
}
some() { # FILE WHAT: a complaint unless FILE is there and holds something
	[ -s "$1" ] || echo "$1: $2"
}
told "Makefile.am has every source, and none that is not there" "$(
	named=$(grep -oE '(src|ui)/[a-z0-9_/]+\.[ch]\b' Makefile.am | sort -u)
	for file in $(find src ui -name '*.[ch]' | grep -vxF "$named"); do
		echo "Makefile.am does not have $file"
	done
	for file in $named; do
		[ -e "$file" ] || grep -q "^$file:" Makefile.am || echo "Makefile.am: there is no $file"
	done
)"
for command in $(sed -n 's/^command_\([a-z]*\)(struct cli .*/\1/p' src/cli/cmd_*.c); do
	told "command $command" "$(
		some "src/cli/cmd_$command.c" "the command"
		line Makefile.am "src/cli/cmd_$command\.c" "its file, in libcli_a_SOURCES"
		line src/cli/cli.h "command_$command\(" "its prototype"
		line src/cli/commands.c "command_$command}" "its row"
		sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESC/p' man/lanescope.1 | grep -qE "^\.(Nm )?Cm $command( |$)" ||
			echo "man/lanescope.1: its line of the SYNOPSIS"
		sed -n '/^\.Sh DESC/,$p' man/lanescope.1 | grep -qE "^\.(Nm )?Cm $command( |$)" || echo "man/lanescope.1: its section"
		grep -qE "lanescope $command( |$)" tests/golden/*.sh || echo "tests/golden/: a golden run"
	)"
done
for kind in $(sed -n 's/^\tKIND_\([A-Z]*\).*/\1/p' src/query/saved/kind.h); do
	told "kind of numbers $kind" "$(
		line src/query/saved/kind.c "\[KIND_$kind\] = " "its row"
		line tests/unit/test_query_file.c "KIND_$kind" "a test of how it is read"
		line man/lanescope-query.5 "^\.It Li $(echo "$kind" | tr A-Z a-z)$" "what it is, under Kinds"
	)"
done
for format in $(sed -n 's/^const struct import_format import_\([a-z_]*\) = {$/\1/p' src/import/import_*.c); do
	told "format $format" "$(
		line src/import/formats.h "row\($format\)" "its name in the table of formats"
		some "src/import/import_$format.c" "the importer"
		line Makefile.am "src/import/import_$format\.c" "the importer, in libimport_a_SOURCES"
		some "tests/unit/test_import_$format.c" "a unit test"
		line Makefile.am "tests/unit/test_import_$format( |$)" "the unit test, in unit_tests"
		some "tests/fuzz/fuzz_import_$format.c" "a fuzz harness"
		line Makefile.am "tests/fuzz/fuzz_import_$format( |$)" "the harness, in fuzz_programs"
		line Makefile.am "^tests_fuzz_fuzz_import_${format}_LDFLAGS" "the harness's flags, where FUZZERS"
		[ -n "$(ls "tests/fuzz/corpus/import_$format" 2>/dev/null)" ] || echo "tests/fuzz/corpus/import_$format: a corpus to begin with"
		grep -qlE "\b$format\b" tests/golden/*.out || echo "tests/golden/: a golden run"
		line README.md "^\| $format \|" "a row in the table of formats"
		line man/lanescope-formats.5 "^\.Sh $(echo "$format" | tr a-z A-Z)" "a section"
	)"
done
# A column is a row of src/column/encode/registry.h; that all who read columns have it is for tests/unit/test_registry.c.
told "every column is gathered, set by an importer, and read back from Chrome traces" "$(
	for field in $(sed -n '/^enum field {/,/^};/s/^	FIELD_\([A-Z_]*\).*/\1/p' src/column/encode/registry.h | grep -vE '^(BEFORE_ARGS|ARG)$'); do
		grep -qE "FIELD_$field\b" src/column/encode/block.c src/column/encode/gather_encode.c src/column/finish/finish_result.c ||
			line src/model/model.h "	NUMBER\($field," "a row in SPAN_NUMBERS (or a line in src/column/encode/block.c that gathers FIELD_$field)"
	done
	for member in $(sed -n '/^struct span {/,/^};/s/\/\*.*//p' src/model/model.h | grep -oE '[a-z_]+[,;]' | tr -d ',;'); do
		grep -qE "(span->|\.)$member\b" src/import/import_*.c || echo "src/import/import_*.c: the importer that sets $member of struct span"
	done
	for column in $(sed -n '/define ROW_COLUMN_LIST/,/clang-format on/p' src/column/encode/registry.h | tr -d '\\\n' | sed 's/COLUMN(/\n&/g' |
		sed -n 's/.*\.name = "\([a-z_]*\)".*is_in_trace = true.*/\1/p'); do
		grep -qF "\"$column\"" src/import/import_chrome_own.c ||
			line src/model/model.h "NUMBER\([A-Z_]*, \"$column\"" "a row in SPAN_NUMBERS (or a line in src/import/import_chrome_own.c that reads it back)"
	done
)"
# A key is a row of ui/base/actions.h.
told "somebody acts on every key" "$(for action in $(sed -n 's/^ROW(\([A-Z_]*\),.*/\1/p' ui/base/actions.h); do
	grep -qE "\bACTION_$action\b" ui/*/*.c || echo "ui/app/app_keys.c: what ACTION_$action does (app_act, or the act of a view)"
done)"
# shellcheck disable=SC2046 # a list of words
told "lanescope(1) names the command of every key" "$(missing man/lanescope.1 '^\.It Ic @( |$)' $(sed -n 's/^ROW(.*), "\([a-z-]*\)", .*/\1/p' ui/base/actions.h))"
# A view is made at a place: ui/app/place.h.
for kind in $(sed -n 's/^	row(\([A-Z_]*\), view_.*/\1/p' ui/app/place.h | tr A-Z a-z); do
	file=$(sed -n "s/^	row($(echo "$kind" | tr a-z A-Z), \(view_[a-z]*\)_new).*/\1.c/p" ui/app/place.h)
	told "place $kind" "$(
		[ -n "$(ls ui/*/"$file" 2>/dev/null)" ] || echo "ui/*/$file: the view"
		line Makefile.am "/$file" "the view, in the list of its room"
		line tests/keys.sh "^view $kind " "the way there, so that all keys are pressed in it"
	)"
done
# A part of explain is the struct explain_part of a file part_NAME.c.
for part in $(sed -n 's/^const struct explain_part explain_\([a-z_0-9]*\) = {$/\1/p' src/explain/parts/part_*.c); do
	file=$(grep -l "^const struct explain_part explain_$part = {" src/explain/parts/part_*.c)
	name=$(sed -n "/^const struct explain_part explain_$part = {/,/^};/s/^    \.name = \"\(.*\)\",/\1/p" "$file")
	told "part $name of explain" "$(
		line src/explain/parts/parts.h "PART\($part\)" "its place in the table of parts"
		line Makefile.am "$file" "the part's file, in explain_parts"
		line tests/golden/explain-parts.out "^part $name\$" "its golden run (sh tests/golden/run.sh --update explain-parts writes it)"
		sed -n '/^\.Sh EXPLAIN/,/^\.Sh [^E]/p' man/lanescope.1 | grep -qE "^\.It Cm (.* )?$name( |\$)" ||
			echo "man/lanescope.1: a paragraph of the section EXPLAIN"
	)"
done
echo "1..$count"
exit $failed
