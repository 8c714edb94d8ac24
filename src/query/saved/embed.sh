#!/bin/sh
# Turns text files into C arrays, since a C string literal may not be longer than 4095 bytes everywhere.
#
#   embed.sh files FILE...            a header with the table builtin_files, on standard output
#   embed.sh columns FILE             the header query/saved/builtin_columns.h, of queries/columns
#   embed.sh text NAME FILE           static const unsigned char NAME[] and size_t NAME_length
#
# Needs only awk, od and sed. Names are those of the files, without .sql; their order is that of the arguments.
set -eu

bytes() {
	od -An -v -tu1 "$1" | sed -e 's/^ *//' -e 's/  */,/g' -e 's/$/,/'
}

case ${1-} in
files)
	shift
	echo '/* Made by embed.sh (do not edit). */'
	echo '#include <stddef.h>'
	echo
	i=0
	for file; do
		echo "static const unsigned char builtin_file_$i[] = {"
		bytes "$file"
		echo '};'
		i=$((i + 1))
	done
	echo
	echo 'static const struct builtin_file {'
	echo '	const char *name;'
	echo '	const unsigned char *text;'
	echo '	size_t length;'
	echo '} builtin_files[] = {'
	i=0
	for file; do
		name=${file##*/}
		name=${name%.sql}
		echo "	{\"$name\", builtin_file_$i, sizeof builtin_file_$i},"
		i=$((i + 1))
	done
	[ "$i" -gt 0 ] || echo '	{"", NULL, 0},'
	echo '};'
	echo "static const size_t builtin_files_count = $i;"
	;;
columns) # rows and aliases by name, as strcmp orders them
	sed -e '/^#/d' -e '/^ *$/d' "$2" | LC_ALL=C sort | awk 'function kind(name) { return "KIND_" toupper(name) }
		$1 == "*" { known = known "\t{\"" $2 "\", " kind($3) "},\n"; next }
		$2 == "=" { aliases = aliases "\t{\"" $1 "\", \"" $3 "\"},\n"; next }
		{
			n = split($2, list, ",")
			kinds = ""
			for (i = 1; i <= n; i++) kinds = kinds (i > 1 ? " | " : "") "1u << " kind(list[i])
			about = $0
			sub(/^([^ ]+ +)([^ ]+ +)([^ ]+ +)([^ ]+ +)/, "", about)
			rows = rows "\t{\"" $1 "\", " kinds ", " ($3 == "-" ? "NULL" : "\"" $3 "\"") ", BETTER_" \
				($4 == "-" ? "NONE" : toupper($4)) ", \"" about "\"},\n"
		}
		END {
			print "/* Made by embed.sh from queries/columns (do not edit). */\n"
			print "static const struct column_meaning meanings[] = {\n" rows "};"
			print "static const struct {\n\tconst char *name, *of;\n} aliases[] = {\n" aliases "};"
			print "static const struct {\n\tconst char *name;\n\tenum column_kind kind;\n} run_file_kinds[] = {\n" known "};"
		}'
	;;
text)
	echo '/* Made by embed.sh (do not edit). */'
	echo '#include <stddef.h>'
	echo
	echo "static const unsigned char $2[] = {"
	bytes "$3"
	echo '0};'
	echo "static const size_t ${2}_length = sizeof $2 - 1;"
	;;
*)
	echo 'usage: embed.sh files FILE... | embed.sh columns FILE | embed.sh text NAME FILE' >&2
	exit 2
	;;
esac
