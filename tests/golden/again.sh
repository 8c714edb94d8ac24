# A run that was exported as a Chrome trace comes back as it was: what Chrome has no words for, too.
columns='lane_name, host, process, thread, kind, start, duration, depth, name, category, path, size, calls, unfinished, call_sum, call_min, call_max, size_min, size_max'
again() { # run file of what is in data
	lanescope import --quiet --name "$1" -o "$1.lanes" "$2"
	lanescope export "$1.lanes" --to chrome -o "$1-again.json" >/dev/null
	lanescope import --quiet --name "$1-again" -o "$1-again.lanes" "$1-again.json"
	for run in "$1" "$1-again"; do
		lanescope sql "$run.lanes" "SELECT $columns FROM span ORDER BY start, host, process, thread, lane_name, depth, name, size" >"$run.csv"
	done
	echo "$1: $(($(wc -l <"$1.csv") - 1)) spans"
	diff "$1.csv" "$1-again.csv"
}
again sums data/dftracer/aggregated.pfw
again calls data/dftracer/v2.pfw
again hosts data/golden/hosts.jsonl
again tasks data/dasf/trace.msgpack
again instances data/preemption/events.csv
printf '%s\n' '{"id":1,"name":"write","cat":"POSIX","pid":1,"tid":2,"ts":10,"dur":5,"ph":"X","args":{"hostname":"h","fname":"/p/x","ret":0}}' \
	'{"id":2,"name":"main","cat":"X","pid":1,"tid":2,"ts":10,"ph":"B","args":{"hostname":"h"}}' >calls.pfw
again zero calls.pfw
grep -v '"lanescope"' sums-again.json | head -3
echo "== what is not of its own kind is kept as it is"
cat >other.json <<'END'
{"traceEvents":[{"name":"a","ph":"X","ts":0,"dur":10,"pid":1,"tid":1,"args":{"lanescope":{"path":"/x","size":7}}}]}
END
lanescope import --quiet other.json
lanescope sql other "SELECT path, size, args FROM span"
echo "== odd members: a count below one, a text where a number is wanted, and what breaks off"
sed 's|"lanescope":{[^}]*}|"lanescope":{"path":7,"size":"x","calls":0,"call_min":-1,"call_sum":[1],"new":{"a":1},"size_max":9}|' sums-again.json >odd.json
lanescope import --quiet --name odd odd.json
lanescope sql odd "SELECT path, size, calls, call_sum, call_min, size_max FROM span" | sort | uniq -c
