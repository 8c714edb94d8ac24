#!/bin/sh
# Explain on samples: every part that adds up does so on all pairs of runs, stages are those of the task summary, and the I/O parts
# give the figures of the generator of checkpoint traces.
. "$(dirname "$0")/lib.sh"

explain() { # FILE ARGUMENT...: CSV in $work/FILE
	explain_file=$1
	shift
	"$LANESCOPE" explain "$@" --format csv -o "$work/$explain_file" 2>"$work/stderr" || {
		sed 's/^/# /' "$work/stderr"
		: >"$work/$explain_file"
		return 1
	}
}

# Rows of each part of a summary (part,row,a,b,delta,share) against its sum; texts hold no line ends. Parts 1 to 4 must have the
# makespan's difference. Deltas are below 2^53, so that awk's numbers hold them.
adds_up() {
	awk -F, -v parts="$2" '
		function fail(why) { print "# " why; failed = 1 }
		NR > 1 {
			delta = $(NF - 1)
			row = $2
			for (i = 3; i < NF - 3; i++) row = row "," $i
			if ($1 == "makespan") makespan = delta
			else if (row == "sum") { # the last one; a kind of task may be called so too
				if ($1 in sums) added[$1] += sums[$1]
				sums[$1] = delta
			}
			else { added[$1] += delta; n[$1]++ }
		}
		END {
			if (NR < 3) fail("no rows")
			for (part in sums) if (added[part] != sums[part]) fail(part ": " added[part] " is not " sums[part])
			for (part in n) if (!(part in sums)) fail(part " has no sum")
			count = split(parts, wanted, " ")
			for (i = 1; i <= count; i++) {
				if (!(wanted[i] in sums)) fail(wanted[i] " is missing")
				else if (sums[wanted[i]] != makespan) fail(wanted[i] ": " sums[wanted[i]] " is not the makespan " makespan)
			}
			exit failed
		}' "$1"
}

runs=
samples=$LANESCOPE_SHARED/cascade
if [ -d "$samples" ]; then
	for file in f1.jsonl f4.jsonl m1_4.jsonl m2_2.jsonl m4_1.jsonl m2_2.run2.jsonl m2_2.log defects.jsonl; do
		"$LANESCOPE" import --quiet -o "$work/$file.lanes" "$samples/$file"
		runs="$runs $file"
	done
fi
for host in cpu gpu1 gpu4; do
	if [ -d "$LANESCOPE_SHARED/dasf" ]; then
		"$LANESCOPE" import --quiet -o "$work/$host.lanes" "$LANESCOPE_SHARED/dasf/$host"-*.msgpack
		runs="$runs $host"
	fi
done
for a in $runs; do
	for b in $runs; do
		explain summary.csv "$work/$a.lanes" "$work/$b.lanes" --part all && adds_up "$work/summary.csv" "sharing area area-effects path replay"
		result $? "$a > $b: all parts add up"
	done
done

# Runs of spans, with flows or without: each against the next one.
before=
for file in pytorch-control.json.gz pytorch-nccl.json.gz tensorflow-timeline.json ray-timeline.json catapult-flow_simple.json \
	bazel-local-jobs-4.json.gz viztracer-multithread.json devtools-chrome116.json small-out-of-order.json clang-skiahelper.json; do
	[ -f "$LANESCOPE_SHARED/chrome/$file" ] || continue
	"$LANESCOPE" import --quiet -o "$work/$file.lanes" "$LANESCOPE_SHARED/chrome/$file"
	if [ -n "$before" ]; then
		explain summary.csv "$work/$before.lanes" "$work/$file.lanes" --part all && adds_up "$work/summary.csv" "sharing area area-effects path"
		result $? "$before > $file: all parts add up"
	fi
	before=$file
done

# A path's pieces follow one another from the first to the last instant of the makespan.
for run in $runs $before; do
	explain steps.csv "$work/$run.lanes" "$work/$run.lanes" --part path-steps
	explain path.csv "$work/$run.lanes" "$work/$run.lanes" --part path
	awk -F, -v run="$run" 'NR == FNR { if ($1 == "sum") makespan = $(NF - 2); next }
		FNR > 1 { if (n++ && $1 != at) { print "# a gap at " at; failed = 1 } at = $2; sum += $3 }
		END { if (sum != makespan) print "# " sum " is not " makespan; exit failed || sum != makespan }' "$work/path.csv" "$work/steps.csv"
	result $? "$run: the path is in one piece"
done

