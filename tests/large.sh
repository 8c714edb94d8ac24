#!/bin/sh
# Traces with very much of one thing: a name for each span, as names with a request's id in them are.
. "$(dirname "$0")/tap.sh"

names=100000
awk -v n=$names 'BEGIN {
	print "["
	for (i = 0; i < n; i++)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5,\"name\":\"GET /items/%d\"},\n", i % 16, i * 2, i * 7919
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

echo "1..$count"
exit $failed
