#!/bin/sh
# lanescope-cookbook(7) on the samples: they take the names of the demo's runs, every command and every script of keys is run as it is printed,
# and figures of these answers are those that are expected of the samples. TAP.
. "$(dirname "$0")/lib.sh"
src=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
. "$src/tests/page.sh"
page=$src/man/lanescope-cookbook.7
samples=$(cd "$LANESCOPE_SHARED" && pwd)
COMPARE=$(cd "$(dirname "$(command -v "$COMPARE")")" && pwd)/$(basename "$COMPARE")
program_named
cd "$work" || exit 2

while read -r name paths; do
	set -- $paths
	[ -e "$samples/$1" ] || skip_all "no $1 among the samples"
	for path; do
		set -- "$@" "$samples/$path"
		shift
	done
	lanescope import --quiet -o "$name.lanes" "$@" 2>err
	result $? "$name is $paths"
done <<END
one-worker cascade/f1.jsonl
four-workers cascade/f4.jsonl
one-host cascade/m1_4.jsonl
two-hosts cascade/m2_2.jsonl
four-hosts cascade/m4_1.jsonl
pytorch chrome/pytorch-cupti.json.gz
pipeline dasf/gpu4-ResourceMonitor-c096.msgpack dasf/gpu4-TracePlugin-c096.msgpack
loading dataload/real
spot-capacity preemption/full-64
END
lanescope simulate preemption --replay spot-capacity -o spot-training.lanes >/dev/null 2>&1
result $? "spot-training is its replay"
for mode in base_pfs scr_pfs; do
	name=training$([ $mode = base_pfs ] || echo -scr)
	command -v python3 >/dev/null 2>&1 && python3 "$samples/dftracer/make_pfw.py" --out $mode --events 20000 --seed 7 --mode $mode >/dev/null 2>&1 &&
		lanescope import --quiet --name $name -o $name.lanes $mode 2>/dev/null
done
[ -s training.lanes ] && [ -s training-scr.lanes ] || skip_all "python3, which makes the samples of checkpointing jobs, is not installed"

# expected LINE: figures of its answer, which lies in answer.csv
expected() {
	case $1 in
	"diff task-times one-worker four-workers "*)
		worst=$(sort -t, -k4,4nr "$samples/cascade/expected/compare_f1_f4.csv" | head -n 1 | cut -d, -f1-4)
		[ "$(sed -n 2p answer.csv | cut -d, -f1-4)" = "$worst" ]
		result $? "the task that got slower most, and by how much"
		;;
	"query transfer-summary two-hosts")
		check "transfers" cell answer.csv stage=total sum "$cascade" /transmits/total
		check "their transmission" cell answer.csv stage=transmit_delay sum "$cascade" /transmits/transmitDelayRemote/sum
		;;
	"query transfer-by-mode two-hosts") check "transfers by mode" table answer.csv mode total "$cascade" /transmits/perModeTotal ;;
	"query transfer-avoidable two-hosts")
		[ "$(awk -F, 'NR > 1 { sum += $NF } END { printf "%.0f", sum }' answer.csv)" = "$("$COMPARE" value "$cascade" /transmits/perModeTotal/redundant)" ]
		result $? "needless transfers"
		;;
	"query task-by-worker two-hosts")
		for worker in h0:worker0 h0:worker1 h1:worker0 h1:worker1; do
			check "$worker" cell answer.csv "worker=$worker" on_worker_sum "$cascade" "/tasks/perWorker/$worker/sum"
		done
		;;
	"query checkpoint-time training training-scr")
		check "checkpoint time" cell answer.csv run=training time "$dftracer" /checkpoint/time_max_pid_tid_s 1e-9
		;;
	"query size-describe training")
		check "sizes" cell answer.csv name=write median "$dftracer" /functions/write/size/50%
		check "their mean" cell answer.csv name=write mean "$dftracer" /functions/write/size/mean
		;;
	"diff call-counts training training-scr "*)
		check "calls" cell answer.csv name=write calls_a "$dftracer" /functions/write/count
		;;
	"query function-bottleneck pipeline "*)
		longest=$(sed 1d "$samples/dasf/expected/gpu4.function_bottleneck.csv" | sort -t, -k5,5gr | head -n 1)
		cut -d, -f1-5 answer.csv | grep -qxF "$(echo "$longest" | cut -d, -f2-6)" # functions whose names hold numbers are one here
		result $? "the function that takes longest"
		;;
	"query preemption-summary spot-capacity "*)
		check "preemptions" cell answer.csv - lost "$spot/trace_stats.json" /total_preemptions
		check "the time between them" cell answer.csv - time_to_loss "$spot/trace_stats.json" /termination_gap_mean_s_fixed 1e-9
		;;
	"query trial-improvement loading")
		grep '^sim\|^dataset\|^librispeech.*,throughput,' answer.csv >throughput.csv
		check "merging samples" cell throughput.csv sim_compute_time=0.1 change_percent "$samples/dataload/expected/real_librispeech_remote.json" \
			/improvement_percent/0
		;;
	*) n_expected=$((n_expected - 1)) ;;
	esac
	n_expected=$((n_expected + 1))
}
cascade=$samples/cascade/expected/m2_2.summary.json
dftracer=$samples/dftracer/expected/base_pfs_20000_seed7.json
spot=$samples/preemption/expected
n_expected=0
titles_of "$page" QUESTIONS >titles
while IFS= read -r title <&3; do
	lines_of "$page" "$title" >lines
	while IFS= read -r line <&4; do
		case $line in
		"    "*)
			play "$opened" "${line#    }"
			status=$?
			result $status "$opened, keys ${line#    }"
			[ $status -eq 0 ] || complain err
			;;
		lanescope\ query\ * | lanescope\ diff\ * | lanescope\ explain\ * | lanescope\ simulate\ *)
			eval "$line" >answer.csv 2>err </dev/null
			status=$?
			[ $status -eq 0 ] && [ -s answer.csv ] || status=1
			result $status "$line"
			[ $status -eq 0 ] || complain err
			expected "${line#lanescope }"
			;;
		*) opened=$line ;;
		esac
	done 4<lines
done 3<titles
[ $n_expected -ge 11 ]
result $? "$n_expected answers are held against what is expected"
finish
