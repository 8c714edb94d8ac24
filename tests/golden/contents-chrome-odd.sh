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
cat >events.json <<'END'
{"schemaVersion":1,"stackFrames":{"7":{"name":"main"}},"traceEvents":[
{"ph":"M","name":"process_name","pid":1,"args":{"name":"first "}},{"ph":"M","name":"process_name","pid":1,"args":{"name":"named  ","more":{"a":1},"yes":true,"no":false,"none":null}},
{"ph":"M","name":"process_labels","pid":2,"args":{"labels":"GPU 0"}},{"ph":"M","name":"process_sort_index","pid":1,"args":{"sort_index":-5}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":"t","args":{"sort_index":"3"}},{"ph":"M","name":"thread_name","pid":1,"tid":5,"args":{"name":""}},{"ph":"M","name":"thread_name","pid":1,"tid":6,"args":{"name":"six"}},
{"ph":"M","name":"trace_buffer","pid":1,"tid":6,"args":{"overflowed_at":5}},{"ph":"M","name":"process_uptime","pid":1,"args":{"uptime":"5"}},{"ph":"M","name":"num_cpus","args":{"number":8}},{"ph":"M","name":["odd"],"pid":1,"args":{"number":8}},
{"ph":"X","name":"plain","pid":1,"tid":5,"ts":1,"dur":2},{"ph":"X","name":"text ids","pid":"1","tid":"t","ts":"1.5","dur":"2.25"},{"ph":"X","name":"six","pid":1,"tid":6,"ts":2,"dur":1e1},
{"ph":"X","name":"no thread","pid":1,"ts":1,"dur":2},{"ph":"X","name":"no process","tid":5,"ts":1,"dur":2},{"ph":"X","name":"null","pid":null,"tid":null,"ts":3,"dur":null},{"ph":"X","name":"nested id","pid":{"a":1},"tid":[1],"ts":3,"dur":true},
{"ph":"X","name":5,"cat":6,"pid":1,"tid":6,"ts":20,"dur":1,"args":{"a":1,"a":2,"b":{"c":[1.50,"x"]},"d":1.5,"e":-0,"f":18446744073709551616,"g":"5","h":true,"i":null,"j":1e400},"extra":"e"},
{"ph":"X","name":"args twice","pid":1,"tid":6,"ts":22,"dur":1,"args":{"a":1},"args":{"b":2}},{"ph":"X","name":"odd args","pid":1,"tid":6,"ts":24,"dur":1,"args":[1]},{"ph":"X","name":"no args","pid":1,"tid":6,"ts":28,"dur":1,"args":null},
{"ph":"X","name":"same key","pid":1,"tid":6,"ts":30,"dur":-5,"args":{"dur":7,"ph":8,"extra":1},"extra":2},{"ph":"X","name":"what","pid":1,"tid":6,"ts":32,"dur":"soon","args":{"dur":7}},
{"ph":"X","name":"Total a","pid":1,"tid":6,"ts":0,"dur":90,"args":{"count":3,"avg ms":0}},{"ph":"X","name":"Total b","pid":1,"tid":6,"ts":34,"dur":1,"args":{"count":0,"avg ms":0}},{"ph":"X","name":"Total c","pid":1,"tid":6,"ts":36,"dur":1,"args":{"count":-1,"avg ms":0}},
{"ph":"X","name":"Total d","pid":1,"tid":6,"ts":38,"dur":1,"args":{"count":3}},{"ph":"X","cat":"kernel","name":"k","pid":2,"tid":7,"ts":1,"dur":1,"args":{"bytes":5}},{"ph":"X","cat":"gpu_memcpy","name":"c","pid":2,"tid":7,"ts":3,"dur":1,"args":{"bytes":0}},
{"ph":"X","cat":"gpu_memset","name":"s","pid":3,"tid":7,"ts":5,"dur":1,"args":{"bytes":-1}},{"ph":"X","cat":"Kernel","name":"K","pid":4,"tid":7,"ts":5,"dur":1},{"ph":"X","cat":"Memcpy","name":"M","pid":4,"tid":8,"ts":5,"dur":1},
{"ph":"X","cat":"Memset","name":"S","pid":4,"tid":9,"ts":5,"dur":1},{"ph":"X","cat":"mtia_ccp_events","name":"m","pid":4,"tid":10,"ts":5,"dur":1},{"ph":"X","cat":"kernels","name":"none","pid":4,"tid":11,"ts":5,"dur":1,"args":{"bytes":5}},
{"ph":"X","cat":"gpu_user_annotation","name":"step","pid":2,"tid":7,"ts":0,"dur":9},{"ph":"X","cat":"cuda_sync","name":"wait","pid":5,"tid":7,"ts":0,"dur":9},{"ph":"i","name":"after","pid":5,"tid":7,"ts":9},
{"ph":"X","cat":"Trace","name":"all","pid":1,"tid":6,"ts":0,"dur":90},{"ph":"X","name":"all","pid":"Spans","tid":"s","ts":0,"dur":90},{"ph":"X","cat":"kernel","name":"all","pid":"Traces","tid":"s","ts":0,"dur":90},
{"ph":"i","name":"i","pid":1,"tid":6,"ts":50,"s":"t"},{"ph":"I","name":"I","pid":1,"tid":6,"ts":51},{"ph":"R","name":"R","pid":1,"tid":6,"ts":52,"args":{"ph":"own"}},{"ph":"XY","name":"XY","pid":1,"tid":6,"ts":53},{"ph":"XY","name":"XY","pid":1,"tid":6,"ts":54},
{"ph":"Z","sf":7,"pid":1,"tid":6,"ts":55},{"ph":"Z","sf":"8","name":"","pid":1,"tid":6,"ts":56},{"ph":"Z","sf":7,"name":"n","pid":1,"tid":6,"ts":57},{"ph":"","name":"none","pid":1,"tid":6,"ts":59},{"ph":["X"],"name":"none","pid":1,"tid":6,"ts":59},
{"ph":"X","name":"none","pid":1,"tid":6,"ts":null},{"ph":"X","name":"none","pid":1,"tid":6,"ts":"soon"},{"ph":"X","name":"none","pid":1,"tid":6,"ts":1e300},{"ph":"X","name":"none","pid":1,"tid":6},
{"ph":"C","name":"c","pid":1,"ts":1,"args":{"value":1}},{"ph":"C","name":"c","pid":1,"ts":2,"args":{"c":2,"d":"3.5","e":-1e3}},{"ph":"C","name":"c","id":"x","pid":1,"ts":3,"args":{"value":4,"c":5,"f":6}},{"ph":"C","id":9,"pid":1,"ts":4,"args":{"value":7}},
{"ph":"C","pid":1,"ts":5,"args":{"value":8,"g":9}},{"ph":"C","name":"bad","pid":1,"ts":6,"args":{"a":null,"b":true,"c":"x","d":[1],"e":"nan","f":"inf","g":1,"g":2}},{"ph":"C","name":"none","pid":1,"ts":7,"more":5}],"displayTimeUnit":"ms"}
END
cat >pairs.json <<'END'
[{"ph":"b","cat":"a","name":"n","id":1,"pid":1,"tid":1,"ts":1,"args":{"x":1}},{"ph":"n","cat":"a","name":"n","id":1,"pid":1,"tid":1,"ts":2},{"ph":"e","cat":"a","name":"n","id":1,"pid":1,"tid":2,"ts":3,"args":{"x":2,"y":3}},
{"ph":"b","cat":"a","name":"other name","id":2,"pid":1,"tid":1,"ts":4},{"ph":"e","cat":"a","id":2,"pid":1,"tid":1,"ts":5},{"ph":"b","cat":"a","name":"p","id":3,"pid":1,"tid":1,"ts":6},{"ph":"e","cat":"a","name":"q","id":3,"pid":1,"tid":1,"ts":7},
{"ph":"b","cat":"a","name":"local","id2":{"local":1},"pid":1,"tid":1,"ts":8},{"ph":"b","cat":"a","name":"local","id2":{"local":1},"pid":2,"tid":1,"ts":9},{"ph":"e","cat":"a","name":"local","id2":{"local":1},"pid":1,"tid":1,"ts":10},
{"ph":"e","cat":"a","name":"local","id2":{"local":1},"pid":2,"tid":1,"ts":12},{"ph":"b","cat":"a","name":"global","id2":{"global":1,"more":[1]},"pid":1,"tid":1,"ts":13},{"ph":"e","cat":"a","name":"global","id2":{"global":1},"pid":2,"tid":1,"ts":15},
{"ph":"b","name":"bare","id":6,"pid":1,"tid":1,"ts":18},{"ph":"e","name":"bare","id":6,"pid":1,"tid":1,"ts":19},{"ph":"b","cat":"a","name":"again","id":8,"pid":1,"tid":1,"ts":20},{"ph":"b","cat":"a","name":"again","id":8,"pid":1,"tid":1,"ts":21},
{"ph":"e","cat":"a","name":"again","id":8,"pid":1,"tid":1,"ts":22},{"ph":"e","cat":"a","name":"again","id":8,"pid":1,"tid":1,"ts":24},{"ph":"S","cat":"o","name":"old","id":1,"pid":1,"tid":1,"ts":30},{"ph":"T","cat":"o","name":"old","id":1,"pid":1,"tid":1,"ts":31,"args":{"step":"s"}},
{"ph":"p","cat":"o","name":"old","id":1,"pid":1,"tid":1,"ts":32},{"ph":"F","cat":"o","name":"old","id":1,"pid":1,"tid":1,"ts":33},{"ph":"S","cat":"o","name":"old a","id":2,"pid":1,"tid":1,"ts":34},{"ph":"F","cat":"o","name":"old b","id":2,"pid":1,"tid":1,"ts":35},
{"ph":"e","cat":"a","name":"early","id":9,"pid":1,"tid":1,"ts":40},{"ph":"b","cat":"a","name":"early","id":9,"pid":1,"tid":1,"ts":39},{"ph":"E","pid":1,"tid":3,"ts":50},{"ph":"B","name":"late","pid":1,"tid":3,"ts":49,"args":{"x":1}},
{"ph":"B","name":"a","cat":"c","pid":1,"tid":4,"ts":50},{"ph":"B","name":"b","pid":1,"tid":4,"ts":51},{"ph":"E","name":"a","pid":1,"tid":4,"ts":52},{"ph":"E","name":"b","pid":1,"tid":4,"ts":53},{"ph":"E","name":"c","pid":1,"tid":4,"ts":54},
{"ph":"B","name":"never","pid":1,"tid":4,"ts":55},{"ph":"B","name":"z","pid":1,"tid":5,"ts":60},{"ph":"E","pid":1,"tid":5,"ts":60,"args":{"x":[1]},"id":5},{"ph":"X","name":"last","pid":1,"tid":5,"ts":70,"dur":5}]
END
cat >flows.json <<'END'
[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":10,"bind_id":1,"flow_out":true},{"ph":"X","name":"b","pid":1,"tid":2,"ts":5,"dur":10,"bind_id":1,"flow_in":true,"flow_out":true},{"ph":"X","name":"c","pid":1,"tid":3,"ts":9,"dur":10,"bind_id":1,"flow_in":true},
{"ph":"X","name":"d","pid":1,"tid":3,"ts":12,"dur":1,"bind_id":"1","flow_in":true},{"ph":"X","name":"e","pid":1,"tid":3,"ts":20,"dur":1,"bind_id":1,"flow_in":false},{"ph":"X","name":"f","pid":1,"tid":3,"ts":22,"dur":1,"bind_id":1,"flow_in":1},
{"ph":"X","name":"h","pid":1,"tid":3,"ts":26,"dur":1,"bind_id":2,"flow_in":true},{"ph":"X","name":"i","pid":1,"tid":3,"ts":28,"dur":1,"bind_id":2,"flow_out":true},{"ph":"X","name":"j","pid":1,"tid":3,"ts":30,"dur":1,"bind_id":2,"flow_in":true},
{"ph":"B","name":"k","pid":1,"tid":4,"ts":32,"bind_id":2,"flow_in":true},{"ph":"E","pid":1,"tid":4,"ts":33},{"ph":"s","id":1,"name":"n","cat":"x","pid":1,"tid":1,"ts":2},{"ph":"f","id":1,"name":"n","cat":"x","pid":1,"tid":2,"ts":3},
{"ph":"f","id":1,"name":"n","cat":"y","pid":1,"tid":3,"ts":9},{"ph":"s","id":2,"cat":"only","pid":1,"tid":1,"ts":3},{"ph":"f","id":2,"cat":"only","bp":"e","pid":1,"tid":2,"ts":15},{"ph":"s","id":3,"pid":1,"tid":1,"ts":10},
{"ph":"f","id":3,"bp":"e","pid":1,"tid":2,"ts":16},{"ph":"f","id":3,"bp":"x","pid":1,"tid":3,"ts":13},{"ph":"s","id2":{"local":4},"name":"l","pid":1,"tid":1,"ts":4},{"ph":"f","id2":{"local":4},"name":"l","bp":"e","pid":2,"tid":2,"ts":6},
{"ph":"f","id2":{"local":4},"name":"l","bp":"e","pid":1,"tid":2,"ts":7},{"ph":"t","id":5,"name":"t","pid":1,"tid":1,"ts":1},{"ph":"t","id":5,"name":"t","pid":1,"tid":2,"ts":6},{"ph":"t","id":5,"name":"t","pid":1,"tid":3,"ts":10},{"ph":"X","name":"of 2","pid":2,"tid":2,"ts":5,"dur":5},
{"ph":"s","id":6,"name":"two","pid":1,"tid":1,"ts":1},{"ph":"s","id":6,"name":"two","pid":1,"tid":2,"ts":6},{"ph":"f","id":6,"name":"two","bp":"e","pid":1,"tid":3,"ts":10},{"ph":"X","name":"first of two","pid":3,"tid":1,"ts":50,"dur":9},
{"ph":"X","name":"longer","pid":3,"tid":1,"ts":50,"dur":10},{"ph":"X","name":"inner","pid":3,"tid":1,"ts":52,"dur":2},{"ph":"X","name":"second","pid":3,"tid":1,"ts":52,"dur":2},{"ph":"s","id":8,"name":"next","pid":1,"tid":1,"ts":0},
{"ph":"f","id":8,"name":"next","pid":3,"tid":1,"ts":49},{"ph":"f","id":8,"name":"next","pid":3,"tid":1,"ts":51},{"ph":"f","id":8,"name":"next","bp":"e","pid":3,"tid":1,"ts":54},{"ph":"f","id":8,"name":"next","bp":"e","pid":3,"tid":1,"ts":55},
{"ph":"f","id":8,"name":"next","bp":"e","pid":3,"tid":1,"ts":61}]
END
take chrome events.json pairs.json flows.json
echo "== a trace cut at every byte"
printf '{"a":{"b":1},"traceEvents":[{"ph":"B","ts":1,"name":"x"},{"ph":"E","ts":2,"args":{"k":[1,"v"]}}],"c":2}' >whole.json
for i in $(seq 1 107); do
	head -c "$i" whole.json >cut.json
	lanescope import --quiet --force --format chrome cut.json >said 2>&1 || sed "s/^/$i /" said && [ -s said ] && continue
	echo "$i $(lanescope sql cut "SELECT (SELECT count(*) FROM span) || ' ' || (SELECT count(*) FROM event) || ' ' || (SELECT sum(bad_records) FROM source) || ' ' ||
	  coalesce((SELECT group_concat(kind || ' ' || coalesce(record, '') || ' ' || offset || ' ' || reason, '; ') FROM problems), '')" --format csv --no-header)"
done
