#!/bin/sh
# Turns text files into C arrays, since a C string literal may not be longer than 4095 bytes everywhere.
#
#   embed.sh queries FILE.sql...      the header query/saved/builtin_queries.h, on standard output
#   embed.sh text NAME FILE           static const unsigned char NAME[] and size_t NAME_length
#
# Needs only od and sed. Names of queries are those of the files; their order is that of the arguments.
set -eu

bytes() {
	od -An -v -tu1 "$1" | sed -e 's/^ *//' -e 's/  */,/g' -e 's/$/,/'
}

case ${1-} in
queries)
	shift
	echo '/* Made by embed.sh from queries/ (do not edit). */'
	echo '#include <stddef.h>'
	echo
	i=0
	for file; do
		echo "static const unsigned char builtin_query_$i[] = {"
		bytes "$file"
		echo '};'
		i=$((i + 1))
	done
	echo
	echo 'struct builtin_query {'
	echo '	const char *name;'
	echo '	const unsigned char *text;'
	echo '	size_t length;'
	echo '};'
	echo 'static const struct builtin_query builtin_queries[] = {'
	i=0
	for file; do
		name=${file##*/}
		name=${name%.sql}
		echo "	{\"$name\", builtin_query_$i, sizeof builtin_query_$i},"
		i=$((i + 1))
	done
	[ "$i" -gt 0 ] || echo '	{"", NULL, 0},'
	echo '};'
	echo "static const size_t builtin_queries_count = $i;"
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
	echo 'usage: embed.sh queries FILE.sql... | embed.sh text NAME FILE' >&2
	exit 2
	;;
esac
