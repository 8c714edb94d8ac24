#!/bin/sh
# The explorer over the samples of every format: tables, timelines, SQL, comparisons and the walks to each notebook's answer, by the keys that a user
# would press; what the last screen shows are figures of the expected results.
. "$(dirname "$0")/lib.sh"

# A walk to an answer takes no more keys than it says, and none of them types a time or a name.
walk() { # keys at most, names, keys, text...
	walk_most=$1
	shift
	walk_n=$(printf '%s\n' "$2" | wc -w)
	[ "$walk_n" -le "$walk_most" ]
	result $? "$1: '$2' are $walk_n keys, $walk_most at most"
	SIZE=80x24 shows "$@"
}

if [ -d "$LANESCOPE_SHARED/cascade" ]; then
	import_sample f1 cascade/f1.jsonl
	import_sample f4 cascade/f4.jsonl
	# compare_f1_f4.csv, by kind: which got slower, in two keys; and when, in three
	shows "f1 f4" "D Enter" "efi          4.23 s    8.63 s       +4.40 s" "sot          3.76 s    6.69 s"
	shows "f1 f4" "D Enter |" "f1 | f4 > Timeline" "A   worker0" "B   worker0" "a run ends"
	shows "f1 f4" "D Enter x" "efi          8.63 s    4.23 s       -4.40 s"
	shows "f1 f4" "D Enter % %" "2.039"
	# explain: from the parts to a part, a kind, its tasks, one task's spans, and back
	shows "f1 f4" "X" "f4 is 10.7 s faster than f1 (7.05 s, 17.7 s): 4 lanes instead of 1" "tasks run longer, efi and sot most, as more run"
	shows "f1 f4" "X j T" "f1 | f4 > Timeline" "from start"
	shows "f1 f4" "X G Enter" "makespan  A f1  17.7 s   B f4  7.05 s   B - A -10.7 s" "run efi  +4.40 s  50.5 %"
	shows "f1 f4" "X G Enter j Enter" "run            efi         4.18 s" "8.58 s" "4.40 s" "17.7 s"
	shows "f1 f4" "X G Enter j Enter Enter" "Matched tasks one by one" "4 rows"
	shows "f1 f4" "X G Enter j Enter Enter Enter" "f4 > Spans" "efi:"
	shows "f1 f4" "X G Enter j Enter Enter Enter q q q" "f1 | f4 > Evidence"
	shows "f1 f4" "X G Enter j j j j j Enter Enter |" "f1 | f4 > Timeline" "from start"
	shows "f1 f4" "X G Enter j j j j j Enter Enter T" "f4 > Timeline"
	# f4.summary.json: runtime by worker, queue delay
	shows f4 "v ':query task-by-worker' Enter" "worker3" "7.01 s"
	shows f4 "T" "worker0" " transfers" "efi"
	shows f4 "T . Enter" "Span" "duration"
	shows f4 "T o" "worker0"
	shows f4 "; 'SELECT count(*) AS n, sum(finished - started) AS run FROM task' Enter" "135" "24725778419"
	# from the slower kinds to the slowest span and its partner
	walk 8 "f1 f4" "D Enter S l ] =" "f1 | f4 > Timeline" "2.27 x its time in f1; 3.9 at once on its host, there 1" \
		"A   worker0        95 % ▓▌▓█efi███▋▐▓▐▓█efi████▐▋▐▌▐▓efi▓▓▓|" ">B   worker1        82 % ▐▓▐▌▓▐▓▐▌▓▋▐▓▌▊▐█▓▊█sot██▐▐▐▓efi▓▓▓▓▓▓▓▓▓▓▓▓▓▊▋▋▌"
	shows f4 "?" "In this view" "Everywhere"
	SIZE=80x24 shows "f1 f4" "D Enter" "efi          4.23 s    8.63 s"
	SIZE=200x50 shows "f1 f4" "D Enter" "efi"
	SIZE=80x24 shows f4 "T ~" "worker0" "#"
