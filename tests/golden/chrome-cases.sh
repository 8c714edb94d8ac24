# What is easily counted wrongly, on traces whose figures are worked out by hand (tests/data/chrome).
trace=data/chrome
lanescope import --quiet $trace/streams.json $trace/path.json $trace/nested.json
cat <<'END'
GPU 0, us. Stream 7: gemm 110-120, 120-130, empty at 130, gemm 155-165, lone 165.029-175, 175.030-180, seven 195-200.
Stream 20: all-reduce 112-118, at 115, 162-172, 180-195. Stream 21: relu 164-168, memset 196-199.
Any of them: 110-130, 155-175 (relu closes the 29 ns), 175.030-200: 64.970 of 90. Computing: the same without 180-195: 49.970.
Communicating: 6 + 10 + 15, the 6 and the 10 within computing; 180-195 touches what computes at both ends. GPU 1: 100-150, 160-170, 203-204.
END
lanescope query gpu-busy streams
lanescope query gpu-overlap streams
cat <<'END'
GPU 0/stream 7: none at 120 and 130; 25 us (launched at 150, after 130: host); 29 ns (kernel); 30 ns (other: not shorter than 30);
15 us before seven (first launched at 170, before 180: other). Stream 20: 44 us (launched at 160: host), 8 us (no call known: other).
Stream 21: 28 us (launched at 168, just as relu ended: other).
GPU 1/stream 7: 10 us from the latest end 150 (launched at 140: other), 33 us (launched at 205: host).
Before the first and after the last work of each stream the run goes on; with busy, all shares of a stream are 1.
END
lanescope query gpu-idle streams -p least=30ns
echo "without least the bound is 30 us: what is shorter and is not the host's is kernel"
lanescope query gpu-idle streams
cat <<'END'
gemm: 10, 16 and 5 us after the call's begin, 8, 15 and 3 after its end. empty: two calls 106-107, 24 and 23. seven: calls 170-171 and
190-191, 25 and 4. all-reduce: one of four, 2 and 1. relu 3 and 2, memset 28 and 27, late 20 and 19, early -2 and -3. lone, wide: no call.
END
lanescope query launch-delay streams
cat <<'END'
The rest of the build stands in rows of its own.
-20 to -10 us, 10 later 0-30, at 30, 30-110, then 90-130: 20 before that is done; the run begins at -20. Of equal starts the shortest first.
Targets only from what records one, and only of actions.
END
lanescope query critical-path path
cat <<'END'
outer 0-100 less child 10-30, inner 30-40, begun 50-60, inner 90-100: 50. child and same are as long: the first in the file holds the
second. across 95-120 begins in outer and ends behind it: it is nobody's child.
END
lanescope sql nested "SELECT name, n, dur_sum, self_sum FROM span_totals t ORDER BY name"
echo "gaps: 1 ns at 130, 9 us at 131, 10 us at 140, which the span at 140 tells apart; none at 120"
lanescope query idle-gaps nested -p least=0
lanescope query idle-gaps nested
lanescope query idle-by-lane nested
cat <<'END'
What a stream waits for and what the program calls its work stand beside it, whatever comes first: busy 10-20 and 40-50, idle 20 between.
END
cat >beside.json <<'END'
[{"ph":"X","cat":"gpu_user_annotation","name":"step","pid":0,"tid":7,"ts":0,"dur":90},
{"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":7,"ts":20,"dur":20},
{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":10,"dur":10},{"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":40,"dur":10},
{"ph":"i","cat":"mark","name":"here","pid":0,"tid":7,"ts":45},
{"ph":"M","name":"thread_name","pid":0,"tid":7,"args":{"name":"stream 7 "}}]
END
lanescope import --quiet beside.json
lanescope query lane-totals beside
lanescope query idle-by-lane beside
lanescope sql beside "SELECT lane_name, name FROM event"
echo "devices are called as their lanes are: by labels, else by the process; the number tells those apart that are called alike"
cat >devices.json <<'END'
[{"ph":"M","name":"process_name","pid":1,"args":{"name":"/device:GPU:0/stream:14 Compute"}},
{"ph":"M","name":"process_name","pid":2,"args":{"name":"python"}},{"ph":"M","name":"process_name","pid":3,"args":{"name":"python"}},
{"ph":"M","name":"process_name","pid":4,"args":{"name":"python"}},{"ph":"M","name":"process_labels","pid":4,"args":{"labels":"GPU 3"}},
{"ph":"M","name":"process_labels","pid":4,"args":{"labels":"GPU 4"}},
{"ph":"X","cat":"kernel","name":"a","pid":1,"tid":7,"ts":0,"dur":10},{"ph":"X","cat":"kernel","name":"b","pid":2,"tid":7,"ts":0,"dur":20},
{"ph":"X","cat":"kernel","name":"a","pid":3,"tid":7,"ts":0,"dur":30},{"ph":"X","cat":"kernel","name":"b","pid":4,"tid":7,"ts":0,"dur":40},
{"ph":"X","cat":"kernel","name":"b","pid":5,"tid":7,"ts":0,"dur":50}]
END
lanescope import --quiet devices.json
lanescope query gpu-busy devices
lanescope query gpu-overlap devices
lanescope query idle-by-lane devices
echo "what has no partner keeps its own phase; what tells no process or thread is called so"
cat >alone.json <<'END'
[{"ph":"b","cat":"net","name":"open","id":1,"pid":1,"tid":1,"ts":1},{"ph":"e","cat":"net","name":"end","id":2,"pid":1,"tid":1,"ts":2},
{"ph":"S","cat":"old","name":"open","id":1,"pid":1,"tid":1,"ts":3},{"ph":"F","cat":"old","name":"end","id":2,"pid":1,"tid":1,"ts":4},
{"ph":"B","name":"open","pid":1,"tid":1,"ts":5},{"ph":"E","name":"end","pid":1,"tid":1,"ts":6},
{"ph":"X","name":"nowhere","ts":7,"dur":1},{"ph":"i","name":"empty","pid":"","tid":"","ts":8},{"ph":"X","name":"of 3","tid":3,"ts":8,"dur":1},
{"ph":"C","name":"level","ts":9,"args":{"value":1}}]
END
lanescope import --quiet alone.json
lanescope sql alone "SELECT time, lane_name, category, name, args FROM event ORDER BY time"
lanescope sql alone "SELECT name, kind, process, thread FROM lanes ORDER BY 1, 2"
lanescope query problems alone
echo '[{"ph":"X","name":"nowhere","ts":7,"dur":1},{"ph":"C","name":"level","ts":9,"args":{"value":1}}]' >single.json
lanescope import --quiet single.json
lanescope sql single "SELECT name, kind, process, thread FROM lanes ORDER BY 1, 2"
cat <<'XXX'
Of equal times the one that begins first in the file is the outer one, whatever stands in which order behind: a record as long as those is
within what began before it. What has no length is in what was open when it began, also where that ends at the same instant.
XXX
cat >ties.json <<'XXX'
[{"ph":"B","name":"outer","pid":1,"tid":1,"ts":0},{"ph":"B","name":"inner","pid":1,"tid":1,"ts":0},
{"ph":"B","name":"innermost","pid":1,"tid":1,"ts":0},{"ph":"X","name":"record","pid":1,"tid":1,"ts":0,"dur":10},
{"ph":"E","name":"outer","pid":1,"tid":1,"ts":10},{"ph":"B","name":"at the end","pid":1,"tid":1,"ts":10},{"ph":"E","pid":1,"tid":1,"ts":10},
{"ph":"E","name":"innermost","pid":1,"tid":1,"ts":10},{"ph":"E","name":"inner","pid":1,"tid":1,"ts":10},
{"ph":"B","name":"alone","pid":1,"tid":1,"ts":10},{"ph":"B","name":"in that","pid":1,"tid":1,"ts":10},{"ph":"E","pid":1,"tid":1,"ts":10},
{"ph":"E","pid":1,"tid":1,"ts":10},
{"ph":"B","name":"next","pid":1,"tid":1,"ts":10},{"ph":"B","name":"at its begin","pid":1,"tid":1,"ts":10},{"ph":"E","pid":1,"tid":1,"ts":10},
{"ph":"E","pid":1,"tid":1,"ts":20},
{"ph":"b","cat":"a","name":"outer","id":1,"pid":1,"tid":1,"ts":0},{"ph":"b","cat":"a","name":"inner","id":2,"pid":1,"tid":1,"ts":0},
{"ph":"e","cat":"a","name":"inner","id":2,"pid":1,"tid":1,"ts":5},{"ph":"e","cat":"a","name":"outer","id":1,"pid":1,"tid":1,"ts":5}]
XXX
lanescope import --quiet ties.json
lanescope sql ties "SELECT s.kind, s.name, s.start, s.duration, s.self, s.depth, p.name AS parent FROM span s LEFT JOIN span p ON p.id = s.parent
  ORDER BY 1, 3, 6, 2"
cat <<'XXX'
What has no end lasts until the last time of the trace, 100, and holds what began in it: outer, hangs and within it child, which ended. Sums say
how much of them that is. The end of "nobody" is none of theirs.
XXX
cat >crash.json <<'XXX'
[{"ph":"B","name":"outer","pid":1,"tid":1,"ts":0,"args":{"a":1}},{"ph":"X","name":"before","pid":1,"tid":1,"ts":10,"dur":20},
{"ph":"B","name":"hangs","pid":1,"tid":1,"ts":40},{"ph":"B","name":"child","pid":1,"tid":1,"ts":50},{"ph":"E","name":"child","pid":1,"tid":1,"ts":60},
{"ph":"E","name":"nobody","pid":1,"tid":1,"ts":65},{"ph":"B","name":"last","pid":1,"tid":1,"ts":100},
{"ph":"b","cat":"net","name":"fetch","id":1,"pid":1,"tid":1,"ts":70},{"ph":"S","cat":"old","name":"load","id":1,"pid":1,"tid":1,"ts":80},
{"ph":"X","name":"other","pid":1,"tid":2,"ts":0,"dur":100}]
XXX
lanescope import --quiet crash.json
lanescope sql crash "SELECT s.lane_name, s.name, s.start, s.duration, s.self, s.depth, p.name AS parent, s.unfinished, s.args FROM span s
  LEFT JOIN span p ON p.id = s.parent ORDER BY 1, 3, 4"
lanescope sql crash "SELECT name, time, args FROM event"
lanescope sql crash "SELECT lane_name, rows, dur_sum, unfinished_n, unfinished_sum FROM span_sums('lane_name', '') UNION ALL
  SELECT 'all', sum(rows), sum(dur_sum), sum(unfinished_n), sum(unfinished_sum) FROM span_total"
lanescope sql crash "SELECT unfinished, n, dur_sum, unfinished_n, unfinished_sum FROM span_sums('unfinished', 'name <> \"last\"')"
lanescope sql crash "SELECT time, n, dur_sum, unfinished_n, unfinished_sum FROM span_sums('time(20000)')"
lanescope sql crash "SELECT width, sum(dur_sum), sum(unfinished_n), sum(unfinished_sum) FROM (SELECT 7 AS width UNION ALL SELECT 1000 UNION ALL SELECT 1000000000)
  JOIN span_sums('lane,name,time(' || width || ')') GROUP BY width"
lanescope sql crash "SELECT name FROM span_page('unfinished = 1 AND duration > 0', '-duration', 0, 9)"
lanescope query span-totals crash
lanescope info crash --format csv | grep -i unfinished
lanescope timeline crash --width 100 --depth 2>&1 || lanescope timeline crash --width 100
lanescope timeline crash --width 100 --svg | grep -c unfinished
lanescope export crash.lanes --to chrome -o again.json
lanescope import --quiet -o again.lanes again.json
lanescope sql again "SELECT name, start, duration, depth, unfinished FROM span ORDER BY 2, 3, 1"
lanescope export ties.lanes --to chrome -o ties-again.json
lanescope import --quiet -o ties-again.lanes ties-again.json
lanescope sql ties-again "SELECT s.kind, s.name, s.start, s.duration, s.self, s.depth, p.name AS parent FROM span s LEFT JOIN span p ON p.id = s.parent
  WHERE s.duration > 0 ORDER BY 1, 3, 6, 2"
cat <<'XXX'
What wraps a recording and what repeats sums is there, but is no work: of 100 us on a thread 30 are step's, 10 of gemm's on a stream.
XXX
cat >wrapped.json <<'XXX'
{"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"Trace","name":"PyTorch Profiler (0)","pid":"Spans","tid":"PyTorch Profiler","ts":0,"dur":100},
{"ph":"X","cat":"cpu_op","name":"step","pid":1,"tid":1,"ts":10,"dur":30},{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":20,"dur":10},
{"ph":"X","cat":"Trace","name":"around","pid":1,"tid":1,"ts":0,"dur":100},{"ph":"X","name":"Total Frontend","pid":1,"tid":9,"ts":0,"dur":900,
"args":{"count":3,"avg ms":0}},{"ph":"i","name":"Iteration Start: PyTorch Profiler","pid":"Traces","tid":"Trace PyTorch Profiler","ts":0,"s":"g"}]}
XXX
lanescope import --quiet wrapped.json
lanescope sql wrapped "SELECT lane_name, kind, name, duration, self, calls FROM span ORDER BY 1"
for query in lane-totals span-totals span-by-category process-times span-longest span-quantiles idle-by-lane idle-gaps; do
	echo "$query"
	lanescope query $query wrapped --format csv
done
lanescope timeline wrapped --width 100
echo "names of templates: arguments left out, operators kept; a class within itself counts once"
cat >templates.json <<'XXX'
{"traceEvents":[{"ph":"X","name":"ExecuteCompiler","pid":1,"tid":1,"ts":0,"dur":100},
{"ph":"X","name":"InstantiateFunction","pid":1,"tid":1,"ts":0,"dur":10,"args":{"detail":"std::vector<int, std::allocator<int> >::push_back"}},
{"ph":"X","name":"InstantiateFunction","pid":1,"tid":1,"ts":2,"dur":4,"args":{"detail":"std::vector<a<b<c> >, d>::push_back"}},
{"ph":"X","name":"InstantiateFunction","pid":1,"tid":1,"ts":20,"dur":2,"args":{"detail":"ns::operator<<<char>"}},
{"ph":"X","name":"InstantiateFunction","pid":1,"tid":1,"ts":30,"dur":2,"args":{"detail":"x<int>::operator->"}},
{"ph":"X","name":"InstantiateFunction","pid":1,"tid":1,"ts":40,"dur":2,"args":{"detail":"x<int>::operator<=><int>"}},
{"ph":"X","name":"InstantiateClass","pid":1,"tid":1,"ts":50,"dur":2,"args":{"detail":"plain"}},
{"ph":"X","name":"Total InstantiateClass","pid":1,"tid":2,"ts":0,"dur":2,"args":{"count":1,"avg ms":0}}],"beginningOfTime":1600000000000000,
"systemTraceEvents":{"type":"fuchsia","events":[{"ph":"p","pid":1,"name":"x"}]}}
XXX
lanescope import --quiet templates.json
lanescope query clang-templates templates
lanescope query clang-templates templates -p by=instance --limit 2
lanescope sql templates "SELECT kind, reason FROM problem"
cat <<'XXX'
Spans of equal times nest by their begins in cells that are read from blocks and in schedules too: at 15 us "in" runs, at 85 us the deepest of
three, whichever record came first.
XXX
cat >equal.json <<'XXX'
[{"ph":"B","name":"outer","cat":"out","pid":1,"tid":1,"ts":10},{"ph":"B","name":"inner","cat":"in","pid":1,"tid":1,"ts":10},
{"ph":"E","name":"inner","pid":1,"tid":1,"ts":30},{"ph":"E","name":"outer","pid":1,"tid":1,"ts":30},
{"ph":"X","name":"top","cat":"top","pid":1,"tid":1,"ts":80,"dur":10},{"ph":"X","name":"mid","cat":"mid","pid":1,"tid":1,"ts":80,"dur":10},
{"ph":"X","name":"low","cat":"low","pid":1,"tid":1,"ts":80,"dur":10}]
XXX
lanescope import --quiet equal.json
lanescope timeline equal --colour category --format csv --from 5us --to 5002ns --limit 1
lanescope timeline equal --colour category --format csv --from 75us --to 75002ns --limit 1
cp equal.lanes equal-too.lanes
lanescope explain equal equal-too --part sharing -p fold=0 --format csv
cat <<'XXX'
clang 19 records headers beside its thread, and they cross what it parses: of 100 us, 70 in headers,
each is the self time of one span of the thread.
XXX
cat >headers.json <<'XXX'
{"traceEvents":[{"ph":"X","name":"ExecuteCompiler","pid":1,"tid":1,"ts":0,"dur":100},{"ph":"X","name":"Frontend","pid":1,"tid":1,"ts":0,"dur":80},
{"ph":"b","name":"Source","cat":"Source","id":0,"pid":1,"tid":1,"ts":5,"args":{"detail":"a.h"}},
{"ph":"b","name":"Source","cat":"Source","id":0,"pid":1,"tid":1,"ts":15,"args":{"detail":"b.h"}},
{"ph":"e","name":"Source","cat":"Source","id":0,"pid":1,"tid":1,"ts":35},{"ph":"e","name":"Source","cat":"Source","id":0,"pid":1,"tid":1,"ts":75},
{"ph":"X","name":"ParseDeclarationOrFunctionDefinition","pid":1,"tid":1,"ts":30,"dur":20},
{"ph":"X","name":"Total Source","pid":1,"tid":2,"ts":0,"dur":70,"args":{"count":1,"avg ms":0}}],"beginningOfTime":1600000000000000}
XXX
lanescope import --quiet headers.json
for query in clang-headers span-totals span-by-category process-times lane-totals; do
	echo "$query"
	lanescope query $query headers --format csv
done
cat <<'XXX'
MTIA 0, us: matmul 0-20 and relu 66-74 compute, DMA 10-40 copies, 35-60 and 78-79 are waits, all-reduce 70-80 communicates. Busy 0-60 and 66-80.
Of 10 us of communication 4 lie behind relu, and none behind copies or waits.
XXX
cat >mtia.json <<'XXX'
{"schemaVersion":1,"traceEvents":[{"ph":"M","name":"process_labels","pid":0,"args":{"labels":"MTIA 0"}},
{"ph":"X","cat":"mtia_ccp_events","name":"matmul","pid":0,"tid":1,"ts":0,"dur":20},{"ph":"X","cat":"mtia_ccp_events","name":"DMA_IN","pid":0,"tid":2,"ts":10,"dur":30},
{"ph":"X","cat":"mtia_ccp_events","name":"wait_for_event","pid":0,"tid":3,"ts":35,"dur":25},{"ph":"X","cat":"mtia_ccp_events","name":"nccl_all_reduce","pid":0,"tid":1,"ts":70,"dur":10},
{"ph":"X","cat":"mtia_ccp_events","name":"relu","pid":0,"tid":2,"ts":66,"dur":8},{"ph":"X","cat":"mtia_ccp_events","name":"Sync","pid":0,"tid":3,"ts":78,"dur":1},
{"ph":"X","cat":"cpu_op","name":"step","pid":1,"tid":1,"ts":0,"dur":100}]}
XXX
lanescope import --quiet mtia.json
lanescope query gpu-busy mtia --format csv
lanescope query gpu-overlap mtia --format csv
echo "== explain: how much of what is divided is theirs that never ended"
cat >hangs.json <<'END'
[{"name":"main","ph":"B","ts":0,"pid":1,"tid":1},
{"name":"loop","ph":"B","ts":10,"pid":1,"tid":1},
{"name":"done","ph":"X","ts":15,"dur":5,"pid":1,"tid":1},
{"name":"hang","ph":"B","ts":30,"pid":1,"tid":1},
{"name":"x","ph":"X","ts":95,"dur":5,"pid":1,"tid":2}]
END
lanescope explain hangs.json hangs.json --part sharing --format csv 2>&1
cat <<'XXX'
Fuchsia's recording beside the events names processes and threads that the events do not name.
XXX
cat <<'XXX' >fuchsia.json
{"systemTraceEvents":{"type":"fuchsia","events":[{"ph":"p","pid":1,"name":"netstack"},{"ph":"t","pid":1,"tid":2,"name":"poll"},
{"ph":"k","ts":1,"cpu":0,"out":{"pid":1,"tid":2,"state":4,"prio":16},"in":{"pid":9,"tid":9}},{"ph":"p","pid":9,"name":"idle"},7,
{"ph":"t","pid":1,"tid":3,"name":"other"},{"ph":"p","pid":3,"name":"late"},{"ph":"p","pid":[1],"name":"odd"},{"ph":"t","pid":3,"name":"none"}],"more":{"a":[1]}},
"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":2,"ts":10,"dur":5},{"ph":"X","name":"b","pid":1,"tid":3,"ts":12,"dur":5},
{"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"own"}},{"ph":"X","name":"c","pid":3,"tid":1,"ts":14,"dur":5}]}
XXX
lanescope import --quiet fuchsia.json
lanescope sql fuchsia "SELECT process, thread, name FROM lanes"
lanescope sql fuchsia "SELECT value FROM tags WHERE key = 'processes'"
lanescope sql fuchsia "SELECT kind, reason FROM problem"
cat >ends.json <<'END'
[{"name":"a","cat":"ok","ph":"X","ts":0,"dur":5,"pid":1,"tid":1},
{"name":"hang","cat":"io","ph":"B","ts":10,"pid":1,"tid":1},
{"name":"a","cat":"ok","ph":"X","ts":95,"dur":5,"pid":1,"tid":2}]
END
lanescope query function-time ends.json -p category=ok --format csv 2>&1
lanescope query function-time ends.json -p category=io --format csv 2>&1
lanescope query io-summary ends.json -p 'io=category = "io"' --format jsonl 2>&1 | grep note
echo "times end at 2^62 ns: what begins there is refused, what ends there or beyond is cut 1 ns before it and kept"
cat >limit.json <<'END'
[{"ph":"X","name":"cut","pid":1,"tid":1,"ts":4611686018427387.900,"dur":9},{"ph":"X","name":"at the end","pid":1,"tid":2,"ts":4611686018427387.903,"dur":0.001},
{"ph":"X","name":"whole","pid":1,"tid":3,"ts":4611686018427387.900,"dur":0.003},{"ph":"X","name":"beyond","pid":1,"tid":1,"ts":4611686018427387.904,"dur":0},
{"ph":"i","name":"last","pid":1,"tid":1,"ts":4611686018427387.903},{"ph":"i","name":"before all","pid":1,"tid":1,"ts":-4611686018427387.904},
{"ph":"X","name":"first","pid":1,"tid":4,"ts":-4611686018427387.903,"dur":1}]
END
lanescope import --quiet limit.json
lanescope sql limit "SELECT name, start, duration FROM span ORDER BY start, lane"
lanescope sql limit "SELECT name, time FROM event"
lanescope sql limit "SELECT kind, reason FROM problem"