# The task summary's totals, where both runs are of the first generation and every task ended.
if [ -d "$samples" ]; then
	for pair in f1:f4 m4_1:m1_4 f4:m2_2; do
		a=${pair%:*} b=${pair#*:}
		explain stages.csv "$work/$a.jsonl.lanes" "$work/$b.jsonl.lanes" --part stages -p by=stage
		"$LANESCOPE" query task-summary "$work/$a.jsonl.lanes" "$work/$b.jsonl.lanes" --wide --format csv >"$work/wide.csv" 2>"$work/stderr"
		awk -F, 'NR == FNR { a[$1] = $2; b[$1] = $3; next }
			$2 == "sum" && $1 in name { n++; if (a[name[$1]] != $3 || b[name[$1]] != $4) { print "# " $0; failed = 1 } }
			BEGIN { split("total sum comm_delay communication queue_delay queue run_time run", names, " ")
				for (i = 1; i < 9; i += 2) name[names[i]] = names[i + 1] }
			END { exit failed || n != 4 }' "$work/stages.csv" "$work/wide.csv"
		result $? "$a > $b: stages are those of task-summary"
	done
fi

# Checkpoints by three ways of writing them.
generator=$LANESCOPE_SHARED/dftracer/make_pfw.py
if ! command -v python3 >/dev/null 2>&1 || [ ! -f "$generator" ]; then
	skip "I/O parts" "no python3 or no generator"
	finish
fi
for mode in base_pfs base_ssd scr_ssd scr_pfs; do
	python3 "$generator" --out "$work/$mode" --events 20000 --seed 7 --mode $mode >/dev/null 2>&1
	"$LANESCOPE" import --quiet -o "$work/$mode.lanes" "$work/$mode"/*.pfw.gz
done
for pair in base_ssd:scr_ssd base_ssd:scr_pfs base_pfs:scr_pfs scr_ssd:scr_pfs; do
	a=${pair%:*} b=${pair#*:}
	for by in class,operation,size rank class,operation,size,rank,thread,pattern file; do
		explain io.csv "$work/$a.lanes" "$work/$b.lanes" --part io -p by=$by -p fold=0
		[ -s "$work/io.csv" ] && awk -F, '/^residual/ { residual = $(NF - 1); a = $(NF - 3) } /^sum/ { sum = $(NF - 1) } !/^sum/ && NR > 1 { added += $(NF - 1) }
			END { exit !(sum == added && residual == 0 && a == 0) }' "$work/io.csv"
		result $? "$a > $b: io by $by adds up"
	done
done

# cell FILE CONDITION COLUMN: values of a column in the rows where others are as "name=value name=value" says
cell() {
	awk -F, -v condition="$2" -v wanted="$3" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(condition, parts, ";"); next }
		{ ok = 1; for (i = 1; i <= n; i++) { split(parts[i], kv, "="); if ($at[kv[1]] != kv[2]) ok = 0 } if (ok) print $at[wanted] }' "$1"
}
is() { # NAME WANTED GOT
	[ "$2" = "$3" ]
	same=$?
	[ $same -eq 0 ] || echo "# wanted $2, got $3"
	result $same "$1"
}

# Classes of paths are names: pfs is the parallel file system, ssd the local disk.
# 7 calls of 5 kinds on a model file, 13 of 7 with SCR: 4 __xstat and 2 access more; 96 such files.
explain calls.csv "$work/base_ssd.lanes" "$work/scr_ssd.lanes" --part io-calls -p by=pattern,operation
is "a model file has 4 more calls of __xstat" 384 "$(cell "$work/calls.csv" "pattern=model-#-#-#.pt;operation=__xstat" extra)"
is "a model file has 2 more calls of access" 192 "$(cell "$work/calls.csv" "pattern=model-#-#-#.pt;operation=access" extra)"
is "other calls on model files are as many" "" "$(cell "$work/calls.csv" "pattern=model-#-#-#.pt;operation=write" extra)"
is "control files are extra" SCRPyTorchCheckpointing.checkpoint "$(cell "$work/calls.csv" "pattern=filemap_#;operation=read" parent)"
explain calls.csv "$work/scr_ssd.lanes" "$work/base_ssd.lanes" --part io-calls -p by=pattern,operation
is "the other way round they are missing" -384 "$(cell "$work/calls.csv" "pattern=model-#-#-#.pt;operation=__xstat" extra)"
explain calls.csv "$work/scr_ssd.lanes" "$work/scr_pfs.lanes" --part io-calls -p by=class,operation
is "18864 writes of the flush and its 18 of control files" 18882 "$(cell "$work/calls.csv" "class=pfs;operation=write" extra)"

explain bandwidth.csv "$work/base_ssd.lanes" "$work/scr_pfs.lanes" --part io-bandwidth
is "577.07 GiB are written to the disk" 619626034992 "$(cell "$work/bandwidth.csv" "class=ssd;operation=write;while=any" size_a)"
cell "$work/bandwidth.csv" "class=ssd;operation=read;while=any" size_b |
	awk '{ more = $1 - 619626034992 } END { exit !(NR == 1 && more >= 0 && more < 100000) }'
result $? "and read by the flush, beside a few control files"
awk -F, '$1 == "ssd" && $2 == "write" { size[$3] = $9; busy[$3] = $7 }
	END { rest = size["any"] - size["alone"] - size["with pfs"]
		exit !(busy["any"] == busy["alone"] + busy["with pfs"] && rest >= 0 && rest < 20000 && size["with pfs"] > 0) }' "$work/bandwidth.csv"
result $? "writes to the disk are alone or beside the flush"

explain files.csv "$work/base_ssd.lanes" "$work/scr_ssd.lanes" --part io-files
ask spans.csv file-spans "$work/base_ssd.lanes" -p 'file=optimizer-1-400-1.pt'
file=$(grep 'optimizer-1-400-1\.pt,' "$work/files.csv")
is "a file's calls are those of file-spans" "$(sed 1d "$work/spans.csv" | grep -c .)" "$(echo "$file" | cut -d, -f2)"
echo "$file" | awk -F, '{ exit !($4 < $6 && $8 > 0 && $6 - $4 == $8 + $10) }'
result $? "from first to last it is busy or not"

explain overlap.csv "$work/base_ssd.lanes" "$work/scr_pfs.lanes" --part io-overlap
for method in exact approximate; do
	for measure in io compute unoverlapped_io unoverlapped_compute; do
		ask summary.csv io-summary "$work/scr_pfs.lanes" -p method=$method
		is "$method $measure is that of io-summary" "$(cell "$work/summary.csv" "method=$method" $measure)" \
			"$(awk -F, -v m=$method -v x=$measure '$1 == m && $2 == x { print $4 }' "$work/overlap.csv")"
	done
done
finish
