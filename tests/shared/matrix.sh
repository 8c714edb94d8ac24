#!/bin/sh
# Every view of the explorer over the samples of every format, on a small and on a large screen, with Unicode and ASCII glyphs: what stands there are
# the figures of the expected results, read from their files, or the words for what a run has not.
. "$(dirname "$0")/lib.sh"

# What every run answers in the same way: help, and an error of the SQL prompt.
the_same() {
	everywhere "$1" "?" "In this view" "Everywhere"
	REFUSED=2
	everywhere "$1" "; 'SELECT speed FROM run' Enter" "no such column: speed"
	everywhere "$1" "':nonsense' Enter" "nonsense"
	REFUSED=0
}

if [ -d "$LANESCOPE_SHARED/cascade" ]; then
	import_sample f1 cascade/f1.jsonl
	import_sample f4 cascade/f4.jsonl
	import_sample defects cascade/defects.jsonl
	expected=cascade/expected/f1.summary.json
	queue=$(duration "$(value $expected /tasks/queueDelay/sum)")
	communication=$(duration "$(value $expected /tasks/commDelay/sum)")
	tasks=$(value $expected /tasks/count)
	tasks4=$LANESCOPE_SHARED/cascade/expected/f4.tasks.csv
	everywhere "f1 f4" "Home" "A f1" "B f4" "$(value $expected /rows)" "$(value cascade/expected/f4.summary.json /rows)"
	everywhere f1 "" "$tasks tasks" "$queue" "$communication"
	everywhere f1 v "$(value $expected /rows) records" task-by-kind
	everywhere f1 "v ':query task-summary' Enter" "queue" "$queue"
	everywhere f1 "v ':query task-summary' Enter '&stage = comm_delay' Enter" "$communication" "filter"
	everywhere f1 "v ':query task-times' Enter ':sort -total' Enter" "$tasks rows" "sort -total"
	everywhere f1 "v ':query task-times' Enter F" "values of"
	everywhere f1 "S \\ '&category = \"task\"' Enter" "$(duration "$(value $expected /tasks/runtime)")" "of $tasks spans"
	row=$(sed -n 2p "$tasks4")
	name=${row%%,*}
	run=$(field 10 "$row")
	everywhere f4 "S \\ '&name = \"$name\"' Enter Enter" "$run ns" "$(duration "$run")" "$(field 2 "$row")"
	everywhere "f4 f1" "T '/${name%??????????????????????????????????????????????????}' Enter" "lasts $(duration "$run")" "queue $(duration "$(field 9 "$row")")"
	everywhere f4 "T o" "worker0" "worker3"
	length=$(awk -F, 'NR > 1 { if (!a || $(NF - 6) < a) a = $(NF - 6); if ($(NF - 7) > b) b = $(NF - 7) } END { printf "%.0f", b - a }' "$tasks4")
	everywhere f4 T "of $(duration "$length")"
	everywhere "f1 f4" '|' "f1 | f4 > Timeline" "B   worker3" "a run ends"
	compared=$LANESCOPE_SHARED/cascade/expected/compare_f1_f4.csv
	row=$(sed -n 2p "$compared")
	everywhere "f1 f4" "D '/life' Enter Enter '&task = \"${row%%,*}\"' Enter" "1 of $tasks rows" "$(duration "$(field 2 "$row")")" \
		"$(duration "$(field 3 "$row")")" "$(duration "$(field 4 "$row")")"
	row=$(awk -F, '/^efi:/ { a += $2; b += $3; d += $4 } END { printf "%.0f,%.0f,%.0f", a, b, d }' "$compared")
	everywhere "f1 f4" "D Enter" "$(duration "$(field 1 "$row")")" "$(duration "$(field 2 "$row")")" "$(duration "$(field 3 "$row")")"
	everywhere "f1 f4" "D Enter =" "f1 > Task life cycles" "$(grep -c '^efi:' "$tasks4") rows"
	everywhere "f1 f4" "X G Enter j Enter" "$queue" "communication" "$communication"
	everywhere defects "" "$(value cascade/expected/defects.summary.json /transmits/count) transfers"
	everywhere defects "v ':query task-incomplete' Enter" "1 row" "finished"
	everywhere f1 ^P "no problems" "0 rows"
	everywhere f1 "; 'SELECT count(*) AS n FROM task' Enter" "$tasks"
	the_same f1
