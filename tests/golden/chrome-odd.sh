# Chrome traces with what is legal and seldom: long and nested values, odd identifiers, flows that point at little.
problems() { lanescope sql "$1" "SELECT kind, reason FROM problems ORDER BY id"; }
take() { # a trace from standard input
	cat >"$1.json"
	lanescope import --quiet "$1.json"
	problems "$1"
}
long() { head -c "$1" /dev/zero | tr '\0' "$2"; }

echo "== what the trace says of itself"
{
	printf '{"otherData":{"yes":true,"no":false,"none":null,"number":1.50,"deep":{"a":[1]},"long":"%s"' "$(long 9000 x)"
	for i in $(seq 300); do printf ',"m%s":%s' "$i" "$i"; done
	printf '},"systemTraceEvents":"# tracer","powerTraceAsString":"","controllerTraceDataKey":"",\n"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":1}]}\n'
} | take about
lanescope sql about "SELECT key, value FROM tags WHERE key LIKE 'otherData%' AND key NOT LIKE '%.m%' ORDER BY key"
lanescope sql about "SELECT count(*) AS members FROM tags WHERE key LIKE 'otherData.m%'"

echo "== identifiers: longer than most, of two scopes, of one process, and none where there is one process"
thread=$(long 200 t)
take names <<END
[{"ph":"X","name":"a","pid":1,"tid":"$thread-1","ts":0,"dur":10},
{"ph":"X","name":"b","pid":1,"tid":"$thread-2","ts":5,"dur":10},
{"ph":"X","name":"c","pid":1,"tid":"$thread-1","ts":6,"dur":1},
{"ph":"C","name":"n","ts":1,"args":{"v":2}},
{"ph":"b","cat":"x","name":"one","id":"7","scope":"s1","pid":1,"tid":2,"ts":20},
{"ph":"b","cat":"x","name":"two","id":"7","scope":"s2","pid":1,"tid":2,"ts":21},
{"ph":"e","cat":"x","name":"one","id":"7","scope":"s1","pid":1,"tid":2,"ts":29},
{"ph":"e","cat":"x","name":"two","id":"7","scope":"s2","pid":1,"tid":2,"ts":25},
{"ph":"b","cat":"x","name":"own","id2":{"local":"7"},"pid":1,"tid":2,"ts":30},
{"ph":"e","cat":"x","name":"own","id2":{"local":"7"},"pid":1,"tid":2,"ts":33}]
END
lanescope sql names "SELECT replace(lane_name, '$thread', 'LONG') AS lane, start, duration, depth, name FROM span ORDER BY start"
lanescope sql names "SELECT lane_name, process, name, value FROM counter"

echo "== values: no number where one is wanted, more than is kept"
{
	printf '[{"ph":"X","cat":"gpu_memcpy","name":"a","pid":1,"tid":1,"ts":0,"dur":1,"args":{"bytes":99999999999999999999}},\n'
	printf '{"ph":"X","cat":"gpu_memcpy","name":"b","pid":1,"tid":1,"ts":10,"dur":1,"args":{"bytes":"4096"}},\n'
	printf '{"ph":"X","cat":"gpu_memcpy","name":"c","pid":1,"tid":1,"ts":20,"dur":1,"args":{"bytes":-1}},\n'
	printf '{"ph":"X","cat":"gpu_memcpy","name":"d","pid":1,"tid":1,"ts":30,"dur":1,"args":{"bytes":[1]}},\n'
	printf '{"ph":"X","name":"odd","pid":1,"tid":1,"ts":40,"dur":"soon"},\n'
	printf '{"ph":"X","name":"none","pid":1,"tid":1,"ts":50,"dur":""},\n'
	printf '{"ph":"X","name":"deep","pid":1,"tid":1,"ts":70,"dur":1,"args":{"a":["%s"]}},\n' "$(long 1100000 z)"
	printf '{"ph":"X","name":"many","pid":1,"tid":1,"ts":80,"dur":1,"args":{"k0":0'
	for i in $(seq 5000); do printf ',"k%s":%s' "$i" "$i"; done
	printf '}}]\n'
} | take values
lanescope sql values "SELECT name, duration, size, length(args) AS n, substr(args, 1, 20) AS begin FROM span ORDER BY start"

echo "== flows: to the innermost around them or the next to begin; of equal spans the last; some point at nothing"
take flows <<'END'
[{"ph":"X","name":"from","pid":1,"tid":1,"ts":0,"dur":10},
{"ph":"X","name":"outer","pid":1,"tid":2,"ts":20,"dur":30},
{"ph":"X","name":"twin 1","pid":1,"tid":2,"ts":20,"dur":10},
{"ph":"X","name":"twin 2","pid":1,"tid":2,"ts":20,"dur":10},
{"ph":"X","name":"next","pid":1,"tid":2,"ts":40,"dur":5},
{"ph":"s","cat":"f","name":"around","id":1,"pid":1,"tid":1,"ts":5},{"ph":"f","bp":"e","cat":"f","name":"around","id":1,"pid":1,"tid":2,"ts":25},
{"ph":"s","cat":"f","name":"next","id":2,"pid":1,"tid":1,"ts":5},{"ph":"f","cat":"f","name":"next","id":2,"pid":1,"tid":2,"ts":35},
{"ph":"s","cat":"f","name":"just then","id":3,"pid":1,"tid":1,"ts":5},{"ph":"f","cat":"f","name":"just then","id":3,"pid":1,"tid":2,"ts":20},
{"ph":"s","cat":"f","name":"at once","id":4,"pid":1,"tid":1,"ts":5},{"ph":"f","bp":"e","cat":"f","name":"at once","id":4,"pid":1,"tid":2,"ts":5},
{"ph":"s","cat":"f","name":"step","id":5,"pid":1,"tid":1,"ts":5},{"ph":"t","cat":"f","name":"step","id":5,"pid":1,"tid":2,"ts":25},
{"ph":"f","bp":"e","cat":"f","name":"step","id":5,"pid":1,"tid":2,"ts":42},
{"ph":"s","cat":"f","name":"to itself","id":6,"pid":1,"tid":2,"ts":41},{"ph":"f","bp":"e","cat":"f","name":"to itself","id":6,"pid":1,"tid":2,"ts":44},
{"ph":"s","cat":"f","name":"late","id":7,"pid":1,"tid":1,"ts":6},{"ph":"f","cat":"f","name":"late","id":7,"pid":1,"tid":2,"ts":90},
{"ph":"f","cat":"f","name":"same time","id":8,"bp":"e","pid":1,"tid":2,"ts":9},{"ph":"s","cat":"f","name":"same time","id":8,"pid":1,"tid":1,"ts":9}]
END
lanescope sql flows "SELECT d.name, a.name AS from_span, b.name AS to_span FROM dependencies d JOIN span a ON a.id = d.from_id JOIN span b ON b.id = d.to_id ORDER BY d.id"
