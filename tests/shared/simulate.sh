#!/bin/sh
# Simulations through the command line: recorded traces replayed, chances and times taken from imported runs, the log.
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/preemption
expected=$samples/expected
[ -d "$expected" ] || skip_all "no preemption samples"

simulate() { # file of the answer, options
	simulate_file=$1
	shift
	"$LANESCOPE" simulate preemption "$@" --format csv >"$work/$simulate_file" 2>"$work/stderr" || {
		sed 's/^/# /' "$work/stderr"
		: >"$work/$simulate_file"
	}
}
figures='useful_ms lost_ms reconfig_ms idle_ms pending_ms iterations_executed iterations_lost reconfigs reconfig_restarts rollbacks
	checkpoints_saved checkpoints_aborted preempt_events preempted preempted_active add_events added add_clamped case_1a case_1b
	case_grow case_both case_exact inst_ms_active inst_ms_standby inst_ms_prep duration_ms iterations last_saved final_active
	final_standby final_prep final_state rng_state useful_fraction wasted_fraction mean_instances mean_active instance_idle_fraction
	iterations_per_hour samples_per_second efficiency_vs_full digest'

nth=0
while read -r trace depth; do
	simulate replay.csv --replay "$samples/$trace" --depth "$depth"
	wrong=0
	for figure in $figures; do
		"$COMPARE" cell "$work/replay.csv" - "$figure" "$expected/replays.json" "/$nth/result/$figure" || wrong=1
	done
	result $wrong "replay of $trace"
	nth=$((nth + 1))
done <<END
full-64/full-64-node-trace.csv 16
run-86/asg/pipeline-mngr-test-GroupInServiceInstances.csv 16
bamboo/p3-trace.csv 8
bamboo/gcloud/v100x1-east1c.txt 16
parcae/p3.csv 8
parcae/bert/trace_hh_55_65.txt 4
parcae/gpt-1.5b/trace_ll_10_11.txt 4
spotserve/trace_0203.txt 2
skypilot/availability/16-node/aws-08-27-2023/us-west-2a_v100_1.json 4
skypilot/preemption/4-node/aws-08-03-2023/us-east-2a_v100_1.json 2
END

simulate one.csv --log "$work/log.csv" -o "$work/one.lanes"
cmp -s "$work/log.csv" "$expected/log_seed1.csv"
result $? "log of the default simulation"
"$LANESCOPE" sql "$work/one.lanes" --format csv --no-header \
	"SELECT sum(duration) / 1000000 FROM span WHERE name = 'lost'" >"$work/lost"
[ "$(cat "$work/lost")" = "$("$LANESCOPE" simulate preemption --format json --wide | sed -n 's/.*"lost_ms".*: *\([0-9]*\).*/\1/p')" ]
result $? "its run file has the lost time"

"$LANESCOPE" import --quiet -o "$work/full-64.lanes" "$samples/full-64" && "$LANESCOPE" import --quiet -o "$work/run-86.lanes" "$samples/run-86"
result $? "traces and profile are imported"
simulate like.csv --like "$work/full-64.lanes" --profile "$work/run-86.lanes"
cmp -s "$work/like.csv" "$work/one.csv"
result $? "chances of the trace and times of the profile are the defaults"
simulate levels.csv --p-preempt 0.02,0.05,0.1,0.1634,0.25,0.5,0.75,1 --seed 1-20 --summary
nth=0
for level in 0.02 0.05 0.1 0.1634 0.25 0.5 0.75 1.0; do
	wrong=0
	for figure in wasted_fraction iterations_per_hour efficiency_vs_full mean_active instance_idle_fraction lost_ms reconfig_ms idle_ms reconfigs; do
		"$COMPARE" cell "$work/levels.csv" "p_preempt=$level" "$figure" "$expected/levels.json" "/$nth/$figure/0" || wrong=1
		"$COMPARE" cell "$work/levels.csv" "p_preempt=$level" "${figure}_std" "$expected/levels.json" "/$nth/$figure/1" || wrong=1
	done
	result $wrong "level $level"
	nth=$((nth + 1))
done
finish