fi
if [ -d "$LANESCOPE_SHARED/chrome" ]; then
	import_sample nccl chrome/pytorch-nccl.json.gz
	import_sample control chrome/pytorch-control.json.gz
	import_sample truncated chrome/small-not-enough-end-events.json
	expected=chrome/expected/pytorch-nccl.json.gz.facts.json
	other=chrome/expected/pytorch-control.json.gz.facts.json
	spans=$(count "$(value $expected /slices)")
	# The longest span only wraps the recording: a span like others, but not among the names that took the time.
	wrapper=$(value $expected /top/0/name)
	name=$(value $expected /top/2/name)
	step=$(value $expected /top/4/name)
	total=$(duration "$(value $expected /top/0/total_ns)")
	length=$(($(value $expected /end_ns) - $(value $expected /begin_ns)))
	everywhere "nccl control" "Home" "A nccl" "B control" "$(count "$(value $expected /events)")" "$(duration $length)"
	everywhere nccl "" "$spans spans" "$name"
	everywhere nccl v "$(count "$(value $expected /events)") records" gpu-busy
	everywhere nccl "v ':query span-totals' Enter" "> $name"
	everywhere nccl "v ':query span-totals' Enter '&name = \"$(value $expected /top/7/name)\"' Enter" "$(value $expected /top/7/count)" \
		"$(duration "$(value $expected /top/7/total_ns)")"
	everywhere nccl "v ':query span-totals' Enter ':sort -time' Enter" "> $name" "sort -time"
	everywhere nccl "v ':query span-totals' Enter F" "values of name" "$(($(value $expected /names) - 1)) rows"
	everywhere nccl "S \\" "of $spans spans"
	everywhere nccl "S \\ '&name = \"$wrapper\"' Enter Enter" "$(value $expected /top/0/max_ns) ns"
	everywhere nccl "T '/$wrapper' Enter" "lasts $total"
	everywhere nccl "T o" "stream 40" "of $(duration $length)"
	everywhere "nccl control" '|' "nccl | control > Timeline" "from start" "a run ends"
	everywhere "nccl control" "D '/by name' Enter Enter '&name = \"$step\"' Enter" "$(value $expected /top/4/count)" "1 of"
	everywhere "nccl control" "X G Enter '/Time of matched' Enter Enter" "$name" "only in A"
	everywhere "nccl control" "D '/by name' Enter Enter '&name = \"$(value $expected /top/7/name)\"' Enter l l l l l l l l" \
		"$(value $expected /top/7/count)" "$(duration "$(value $expected /top/7/total_ns)")"
	everywhere "nccl control" "D '/by name' Enter Enter '&name = \"$(value $expected /top/7/name)\"' Enter Enter" "nccl > Spans" "of $(value $expected /top/7/count) spans"
	everywhere truncated ^P "begin" "1 row"
	everywhere nccl ^P "no problems"
	everywhere nccl "; 'SELECT count(*) AS n FROM span' Enter" "$spans"
	everywhere control "; 'SELECT count(*) AS n FROM span' Enter" "$(count "$(value $other /slices)")"
	the_same nccl
	# what other producers write (their facts count slices, so those that also write asynchronous spans are left out)
	for sample in bazel-local-jobs-4.json.gz clang-11-small.json ray-timeline.json tensorflow-timeline.json \
		viztracer-multithread.json; do
		run=${sample%%.*}
		expected=chrome/expected/$sample.facts.json
		import_sample "$run" "chrome/$sample"
		on 80x24 "" "$run" "S \\" "of $(count "$(value $expected /slices)") spans"
		on 80x24 "" "$run" "S \\ '&name = \"$(value $expected /top/0/name)\"' Enter" "total $(duration "$(value $expected /top/0/total_ns)")"
		on 80x24 "" "$run" T "of $(duration $(($(value $expected /end_ns) - $(value $expected /begin_ns))))"
	done
	on 80x24 "" bazel-local-jobs-4 "" "34 more threads"
	everywhere "bazel-local-jobs-4 clang-11-small" '|' "bazel-local-jobs-4 | clang" "> Timeline" "from start"
