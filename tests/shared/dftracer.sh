#!/bin/sh
# DFTracer traces made by make_pfw.py of the samples: the figures of the studies come out of the saved queries.
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/dftracer
json=$samples/expected/base_pfs_20000_seed7.json
[ -f "$samples/make_pfw.py" ] || skip_all "no make_pfw.py"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which make_pfw.py needs, is not installed"
pfs='*/p/lustre2/haridev/dlio/scr/checkpoints*'
ssd='*/l/ssd/haridev/scr/checkpoints*'

# make RUN OPTION...
make() {
	name=$1
	shift
	python3 "$samples/make_pfw.py" --out "$work/$name" "$@" >"$work/stdout" 2>"$work/stderr" &&
		"$LANESCOPE" import --quiet --name "$name" -o "$work/$name.lanes" "$work/$name" 2>"$work/stderr"
	result $? "$name is made and imported"
}

make base_pfs --events 20000 --seed 7 --mode base_pfs
run=$work/base_pfs.lanes
ask checkpoint.csv checkpoint-time "$run"
check "checkpoint time by process and thread" cell "$work/checkpoint.csv" - time "$json" /checkpoint/time_max_pid_tid_s 1e-9
check "checkpoint calls" cell "$work/checkpoint.csv" - calls "$json" /checkpoint/events
ask checkpoint.csv checkpoint-time "$run" -p by=process
check "checkpoint time by process" cell "$work/checkpoint.csv" - time "$json" /checkpoint/time_max_pid_s 1e-9
ask intervals.csv checkpoint-intervals "$run"
for figure in count:count:1 mean:mean:1e-3 std:std:1e-3 min:min:1e-3 25%:p25:1e-3 50%:median:1e-3 75%:p75:1e-3 max:max:1e-3; do
	rest=${figure#*:}
	check "checkpoint intervals, ${rest%:*}" cell "$work/intervals.csv" - "${rest%:*}" "$json" "/checkpoint/interval_us/${figure%%:*}" \
		"${rest#*:}"
done
ask pfs.csv path-time "$run" -p path="$pfs"
check "time on the parallel file system" cell "$work/pfs.csv" - time "$json" /pfs/time_max_pid_tid_s 1e-9
check "calls on the parallel file system" cell "$work/pfs.csv" - calls "$json" /pfs/events
check "bytes on the parallel file system" cell "$work/pfs.csv" - size "$json" /pfs/size_sum_bytes
ask pfs.csv path-time "$run" -p path="$pfs" -p by=process
check "the same by process" cell "$work/pfs.csv" - time "$json" /pfs/time_max_pid_s 1e-9
ask ssd.csv path-time "$run" -p path="$ssd"
check "time on the local disk" cell "$work/ssd.csv" - time "$json" /ssd/time_max_pid_tid_s 1e-9
ask functions.csv function-time "$run" -p path="$pfs"
check "time by function" table "$work/functions.csv" name 'time*1e-9' "$json" /pfs/per_op_max_pid_s
ask functions.csv function-size "$run" -p path="$pfs"
check "bytes by function" table "$work/functions.csv" name size "$json" /pfs/size_sum_bytes_by_op
ask median.csv size-median "$run" -p path="$pfs"
check "median size by function" table "$work/median.csv" name 'median*9.5367431640625e-07' "$json" /pfs/size_median_mib_by_op
for where in pfs ssd; do
	eval "path=\$$where"
	for name in write read; do
		ask describe.csv size-describe "$run" -p path="$path" -p name="*$name*"
		for figure in mean:mean std:std min:min 25%:p25 50%:median 75%:p75 max:max; do
			[ "$where$name" = pfswrite ] || continue
			check "sizes, $name on $where, ${figure#*:}" cell "$work/describe.csv" "name=$name" "${figure#*:}" "$json" \
				"/$where/${name}_size_describe/${figure%:*}"
		done
		[ "$where$name" = pfswrite ] || check "no sizes of $name on $where" count "$work/describe.csv" 0
	done
done
ask describe.csv size-describe "$run"
for name in read write; do
	for figure in count:count mean:mean std:std min:min 25%:p25 50%:median 75%:p75 max:max; do
		check "sizes, $name, ${figure#*:}" cell "$work/describe.csv" "name=$name" "${figure#*:}" "$json" "/functions/$name/size/${figure%:*}"
	done
done
ask counts.csv call-counts "$run"
for name in __fxstat64 __xstat64 close lseek64 mkdir open64 read write; do
	check "calls of $name" cell "$work/counts.csv" "name=$name" calls "$json" "/functions/$name/count"
	check "time of $name" cell "$work/counts.csv" "name=$name" time "$json" "/functions/$name/dur_us" 1e-3
	check "bytes of $name" cell "$work/counts.csv" "name=$name" size "$json" "/functions/$name/size_bytes"
done
ask sizes.csv size-counts "$run" -p name='*write*' -p path="$pfs" --limit 5
check "the five most frequent sizes" table "$work/sizes.csv" size count "$json" /pfs/top5_write_sizes
ask patterns.csv file-patterns "$run" -p path="$pfs"
for pattern in layer.pt model.pt optimizer.pt scr_megatron_deepspeed_medium; do
	check "kind $pattern, size" cell "$work/patterns.csv" "pattern=$pattern" size "$json" "/pfs/by_name_pattern_max_pid/$pattern/size_gib" \
		9.313225746154785e-10
	check "kind $pattern, time" cell "$work/patterns.csv" "pattern=$pattern" time "$json" "/pfs/by_name_pattern_max_pid/$pattern/dur_s" 1e-9
done
check "four kinds of files" count "$work/patterns.csv" 4
for kind in model layer optimizer filemap; do
	ask counts.csv call-counts "$run" -p path="$pfs" -p file="*$kind*"
	check "calls on $kind files" table "$work/counts.csv" name calls "$json" "/pfs/ops_$kind"
done
for file in model-1-600-0.pt 'layer-*1-600-0.pt' layer-0-1-600-0.pt optimizer-1-400-1.pt; do
	ask counts.csv call-counts "$run" -p path="$pfs" -p file="$file"
	check "calls on $file" table "$work/counts.csv" name calls "$json" "/pfs/one:$file/ops"
	check "time on $file by function" table "$work/counts.csv" name 'time*1e-9' "$json" "/pfs/one:$file/dur_s_by_op"
	ask sizes.csv size-counts "$run" -p path="$pfs" -p file="$file"
	check "sizes on $file" table "$work/sizes.csv" size count "$json" "/pfs/one:$file/sizes"
done
ask writes.csv file-writes "$run" -p path="$pfs" --limit 10
check "the ten slowest files" table "$work/writes.csv" path 'time*1e-3,size' "$json" /pfs/written_files_by_dur_top10
ask writes.csv file-writes "$run" -p path="$pfs" -p file=optimizer-1-400-1.pt
check "writes of one file, bytes" cell "$work/writes.csv" - size "$json" /pfs/one:optimizer-1-400-1.pt/write_bytes
check "writes of one file, time" cell "$work/writes.csv" - time "$json" /pfs/one:optimizer-1-400-1.pt/write_dur_us 1e-3
for window in 30s 1s; do
	ask overlap.csv io-summary "$run" -p window=$window -p method=both
	for figure in compute_s:compute io_s:io app_io_s:app_io unoverlapped_io_s:unoverlapped_io \
		unoverlapped_compute_s:unoverlapped_compute unoverlapped_app_io_s:unoverlapped_app_io \
		unoverlapped_app_compute_s:unoverlapped_app_compute; do
		check "overlap in windows of $window, ${figure#*:}" cell "$work/overlap.csv" method=approximate "${figure#*:}" "$json" \
			"/summary/overlap_$window/${figure%:*}" 1e-9
	done
done
check "total time" cell "$work/overlap.csv" - total "$json" /summary/total_time_s 1e-9
check "processes" cell "$work/overlap.csv" - processes "$json" /summary/processes
check "computing threads" cell "$work/overlap.csv" - threads_compute "$json" /summary/threads_compute
check "threads that do I/O" cell "$work/overlap.csv" - threads_io "$json" /summary/threads_io
check "files" cell "$work/overlap.csv" - files "$json" /summary/files_accessed
check "events" cell "$work/overlap.csv" - events "$json" /input/events
ask cases.csv scr-cases "$run"
check "cases: checkpoint by process and thread" cell "$work/cases.csv" - checkpoint_by_process_thread "$json" /checkpoint/time_max_pid_tid_s 1e-9
check "cases: checkpoint by process" cell "$work/cases.csv" - checkpoint_by_process "$json" /checkpoint/time_max_pid_s 1e-9
check "cases: parallel file system by process" cell "$work/cases.csv" - pfs_by_process "$json" /pfs/time_max_pid_s 1e-9
check "cases: local disk by process" cell "$work/cases.csv" - ssd_by_process "$json" /ssd/time_max_pid_s 1e-9

# The other ways to write checkpoints: what the studies print of them.
# value NAME FILE COLUMN EXPECTED: of the first row
value() {
	printf '{"v": %s}' "$4" >"$work/value.json"
	check "$1" cell "$2" - "$3" "$work/value.json" /v
}
# files of which each file system holds one step or all of them: calls on one model file
make base_ssd --events 20000 --seed 7 --mode base_ssd
run=$work/base_ssd.lanes
ask describe.csv size-describe "$run" -p name='*write*'
value "base on the local disk: 3792 writes" "$work/describe.csv" count 3792
value "base on the local disk: 577.07 GiB" "$work/describe.csv" sum 619626034992
value "base on the local disk: first quartile" "$work/describe.csv" p25 384.0
value "base on the local disk: median" "$work/describe.csv" median 704.0
value "base on the local disk: third quartile" "$work/describe.csv" p75 129761280.0
ask calls.csv file-calls "$run" -p file=model-1-600-0.pt
total=$(sed 1d "$work/calls.csv" | awk -F, '{ s += $3 } END { print s }')
[ "$total" = 7 ]
result $? "base: 7 calls on a model file"
make scr_ssd --events 30000 --seed 7 --mode scr_ssd
ask calls.csv file-calls "$work/scr_ssd.lanes" -p file=model-1-600-0.pt
total=$(sed 1d "$work/calls.csv" | awk -F, '{ s += $3 } END { print s }')
[ "$total" = 13 ]
result $? "SCR: 13 calls on a model file ($total)"
check "SCR: of 7 kinds" count "$work/calls.csv" 7
make scr_pfs --events 70000 --seed 7 --mode scr_pfs
ask flush.csv call-counts "$work/scr_pfs.lanes" -p path="$pfs" -p file='*.pt'
value "flush in 32 MiB: 18864 writes" "$work/flush.csv" calls 18864
make scr_pfs_max --events 30000 --seed 7 --mode scr_pfs --flush-buffer 1875123200
ask flush.csv call-counts "$work/scr_pfs_max.lanes" -p path="$pfs" -p file='*.pt'
value "flush in one piece: 1008 writes" "$work/flush.csv" calls 1008
"$LANESCOPE" query scr-cases --wide "$work"/*.lanes --format csv >"$work/wide.csv" 2>"$work/stderr"
check "all cases side by side" count "$work/wide.csv" 23
grep -q 'the runs differ' "$work/stderr"
result $? "differences between the runs are said"
finish
