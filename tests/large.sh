#!/bin/sh
# Traces with very much of one thing: a name for each span, as names with a request's id in them are.
. "$(dirname "$0")/tap.sh"

names=100000
awk -v n=$names 'BEGIN {
	print "["
	for (i = 0; i < n; i++)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5,\"name\":\"GET /items/%d\"},\n", i % 16 == 0, i * 2, i * 7919
	print "{}]"
}' >"$work/names.json"

"$LANESCOPE" import -o "$work/names.lanes" "$work/names.json" >/dev/null 2>"$work/err"
status=$?
sed 's/^/# /' "$work/err"
result $status "$names spans of as many names become a run"
"$LANESCOPE" verify "$work/names.lanes" >"$work/out" 2>&1
result $? "and its pages are sealed"
counted=$("$LANESCOPE" sql "$work/names.lanes" "SELECT count(DISTINCT name), sum(n) FROM span_sums('name')" --format csv | tail -1)
[ "$counted" = "$names,$names" ]
result $? "each name has its span"
counted=$("$LANESCOPE" sql "$work/names.lanes" "SELECT count(*), count(DISTINCT name), sum(n) FROM span_total" --format csv | tail -1)
[ "$counted" = "$names,$names,$names" ]
result $? "its totals, more than memory holds at once, are each there once"


# The same run, whatever memory there is; or a sentence.
mkdir "$work/less"
"$LANESCOPE" import --memory 64M -o "$work/less/names.lanes" "$work/names.json" >/dev/null 2>"$work/err"
result $? "it is imported within 64 MiB"
cmp -s "$work/names.lanes" "$work/less/names.lanes"
result $? "and is the same, byte for byte"
said=$("$LANESCOPE" import --help | sed -n 's/.*--memory SIZE .*(default here: \(.*\), half of .*)/\1/p')
[ -n "$said" ]
result $? "--help says how much is taken ($said)"
said=$(LANESCOPE_MEMORY=700M "$LANESCOPE" import --help | sed -n 's/.*--memory SIZE .*(default here: \(.*\))/\1/p')
[ "$said" = "700.0 MiB, as LANESCOPE_MEMORY says" ]
result $? "LANESCOPE_MEMORY goes before it"
LANESCOPE_MEMORY=much "$LANESCOPE" info "$work/names.lanes" >/dev/null 2>"$work/err"
[ $? = 2 ] && grep -q 'LANESCOPE_MEMORY=much: a size of at least 32 MiB is needed' "$work/err"
result $? "and has to be a size"


# Lanes are read and drawn a piece at a time; what can't be says so before it takes memory.
lanes=20000
awk -v n=$lanes 'BEGIN {
	print "["
	for (i = 0; i < n; i++)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5,\"name\":\"a\"},\n", i, i * 2
	print "{}]"
}' >"$work/lanes.json"
"$LANESCOPE" import -o "$work/lanes.lanes" "$work/lanes.json" >/dev/null 2>&1
"$LANESCOPE" timeline "$work/lanes.lanes" >"$work/all.txt" 2>"$work/err"
[ "$(grep -c ' % ' "$work/all.txt")" = $lanes ]
result $? "$lanes lanes are drawn"
"$LANESCOPE" timeline --memory 64M "$work/lanes.lanes" >"$work/some.txt" 2>>"$work/err"
cmp -s "$work/all.txt" "$work/some.txt"
result $? "the same within 64 MiB"
"$LANESCOPE" timeline --memory 64M --svg "$work/lanes.lanes" >"$work/out" 2>"$work/err"
[ $? = 2 ] && [ ! -s "$work/out" ] && grep -q '20000 lines of 75 cells are more than memory should hold (it may use 64.00 MiB, as --memory says)' "$work/err"
result $? "a picture that has no room is refused, with what helps"

echo "1..$count"
exit $failed