fi
if [ -d "$LANESCOPE_SHARED/chrome" ]; then
	import_sample nccl chrome/pytorch-nccl.json.gz
	# the longest gap of a stream, in two keys, is the one that the query gives headless, and T shows it
	longest=$("$LANESCOPE" query idle-gaps "$work/nccl.lanes" --format table 2>/dev/null | sed -n 2p | grep -oE '[0-9.]+ (ms|s)' | tail -1)
	shows nccl "v '/Idle gaps, one' Enter Enter" "Idle gaps, one by one" "$longest"
	shows nccl "1" "GPU 0" "3 774"
	# from the longest gap of the device to what the host did in it, by name
	walk 6 nccl "4" "process 0" ">  37.878 ms    15.7 ms"
	walk 6 nccl "4 T" "range 15.7 ms" "what ran here, by name" "aten::narrow" "10.3 ms"
	walk 6 nccl "4 Enter" "nccl > Timeline" "range 15.7 ms"
	longest=$("$LANESCOPE" query idle-gaps "$work/nccl.lanes" --format table 2>/dev/null | grep '^GPU' | head -1 | grep -oE '[0-9.]+ (ms|s)' | tail -1)
	shows nccl "v '/Idle gaps, one' Enter Enter & 'lane ~ GPU' Enter" "$longest"
	shows nccl "v '/Idle gaps, one' Enter Enter & 'lane ~ stream' Enter T" "nccl > Timeline" "stream"
	shows nccl "T" "GPU 0 " "stream 7 " "stream 40"
fi
if [ -d "$LANESCOPE_SHARED/dasf" ]; then
	import_sample gpu1 dasf/gpu1-TracePlugin-c096.msgpack dasf/gpu1-ResourceMonitor-c096.msgpack
	# gpu1.function_bottleneck.csv: its first row
	shows gpu1 "v ':query function-bottleneck' Enter Z" "c096   0        var" "0.229374" "38.5722"
	shows gpu1 "v ':query task-balance' Enter" "rows"
	shows gpu1 "T" "worker-c096-0" "cpu"
	shows gpu1 "; 'SELECT count(*) AS n FROM task' Enter" "1 207"
fi
if [ -d "$LANESCOPE_SHARED/dftracer" ]; then
	import_sample unet dftracer/unet3d_old
	shows unet "v ':query call-counts' Enter" "Calls by function" "read"
	shows unet "T" "unet > Timeline" "POSIX"
	shows unet "; 'SELECT count(*) AS n FROM span' Enter" "89 054"
	# from the lane that ends last to its last call, and to the file of that
	import_sample dist dftracer/dist_v102
	last=$("$LANESCOPE" sql "$work/dist.lanes" "SELECT path FROM span WHERE lane_name = '1075739/2171615' ORDER BY start DESC, id DESC LIMIT 1" | sed -n 2p)
	walk 8 dist "T [" "lanes by last" "> 1075739/2171615"
	walk 8 dist "T [ G ," "dist > Timeline" "close  1075739/2171615  at 6:21.6"
	walk 8 dist "T [ G , Enter" "dist > Span" "name          close" "$last" "duration      1.00 us"
fi
if [ -d "$LANESCOPE_SHARED/preemption" ]; then
	import_sample full preemption/full-64
	# trace_stats.json of full-64: 97 rows, 221.875 s to preemption
	shows full "v ':query preemption-summary' Enter" "97" "3m 42s"
	shows full "T" "Timeline"
	# the lowest capacity names who went: on the row, and as spans
	import_sample p3 preemption/bamboo/p3-trace.csv
	walk 6 p3 "3 l l [" "node172" "node144" "node142 node176"
	walk 6 p3 "3 l l [ S" "node172" "1 of 1 span"
fi
if [ -d "$LANESCOPE_SHARED/dataload" ]; then
	import_sample trials dataload/sample
	walk 4 trials "3" "Block sizes one after the other" "block_size   completion_time [s]   best [s]    gain   low_gains"
	shows trials "v ':query trial-improvement' Enter" "rows"
	shows trials "v ':query trial-means' Enter F" "rows"
fi
finish
