#!/bin/sh
# Samples of spot instance traces and of a job's profile: every figure of their expected results comes out of the saved queries.
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/preemption
expected=$samples/expected
[ -d "$expected" ] || skip_all "no preemption samples"

"$LANESCOPE" import --quiet -o "$work/full-64.lanes" "$samples/full-64"
result $? "full-64 is imported"
ask summary.csv preemption-summary "$work/full-64.lanes"
check "full-64: one pool" count "$work/summary.csv" 1
json=$expected/trace_stats.json
for figure in node_rows=rows terminate_rows=loss_rows total_preemptions=lost total_additions=added preemptions_per_minute=lost_per_minute \
	additions_per_minute=added_per_minute additions_rows=addition_rows chance_preempt_per_minute=loss_chance \
	chance_add_per_minute=addition_chance big_additions=big_rows regular_additions=regular_rows probability_big_add=big_share \
	probability_regular_add=regular_share regular_add_mean=regular_mean regular_add_std=regular_std preempt_count_mean=loss_mean \
	preempt_count_std=loss_std drop_rows=drop_rows total_drops=dropped count_min=nodes_min count_max=nodes_max \
	count_mean_time_weighted=nodes_mean; do
	check "full-64: ${figure%=*}" cell "$work/summary.csv" - "${figure#*=}" "$json" "/${figure%=*}"
done
for figure in mttp_s=time_to_change mttp_std_s=time_to_change_std termination_gap_mean_s_fixed=time_to_loss \
	termination_gap_std_s_fixed=time_to_loss_std; do
	check "full-64: ${figure%=*}" cell "$work/summary.csv" - "${figure#*=}" "$json" "/${figure%=*}" 1e-9
done
check "full-64: minutes" cell "$work/summary.csv" - length "$json" /total_minutes 1.6666666666666667e-11

# The rises at the last time of the old count are the additions; seconds from 18:42 of the first day.
ask changes.csv preemption-changes "$work/full-64.lanes"
awk -F, '$5 == "rise" { printf "%d,%d\n", $3 / 1e9, $6 }' "$work/changes.csv" >"$work/rises"
tr -d ' \n' <"$json" | sed 's/.*"additions":\[\[//; s/\]\].*//; s/\],\[/\n/g' | tr -d '"' |
	awk -F'[-T:Z,]' '{ printf "%d,%d\n", (($3 - 26) * 24 + $4 - 18) * 3600 + ($5 - 42) * 60, $NF }' >"$work/additions"
[ -s "$work/additions" ] && cmp -s "$work/rises" "$work/additions"
result $? "full-64: $(wc -l <"$work/additions") additions"
for pattern in 'row 53: the time is earlier than the row before' 'the count reaches 75' 'takes all 63 instances at once' \
	'drops of the count sum to 196, the terminations to 140' 'rises in the file of form additions bear the time of the row before'; do
	ask problems.csv problems "$work/full-64.lanes"
	grep -q "$pattern" "$work/problems.csv"
	result $? "full-64: says \"$pattern\""
done

"$LANESCOPE" import --quiet -o "$work/run-86.lanes" "$samples/run-86"
result $? "run-86 is imported"
json=$expected/profile.json
for rank in 0 17 63; do
	ask profile.csv preemption-profile "$work/run-86.lanes" -p rank=$rank
	for figure in reconfiguration=reconfiguration checkpoint=checkpoint 'load checkpoint=load'; do
		check "rank $rank: ${figure%=*}" cell "$work/profile.csv" "figure=${figure#*=}" mean "$json" "/$rank/${figure%=*}" 1e-9
	done
	check "rank $rank: checkpoints" cell "$work/profile.csv" figure=checkpoint count "$json" "/$rank/rows/checkpoint"
	check "rank $rank: loads" cell "$work/profile.csv" figure=load count "$json" "/$rank/rows/load"
	for size in $(sed -n 's/^iteration,\([0-9]*\),.*/\1/p' "$work/profile.csv"); do
		check "rank $rank: iteration of $size" cell "$work/profile.csv" "world_size=$size" mean "$json" "/$rank/iter_times/$size" 1e-9
		check "rank $rank: iterations of $size" cell "$work/profile.csv" "world_size=$size" count "$json" "/$rank/iter_rows/$size"
	done
