# What Chrome traces tell of themselves, member by member, and events of every form: every table of the runs.
. data/golden/contents
E='{"ph":"X","name":"a","pid":1,"tid":1,"ts":1000,"dur":1}'
n=0
facts() { # a trace: its dialect, clock and begin, what it tells, what is wrong
	n=$((n + 1))
	printf '%s\n' "$1" >facts.json
	rm -f facts.lanes
	lanescope import --quiet --format chrome facts.json 2>&1 || return 0
	echo "$n $(lanescope sql facts "SELECT dialect, clock, start_ns, wall_start_ns FROM run" --format csv --no-header)"
	lanescope sql facts "SELECT scope, key, value FROM tags WHERE key <> 'phase X' AND NOT (key IN ('processes', 'threads') AND value = '1')" --format csv --no-header
	lanescope sql facts "SELECT kind, record, offset, reason FROM problems" --format csv --no-header
}
echo "== members"
for member in '"schemaVersion":1' '"deviceProperties":[{"id":0}]' '"distributedInfo":{"rank":3}' '"baseTimeNanoseconds":1600000000000000000' \
	'"beginningOfTime":1600000000000000' '"viztracer_metadata":{"baseTimeNanoseconds":1500000000000000000,"overflow":false}' \
	'"otherData":{"profile_start_ts":1400000000000}' '"controllerTraceDataKey":"k"' '"clientInfo":{"v":1.5}' '"powerTraceAsString":"p"' \
	'"powerTraceAsString":""' '"systemTraceEvents":"s"' '"systemTraceEvents":{}' '"systemTraceEvents":[]' '"systemTraceEvents":5' \
	'"file_info":{"files":{"a":["text",1]}}' '"file_info":{' '"mine":null' '"mine":true' '"mine":false' '"mine":"text"' '"mine":-1.5e3' '"mine":[1,{"a":2}]' \
	'"mine":{"a":null,"b":true,"c":{"d":[]}}' '"mine":{"a":1' '"mine":[1}' '"mine":' '"mine" 5' 'mine:5' '"mine":{"a" 1}' \
	'"baseTimeNanoseconds":0' '"baseTimeNanoseconds":-5' '"baseTimeNanoseconds":946684799999999999' '"baseTimeNanoseconds":946684799998999999' \
	'"baseTimeNanoseconds":946684799999000000' '"baseTimeNanoseconds":4102444799999000000' '"baseTimeNanoseconds":4102444799998999999' '"baseTimeNanoseconds":9e30' \
	'"stackFrames":{"1":{"name":"main","category":"c"},"2":{"name":5,"parent":{"x":1}},"3":7}' '"stackFrames":[1]' '"stackFrames":{"1":{"name":' '"stackFrames":{"1" 2}' \
	'"traceEvents":{"traceEvents":[]}' '"traceEvents":5' '"samples":[{"sf":1,"ts":5},{"sf":"2","ts":6,"pid":1,"tid":1,"weight":2,"name":"n"},7]'; do
	echo "-- $member"
	facts "{$member,\"traceEvents\":[$E]}"
	facts "{\"traceEvents\":[$E],$member}"
done
echo "== categories and names"
for event in '"cat":"cpu_op"' '"cat":"cuda_runtime"' '"cat":"Operator"' '"cat":"build phase marker"' '"cat":"action processing"' '"cat":"general information"' \
	'"cat":"FEE"' '"cat":"fee"' '"cat":"DataFlow"' '"cat":"worker_idle"' '"cat":"task:x"' '"cat":"disabled-by-default-devtools.x"' '"cat":"devtools.timeline"' \
	'"cat":"__metadata"' '"cat":"toplevel"' '"cat":"webkit"' '"cat":"cc"' '"cat":"renderer"' '"cat":"other"' '"name":"ExecuteCompiler"' '"ts":"5"' \
	'"ts":100000000000000.000' '"ts":99999999999999.999' '"cat":"cpu_op,FEE"'; do
	facts "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":0,$event}]" | sed "s/^[0-9]* /$event: /"
done
echo "== beginnings and ends"
for text in '' ' ' '[' '[]' '{}' '{' '{"' '{"a' '{"a"' '{"a":' '{"a":1' '{"a":1,' '5' '"x"' '[5]' '[5,' "[$E" "[$E," "[$E]x" "[$E],,, " "[$E]}" "{\"traceEvents\":[$E" "{\"traceEvents\":[$E]" \
	"{\"traceEvents\":[$E,{\"ph\":\"X\",\"name\":\"b" "[$E,{\"ph\":\"X\",\"name\":\"b" "[$E,{\"ph\" \"X\"},$E]" "[$E,{\"ph\" \"X\"} , $E]" "[$E,{\"ph\" \"X\"} x,$E]" \
	"[$E,{\"a\" {\"b\":1}},$E]" "[$E,[[{]],$E]" "[$E,true,null,\"x\",-1,[{}],$E]" "[$E,nonsense,$E]" "[,,$E,,,$E,,]" "{\"traceEvents\":[$E]}x" "{\"traceEvents\":[$E],}" \
	"{\"a\":{\"traceEvents\":[$E]}}" '{"traceEvents":{"traceEvents":{"traceEvents":{"traceEvents":{"traceEvents":{"traceEvents":[]}}}}}}' "above
[$E]" "above
{\"traceEvents\":[$E]}" "above [
x"; do
	echo "-- $text"
	facts "$text"
done
printf '\357\273\277[%s]' "$E" >mark.json
printf '[%s,\0\0\0%s,\0 \0%s]' "$E" "$E" "$E" >holes.json
take chrome mark.json holes.json
echo "== a trace cut at every byte"
printf '{"a":{"b":1},"traceEvents":[{"ph":"B","ts":1,"name":"x"},{"ph":"E","ts":2,"args":{"k":[1,"v"]}}],"c":2}' >whole.json
for i in $(seq 1 107); do
	head -c "$i" whole.json >cut.json
	lanescope import --quiet --force --format chrome cut.json >said 2>&1 || sed "s/^/$i /" said && [ -s said ] && continue
	echo "$i $(lanescope sql cut "SELECT (SELECT count(*) FROM span) || ' ' || (SELECT count(*) FROM event) || ' ' || (SELECT sum(bad_records) FROM source) || ' ' ||
	  coalesce((SELECT group_concat(kind || ' ' || coalesce(record, '') || ' ' || offset || ' ' || reason, '; ') FROM problems), '')" --format csv --no-header)"
done
