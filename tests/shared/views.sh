#!/bin/sh
# The explorer over the samples of every format: what its views show are the figures of the expected results.
. "$(dirname "$0")/lib.sh"

if [ -d "$LANESCOPE_SHARED/cascade" ]; then
	# f1.summary.json: 135 tasks, runtime 16030882028 ns, queueDelay 1621799759, commDelay 12720006
	import_sample f1 cascade/f1.jsonl
	shows f1 "" "135 tasks" "efi" "questions for this run" "no problems"
	shows f1 "/ 'queue' Enter Enter" "of 135 spans" "total 1.62 s"
	shows f1 "/ 'comm' Enter Enter" "of 135 spans" "total 12.7 ms"
	shows f1 "S \\ '&category = \"task\"' Enter" "1 of 135 spans" "total 16.0 s"
	# f4.summary.json: runtime 24725778419 ns, 92 transfers
	import_sample f4 cascade/f4.jsonl
	shows f4 "" "92 transfers" "worker3"
	shows f4 "S \\ '&category = \"task\"' Enter ':sort -duration' Enter" "total 24.7 s" "sort -duration"
	# compare_f1_f4.csv: the same tasks in both
	"$LANESCOPE" --keys /dev/null "$work/f1.lanes" "$work/f4.lanes" >"$work/screen"
	grep -q 'A f1   B f4' "$work/screen"
	result $? "f1 and f4 are A and B"
fi
if [ -d "$LANESCOPE_SHARED/chrome" ]; then
	# pytorch-cupti.json.gz.facts.json: 2324 slices, begin to end 11.849544 s, totals by name
	import_sample cupti chrome/pytorch-cupti.json.gz
	shows cupti "" "2 324 spans" "11.8 s"
	shows cupti "S \\" "1 of 2 324 spans"
	shows cupti "S \\ '&name = \"[param|pytorch.model.alex_net|0|0|0|warmup|forward]\"' Enter" "of 2 spans" "total 13.7 s"
	shows cupti "S \\ '&name = \"aten::conv2d\"' Enter ] Enter" "of its name"
	shows cupti "S \\ '&name = \"aten::conv2d\"' Enter" "of 10 spans" "total 5.47 s"
	shows cupti "S \\ ':sort -duration' Enter Enter" "PyTorch Profiler (0)" "11844736000 ns"
fi
if [ -d "$LANESCOPE_SHARED/dftracer" ]; then
	import_sample unet dftracer/unet3d_old
	shows unet "" "89 054 spans" "questions for this run"
	shows unet "S \\ G" "89 054 of 89 054 spans"
fi
if [ -d "$LANESCOPE_SHARED/dasf" ]; then
	# gpu1.function_bottleneck.csv is of 1207 tasks' events
	import_sample gpu1 dasf/gpu1-TracePlugin-c096.msgpack
	shows gpu1 "" "1 207 tasks" "worker-c096-0"
fi
if [ -d "$LANESCOPE_SHARED/preemption" ]; then
	import_sample p3 preemption/bamboo/p3-trace.csv
	shows p3 "" "nodes preempted" "p3-trace" "on average, 32 at most"
	# terminations and the drops found in the count are the same losses, the total holds a group's other metrics
	import_sample full preemption/full-64
	shows full "" " 140 nodes preempted" " 140 preempted" "58.14 on average, 75 at most"
	import_sample asg preemption/run-86
	shows asg "" "43.13 on average, 64 at most" "InServiceInstances"
fi
if [ -d "$LANESCOPE_SHARED/dataload" ]; then
	import_sample trials dataload/sample
	shows trials "" "38 trials" "processing_time"
	shows trials "S" "this run has no spans"
	shows trials "P" "Problems"
fi
finish