fi
if [ -d "$LANESCOPE_SHARED/dftracer" ] && python3 -c 'import gzip' 2>"$work/stderr"; then
	for mode in base_pfs:7 scr_pfs:8; do
		python3 "$LANESCOPE_SHARED/dftracer/make_pfw.py" --out "$work/pfw" --events 20000 --seed "${mode#*:}" --mode "${mode%:*}" \
			>"$work/stdout" 2>"$work/stderr"
		"$LANESCOPE" import --quiet --name "${mode%:*}" -o "$work/${mode%:*}.lanes" "$work"/pfw/*.pfw.gz 2>"$work/stderr"
		result $? "${mode%:*} is made and imported"
		rm -rf "$work/pfw"
	done
	expected=dftracer/expected/base_pfs_20000_seed7.json
	events=$(count "$(value $expected /input/events)")
	everywhere "base_pfs scr_pfs" "Home" "A base_pfs" "B scr_pfs" "$events"
	everywhere base_pfs "" "$events spans" "corona171" "16 threads"
	everywhere base_pfs v "$events records" checkpoint-time
	everywhere base_pfs "v ':query checkpoint-time' Enter" "$(seconds "$(value $expected /checkpoint/time_max_pid_tid_s)")" "$(value $expected /checkpoint/events)"
	everywhere base_pfs "v ':query call-counts' Enter '&name = \"lseek64\"' Enter" "$(count "$(value $expected /functions/lseek64/count)")"
	everywhere base_pfs "v Enter p 'method=approximate' Enter" "$(seconds "$(value $expected /summary/overlap_30s/compute_s)")" \
		"$(seconds "$(value $expected /summary/overlap_30s/unoverlapped_app_io_s)")" "$(value $expected /summary/files_accessed)"
	everywhere base_pfs "v ':query call-counts' Enter ':sort calls' Enter" "> __xstat64" "sort calls" "$(value $expected /functions/__xstat64/count)"
	everywhere base_pfs "v ':query call-counts' Enter '&calls = $(value $expected /functions/close/count)' Enter l F" "values of calls" "$(value $expected /functions/close/count)" "100.0 %"
	everywhere base_pfs "S \\ '&name = \"close\"' Enter" "of $(value $expected /functions/close/count) spans" \
		"total $(duration "$(value $expected /functions/close/dur_us)000")"
	everywhere base_pfs "S \\ '&name = \"close\"' Enter Enter" "of its name" "$(value $expected /functions/close/count): "
	everywhere base_pfs "T o" "corona171"
	everywhere "base_pfs scr_pfs" "T '/close' Enter" "close  " "lasts "
	everywhere base_pfs T "of $(seconds "$(value $expected /summary/total_time_s)")" "$(value $expected /summary/hosts/0)"
	everywhere "base_pfs scr_pfs" '|' "base_pfs | scr_pfs > Timeline" "corona171" "a run ends"
	everywhere "base_pfs scr_pfs" "D '/Checkpoint time' Enter Enter" "$(seconds "$(value $expected /checkpoint/time_max_pid_tid_s)")"
	posix=0
	for call in __fxstat64 __xstat64 close lseek64 mkdir open64 read write; do
		posix=$((posix + $(value $expected /functions/$call/dur_us)))
	done
	everywhere "base_pfs scr_pfs" "X G Enter '/Time of input' Enter Enter" "$(duration ${posix}000)" "100.0 %"
	everywhere base_pfs ^P "no problems"
	everywhere base_pfs "; 'SELECT count(*) AS n FROM span' Enter" "$events"
	the_same base_pfs
else
	skip "views of dftracer" "no samples, or no python3 to make them"
fi
if [ -d "$LANESCOPE_SHARED/dasf" ]; then
	import_sample gpu1 dasf/gpu1-TracePlugin-c096.msgpack dasf/gpu1-ResourceMonitor-c096.msgpack
	import_sample gpu4 dasf/gpu4-TracePlugin-c096.msgpack dasf/gpu4-ResourceMonitor-c096.msgpack
	import_sample truncated_body dasf/edge-truncated-body.msgpack
	functions=$LANESCOPE_SHARED/dasf/expected/gpu1.function_bottleneck.csv
	first=$(sed -n 2p "$functions")
	took=$(real "$(field 5 "$first")")
	calls=$(field 11 "$first")
	took4=$(real "$(awk -F, '$2 == "c096" && $3 == 0 && $4 == "var" { print $5 }' "$LANESCOPE_SHARED/dasf/expected/gpu4.function_bottleneck.csv")")
	tasks=$(($(wc -l <"$LANESCOPE_SHARED/dasf/expected/gpu1.task_bottleneck.csv") - 1))
	balance=$(sed -n 2p "$LANESCOPE_SHARED/dasf/expected/gpu1.task_balance.csv")
	everywhere "gpu1 gpu4" "Home" "A gpu1" "B gpu4" "2 976" "21 920"
	everywhere gpu1 "" "1 207 tasks" "worker-c096-3" "var"
	everywhere gpu1 "v ':query task-bottleneck' Enter" "$tasks rows"
	everywhere gpu1 v "2 976 records" function-bottleneck
	everywhere gpu1 "v ':query function-bottleneck' Enter ':param names=recorded' Enter" "$took" "$(real "$(field 6 "$first")")" "$(($(wc -l <"$functions") - 1)) rows"
	everywhere gpu1 "v ':query function-bottleneck' Enter ':param names=recorded' Enter '&worker = 3' Enter" "$(real "$(field 5 "$(sed -n 3p "$functions")")")"
	everywhere gpu1 "v ':query function-bottleneck' Enter ':param names=recorded' Enter '&function = \"var\"' Enter Z h F" "values of host" "c096" "$(grep -c ,var, "$functions")"
	everywhere gpu1 "v ':query task-balance' Enter" "worker-c096-0      $(field 3 "$balance")"
	everywhere gpu1 "S \\ '&name = \"var\"' Enter '&lane_name = \"worker-c096-0\"' Enter" "of $calls spans" "total $(seconds "$(field 5 "$first")")"
	everywhere gpu1 "S \\ '&name = \"var\"' Enter Enter" "var" "duration"
	everywhere gpu1 "T" "worker-c096-0" "cpu"
	everywhere gpu1 "T o" "worker-c096-3"
	everywhere "gpu1 gpu4" '|' "B   worker-c096-0" "a run ends"
	everywhere "gpu1 gpu4" "D Enter '&worker = 0' Enter '&function = \"var\"' Enter" "$took" "$took4"
	on 200x50 "" "gpu1 gpu4" "D Enter" "only_in" "gpu4"
	everywhere gpu1 "v ':query function-bottleneck' Enter ':param names=recorded' Enter ':sort duration_s' Enter" "sort duration_s" "$(real "$(awk -F, 'NR > 1 { print $5 }' "$functions" | sort -g | head -n 1)")"
	everywhere "gpu1 gpu4" "X G Enter j Enter" "100.0 %" "$(seconds "$(awk -F, '$4 == "var" { s += $5 } END { printf "%.9f", s }' "$functions")")"
	import_sample cpu dasf/cpu-TracePlugin-c096.msgpack dasf/cpu-ResourceMonitor-c096.msgpack
	everywhere cpu "v ':query task-balance' Enter" "worker-c096-3       $(sed -n 2p "$LANESCOPE_SHARED/dasf/expected/cpu.task_balance.csv" | cut -d, -f6)"
	everywhere truncated_body ^P "2 rows" "truncated"
	everywhere gpu1 ^P "no problems"
	everywhere gpu1 "; 'SELECT count(*) AS n FROM task' Enter" "1 207"
	the_same gpu1
fi
if [ -d "$LANESCOPE_SHARED/preemption" ]; then
	import_sample full-64 preemption/full-64
	import_sample run-86 preemption/run-86
	expected=preemption/expected/trace_stats.json
	accounting=preemption/expected/run86_accounting.json
	mean=$(value $expected /count_mean_time_weighted | awk '{ printf "%.4g", $1 }')
	most=$(value $expected /count_max)
	everywhere "full-64 run-86" "Home" "A full-64" "B run-86" "preemption"
	everywhere full-64 "" "$mean on average, $most at most" "6 problems"
	everywhere full-64 v "preemption-summary" "6 problems"
	everywhere full-64 "v ':query preemption-summary' Enter" "$(seconds "$(value $expected /mttp_s)")"
	everywhere full-64 "v ':query preemption-changes' Enter '&change = termination' Enter" "$(value $expected /terminate_rows) of "
	everywhere full-64 "v ':query preemption-changes' Enter Z l l l l F" "values of change" "termination     $(value $expected /terminate_rows)" \
		"addition        $(value $expected /additions_rows)"
	on 80x24 "" run-86 "" "…InServiceInstances" "…TotalInstances" "2 problems"
	everywhere run-86 "v ':query preemption-accounting' Enter" "$(seconds "$(value $accounting /reconfig_s)")"
	everywhere run-86 "v ':query preemption-rollbacks' Enter" "$(value $accounting /rollbacks) rows" "$(value $accounting /rollback_list/0/0)"
	everywhere full-64 S "this run has no spans"
	everywhere run-86 "S \\ G" "1 360 spans" "move-to-cpu"
	everywhere run-86 "S \\ '&name = \"reconfiguration\"' Enter '&lane_name = \"job (dt_reconfig)\"' Enter" \
		"of $(value $accounting /reconfigurations) spans" "total $(seconds "$(value $accounting /reconfig_s)")"
	everywhere run-86 "S \\ '&name = \"reconfiguration\"' Enter Enter" "of its name   $(($(value $accounting /reconfigurations) * 2)): "
	everywhere run-86 "T '/reconfiguration' Enter" "reconfiguration  job (dt_reconfig)" "lasts "
	everywhere full-64 T "of 5h 55m" "nodes full-64" "$most"
	everywhere run-86 "T o" "rank 0"
	everywhere "full-64 run-86" '|' "full-64 | run-86 > Timeline" "from start"
	everywhere full-64 "v ':query preemption-changes' Enter ':sort -nodes' Enter" "sort -nodes" "sort -nodes"
	everywhere "full-64 run-86" "D Enter" "full-64" "$(seconds "$(value $expected /mttp_s)")"
	everywhere "full-64 run-86" X "full-64 has no spans" "Evidence"
	everywhere full-64 ^P "6 rows" "suspicious"
	everywhere full-64 "^P j j Enter" "the time is earlier than the row before" "record   54" "offset   1214" "2021-07-26T00:00:00Z"
	everywhere full-64 "v Enter" "$(seconds "$(value $expected /mttp_s)")" "$(value $expected /total_preemptions)" \
		"$(real "$(value $expected /preemptions_per_minute)")" "$(real "$(value $expected /chance_preempt_per_minute)")"
	everywhere full-64 "; 'SELECT max(nodes) AS n FROM capacity' Enter" "$most"
	the_same full-64
fi
if [ -d "$LANESCOPE_SHARED/dataload" ]; then
	import_sample sample dataload/sample
	import_sample real dataload/real
	expected=dataload/expected/sample_librispeech_remote.json
	other=dataload/expected/real_librispeech_remote.json
	everywhere "sample real" "Home" "A sample" "B real" "28 100"
	everywhere sample "" "38 trials" "processing_time"
	everywhere sample v "28 100 records" trial-improvement
	figures="v ':query trial-figures' Enter '&trial = \"$(value $expected /directories/0/dir)\"' Enter"
	everywhere sample "$figures Z l l l l l l l l l l" "1 of" "$(real "$(value $expected /directories/0/load_time)")"
	everywhere sample "$figures Z l l l l l l l l l l l l l" "$(real "$(value $expected /directories/0/completion_time)")" \
		"$(real "$(value $expected /directories/0/throughput)")"
	everywhere sample "$figures Enter" "Samples of the trials" "5 rows"
	on 200x50 "" sample "$figures Enter" "$(value $expected /directories/0/dir)" "$(real "$(value $expected /directories/0/io_time)")" \
		"$(real "$(value $expected /directories/0/compute_time)")"
	everywhere sample "v ':query trial-improvement' Enter '&measure = throughput' Enter l l l l l l l l" \
		"$(real "$(value $expected /improvement_percent/0)")" "$(real "$(value $expected /improvement_percent/4)")"
	everywhere sample "v ':query trial-means' Enter F" "values of kind" "ours           $(value $expected /ours_n)"
	everywhere sample S "this run has no spans"
	everywhere sample T "this run has nothing to draw"
	everywhere "sample real" '|' "these runs have nothing to draw"
	everywhere "sample real" "D Enter '&measure = throughput' Enter l l l l l l" "sample | real" "$(real "$(value $expected /baseline1/0/throughput)")" \
		"$(real "$(value $other /baseline1/0/throughput)")"
	everywhere "sample real" X "neither run has spans"
	everywhere sample ^P "no problems"
	everywhere sample "; 'SELECT count(*) AS n FROM trial' Enter" "38"
	the_same sample
fi
finish