done
ask profile.csv preemption-profile "$work/run-86.lanes"
rounded=$(cut -d, -f1,2,5 "$work/profile.csv" | sed 1d | tr '\n' ' ')
[ "$rounded" = "reconfiguration,,88 iteration,16,18 iteration,32,11 iteration,48,9 iteration,64,8 checkpoint,,89 load,,47 " ]
result $? "run-86: rounded figures"

ask accounting.csv preemption-accounting "$work/run-86.lanes"
json=$expected/run86_accounting.json
for figure in reconfigurations=reconfigurations rollbacks=rollbacks steps_redone=steps_redone loss_rows=loss_rows last_step=last_step \
	wasted_fraction=wasted_share steps_per_hour=steps_per_hour; do
	check "accounting: ${figure%=*}" cell "$work/accounting.csv" - "${figure#*=}" "$json" "/${figure%=*}"
done
for figure in elapsed_s=elapsed reconfig_s=reconfig lost_s=lost_time wasted_s=wasted; do
	check "accounting: ${figure%=*}" cell "$work/accounting.csv" - "${figure#*=}" "$json" "/${figure%=*}" 1e-9
done
# The run begins at 05:18, with the first count of the group.
ask rollbacks.csv preemption-rollbacks "$work/run-86.lanes"
awk -F, 'NR > 1 { printf "%d,%d,%.3f,%.3f\n", $2, $3, $4 / 1e9, $5 / 1e9 }' "$work/rollbacks.csv" >"$work/rollbacks"
tr -d ' \n' <"$json" | sed 's/.*"rollback_list":\[\[//; s/\]\].*//; s/\],\[/\n/g' |
	awk -F, '{ printf "%d,%d,%.3f,%.3f\n", $1, $2, $3 - 1631596680, $4 - 1631596680 }' >"$work/rollback_list"
[ -s "$work/rollback_list" ] && cmp -s "$work/rollbacks" "$work/rollback_list"
result $? "accounting: list of rollbacks"

# Every form is known by its content, and a trace that stands alone is a run of its own.
for file in bamboo/p3-trace.csv=events bamboo/gcloud/v100x1-east1c.txt=gcloud parcae/p3.csv=p3counts \
	bamboo/steps/p2-xlarge-2020-11-20-to-2020-11-23.csv=steps \
	bamboo/steps/p2-xlarge-us-east-1a-2020-11-20-1730-to-2020-11-21-1104.csv=steps spotserve/trace_0506_workload.txt=jsonl \
	parcae/bert/trace_ll_10_11.txt=jsonl parcae/liveput_res/bert_p3_gbs1024_mbs8.json=liveput \
	skypilot/availability/16-node/aws-08-27-2023/us-west-2a_v100_1.json=sky run-86/crash-time.txt=crash-time; do
	"$LANESCOPE" import --quiet --force -o "$work/one.lanes" "$samples/${file%=*}" && # in place of the one before
		[ "$("$LANESCOPE" sql "$work/one.lanes" 'SELECT dialect FROM run' 2>/dev/null | tail -1)" = "${file#*=}" ]
	result $? "${file%=*} is of form ${file#*=}"
done
mkdir "$work/each"
"$LANESCOPE" import --quiet -o "$work/each" "$samples/parcae/bert" "$samples/spotserve"
[ "$(ls "$work/each" | wc -l)" -eq 10 ]
result $? "ten traces are ten runs"

# All of the samples at once: the folder of counts and that of the profile are a run each, and the traces of the simulator's results none.
mkdir "$work/all"
"$LANESCOPE" import --quiet -o "$work/all" "$samples" 2>"$work/stderr"
for run in full-64=4 run-86=20; do
	found=$("$LANESCOPE" sql "$work/all/${run%=*}.lanes" --no-header 'SELECT count(*) FROM source' --format csv)
	[ "$found" = "${run#*=}" ]
	result $? "${run%=*} is a run of its own, of ${run#*=} files"
done
"$LANESCOPE" query problems "$work/all/v100x1-east1c.lanes" --format csv >"$work/problems.csv"
grep -q 'time goes backward 15 times.*sorted' "$work/problems.csv" && grep -q '16 times stand more than once.*later line' "$work/problems.csv"
result $? "a log of probes: what goes backward and repeats is told"
finish
