#!/bin/sh
# Cascade samples: every figure of their expected results comes out of the saved queries.
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/cascade
expected=$samples/expected
[ -d "$expected" ] || skip_all "no cascade samples"

times='task=task worker=worker Enqueued=enqueued Finished=finished Planned=planned Started=started total=total
	commDelay=comm_delay queueDelay=queue_delay runtimes=run_time onWorker=on_worker'
transfers='dataset=dataset worker=target mode=mode Finished=finished Loaded=loaded Planned=planned Started=started total=total
	commDelay=comm_delay loadDelay=load_delay transmitDelay=transmit_delay'

for name in f1 f4 m1_4 m2_2 m4_1 defects; do
	"$LANESCOPE" import --quiet -o "$work/$name.lanes" "$samples/$name.jsonl"
	result $? "$name is imported"
	run=$work/$name.lanes
	json=$expected/$name.summary.json
	ask tasks.csv task-times "$run"
	# shellcheck disable=SC2086 # lists of words
	check "$name: task times" rows "$work/tasks.csv" "$expected/$name.tasks.csv" $times
	ask transfers.csv transfer-times "$run"
	if [ -s "$expected/$name.transmits.csv" ]; then
		# shellcheck disable=SC2086
		check "$name: transfer times" rows "$work/transfers.csv" "$expected/$name.transmits.csv" $transfers
	else
		check "$name: no transfers" count "$work/transfers.csv" 0
	fi
	ask summary.csv task-summary "$run"
	for figure in total:total/sum commDelay/sum:comm_delay/sum commDelay/mean:comm_delay/mean commDelay/max:comm_delay/max \
		queueDelay/sum:queue_delay/sum queueDelay/mean:queue_delay/mean queueDelay/max:queue_delay/max runtime:run_time/sum; do
		to=${figure#*:}
		check "$name: tasks, $to" cell "$work/summary.csv" "stage=${to%/*}" "${to#*/}" "$json" "/tasks/${figure%:*}"
	done
	ask workers.csv task-by-worker "$run"
	for worker in $(cut -d, -f1 "$work/workers.csv" | sed 1d); do
		check "$name: $worker, sum" cell "$work/workers.csv" "worker=$worker" on_worker_sum "$json" "/tasks/perWorker/$worker/sum"
		check "$name: $worker, mean" cell "$work/workers.csv" "worker=$worker" on_worker_mean "$json" "/tasks/perWorker/$worker/mean"
	done
	ask summary.csv transfer-summary "$run"
	for figure in total:total/sum commDelay/sum:comm_delay/sum commDelay/mean:comm_delay/mean commDelay/max:comm_delay/max \
		loadDelayRemote/sum:load_delay/sum loadDelayRemote/mean:load_delay/mean loadDelayRemote/max:load_delay/max \
		transmitDelayRemote/sum:transmit_delay/sum transmitDelayRemote/mean:transmit_delay/mean \
		transmitDelayRemote/max:transmit_delay/max; do
		to=${figure#*:}
		check "$name: transfers, $to" cell "$work/summary.csv" "stage=${to%/*}" "${to#*/}" "$json" "/transmits/${figure%:*}"
	done
	ask modes.csv transfer-by-mode "$run"
	check "$name: count by mode" table "$work/modes.csv" mode count "$json" /transmits/modeCounts
	check "$name: total by mode" table "$work/modes.csv" mode total "$json" /transmits/perModeTotal
	ask datasets.csv transfer-by-dataset "$run"
	check "$name: count by data set" table "$work/datasets.csv" dataset count "$json" /transmits/datasetCounts
done

"$LANESCOPE" diff task-times "$work/f1.lanes" "$work/f4.lanes" --measure total --rel-to b --sort total_rel --format csv -o "$work/diff.csv" 2>/dev/null
check "compare f1 and f4" rows "$work/diff.csv" "$expected/compare_f1_f4.csv" task=task total1=total_a total4=total_b dif=total_delta rel=total_rel
"$LANESCOPE" diff task-times "$work/f1.lanes" "$work/f4.lanes" --key task --measure total --rel-to b --sort total_rel --format csv 2>/dev/null |
	cmp -s - "$work/diff.csv"
result $? "the same with --key task"

"$LANESCOPE" import --quiet -o "$work/run2.lanes" "$samples/m2_2.run2.jsonl"
result $? "generation 2 is imported"
ask tasks.csv task-times "$work/run2.lanes"
check "generation 2: tasks" count "$work/tasks.csv" 135
ask controller.csv controller-summary "$work/run2.lanes"
reports=$(grep -c controllerReport "$samples/m2_2.run2.jsonl")
[ "$(sed -n 2p "$work/controller.csv" | cut -d, -f1)" = "$reports" ]
result $? "generation 2: $reports iterations"
for field in actDuration:act waitDuration:wait; do
	sum=$(sed -n "s/.*\"${field%:*}\": \"\\([0-9]*\\)\".*/\\1/p" "$samples/m2_2.run2.jsonl" | awk '{ s += $1 } END { printf "%.0f", s }')
	ask phases.csv controller-phases "$work/run2.lanes"
	[ "$(sed -n "s/^${field#*:},//p" "$work/phases.csv" | cut -d, -f2)" = "$sum" ]
	result $? "generation 2: sum of ${field%:*}"
done

"$LANESCOPE" import --quiet -o "$work/log.lanes" "$samples/m2_2.log"
result $? "generation 3 is imported"
json=$expected/m2_2.log.summary.json
ask tasks.csv task-times "$work/log.lanes"
check "generation 3: task times" rows "$work/tasks.csv" "$expected/m2_2.log.tasks.csv" task=task worker=worker completed=completed \
	computed=computed enqueued=enqueued loaded=loaded planned=planned published=published started=started total_e2e=total \
	total_worker=on_worker comm2worker=comm_delay task_procstart=queue_delay task_load=load_delay task_callablerun=run_time \
	task_publish=publish_delay comm2ctrl=report_delay
ask transfers.csv transfer-times "$work/log.lanes"
check "generation 3: transfer times" rows "$work/transfers.csv" "$expected/m2_2.log.transmits.csv" dataset=dataset target=target \
	source=origin mode=mode completed=completed loaded=loaded planned=planned received=received started=started unloaded=unloaded \
	total=total comm2source=comm_delay loadDelay=load_delay comm2target=transmit_delay unloadDelay=unload_delay comm2ctrl=report_delay
ask phases.csv controller-phases "$work/log.lanes"
check "generation 3: phases" table "$work/phases.csv" phase n "$json" /controller
ask micro.csv microtraces "$work/log.lanes"
for kind in wrk_task ctrl_wait total_incluster; do
	for figure in sum:sum cnt:count avg:mean; do
		check "generation 3: $kind, ${figure#*:}" cell "$work/micro.csv" "kind=$kind" "${figure#*:}" "$json" \
			"/microtraces/$kind/${figure%:*}"
	done
done

# Split by kind of rows, as a helper of cascade does, a trace answers every query as it does in one piece. (Ids go by file: the last column of span-longest.)
for name in f1 f4 m1_4 m2_2 m4_1 m2_2.run2; do
	mkdir "$work/$name"
	grep '"action": "task' "$samples/$name.jsonl" >"$work/$name/$name.tasks.jsonl"
	grep '"action": "transmit' "$samples/$name.jsonl" >"$work/$name/$name.datasets.jsonl"
	grep '"action": "controller' "$samples/$name.jsonl" >"$work/$name/$name.controller.jsonl"
	find "$work/$name" -size 0 -exec rm {} +
	"$LANESCOPE" import --quiet -o "$work/whole.lanes" "$samples/$name.jsonl" && "$LANESCOPE" import --quiet -o "$work/split.lanes" "$work/$name"
	result $? "$name is one run in one file and in several"
	"$LANESCOPE" queries "$work/whole.lanes" --format csv --no-header | cut -d, -f1 >"$work/names"
	different=
	while read -r query; do
		columns=
		argument=
		case $query in span-longest | lane-totals | idle-by-lane | idle-gaps | interference) columns='s/,[^,]*$//' ;; esac # ids
		[ "$query" = file-spans ] && argument='-p file=*'
		[ "$query" = interference ] && argument='-p of=duration>0 -p while=duration>0'
		for run in whole split; do
			# shellcheck disable=SC2086
			"$LANESCOPE" query "$query" $argument "$work/$run.lanes" --format csv 2>&1 | sed "$columns" >"$work/$run.csv"
		done
		cmp -s "$work/whole.csv" "$work/split.csv" || different="$different $query"
	done <"$work/names"
	[ -z "$different" ]
	result $? "$name: every saved query answers alike$different"
	rm "$work/whole.lanes" "$work/split.lanes"
done
finish
