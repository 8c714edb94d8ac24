#!/bin/sh
# Data-loading samples: every figure of their expected results comes out of the saved queries, and no hostile file is read.
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/dataload
expected=$samples/expected
[ -d "$expected" ] || skip_all "no data-loading samples"

columns=sim_compute_time,threadpool_size,block_size,io_time,processing_time,load_time,compute_time,completion_time,memory,throughput,num_batches

# import TREE NAME
import() {
	"$LANESCOPE" import --quiet -o "$work/$2.lanes" "$samples/$1" 2>/dev/null
	result $? "$1 is imported"
}

# figures NAME EXPECTED.json POINTER PATTERN: the rows of the folders that match, which stand at POINTER
figures() {
	figures_wrong=0
	number=0
	for folder in $(sed -n 's/.*"dir": "\(.*\)".*/\1/p' "$2" | grep "$4"); do
		for column in $(echo "$columns" | tr , ' '); do
			"$COMPARE" cell "$work/$1.csv" "trial=$folder" "$column" "$2" "$3/$number/$column" || figures_wrong=1
		done
		number=$((number + 1))
	done
	[ $number -gt 0 ] || figures_wrong=1
	result $figures_wrong "$1: figures of $number folders"
}

# means NAME EXPECTED.json: the tables over the runs
means() {
	for kind in baseline1 ours; do
		ask $kind.csv trial-means "$work/$1.lanes" -p kind=$kind -p dataset=librispeech
		check "$1: $kind" table "$work/$kind.csv" sim_compute_time "${columns#*,}" "$2" /$kind
	done
	ask improvement.csv trial-improvement "$work/$1.lanes" -p measure=throughput -p dataset=librispeech
	means_wrong=0
	for number in 0 1 2 3 4; do
		time=$(sed -n "$((number + 2))p" "$work/baseline1.csv" | cut -d, -f5)
		"$COMPARE" cell "$work/improvement.csv" "sim_compute_time=$time" change_percent "$2" /improvement_percent/$number || means_wrong=1
		for kind in baseline1 ours; do
			"$COMPARE" cell "$work/$kind.csv" "sim_compute_time=$time" throughput_std "$2" /${kind}_throughput_std/$number || means_wrong=1
			"$COMPARE" cell "$work/$kind.csv" "sim_compute_time=$time" folders "$2" /${kind}_n/$number || means_wrong=1
		done
	done
	result $means_wrong "$1: improvement, spread and counts"
}

import real/exp1 real
json=$expected/real_librispeech_remote.json
ask real.csv trial-figures "$work/real.lanes"
figures real "$json" /directories .
means real "$json"
figures real "$expected/real_baseline2_imagenet_local.json" "" .
ask baseline2.csv trial-figures "$work/real.lanes" -p kind=baseline2
check "real: baseline2 in order" table "$work/baseline2.csv" sim_compute_time "${columns#*,}" "$expected/real_baseline2_imagenet_local.json" ""
for kind in baseline ours; do
	same=
	for column in $(echo "$columns,throughput_std" | tr , ' '); do
		same="$same $column=$column"
	done
	[ $kind = ours ] && actual=ours || actual=baseline1
	# shellcheck disable=SC2086 # a list of words
	check "real: the published table of $actual" rows "$work/$actual.csv" "$samples/real/exp1/$kind-librispeech-remote.csv" $same
done

# The other ways to look at it, against sums by awk.
run=$work/real.lanes
folder=baseline1/librispeech/run1/remote/sim_compute_time=0.1
"$LANESCOPE" sql "$run" "SELECT v.i, v.value FROM sample_value v JOIN samples s ON s.id = v.sample JOIN trials t ON t.id = s.trial
	WHERE s.name = 'data_load_time' AND t.name = '$folder' ORDER BY v.value" --format csv 2>/dev/null | sed 1d >"$work/values"
awk -F, '$1 >= 1 { n++; s += $2 } END { printf "{\"value\": %.17g}\n", s / n }' "$work/values" >"$work/mean.json"
awk -F, '{ v[NR] = $2 } END { m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2; printf "{\"value\": %.17g}\n", m }' \
	"$work/values" >"$work/median.json"
ask skip.csv trial-figures "$run" -p skip=1
check "load time without the first batch" cell "$work/skip.csv" "trial=$folder" load_time "$work/mean.json" /value
ask median.csv trial-figures "$run" -p statistic=median
check "median load time" cell "$work/median.csv" "trial=$folder" load_time "$work/median.json" /value
ask search.csv trial-search "$run"
steps=$(find "$samples/real/exp1/ours" -name '*.csv' -exec sed 1d {} \; | grep -c .)
check "every step of the search logs" count "$work/search.csv" "$steps"
ask sizes.csv trial-block-sizes "$run"
[ "$(sed -n '1d;s/,stop,.*$//p' "$work/sizes.csv" | cut -d, -f8)" = 100 ]
result $? "the sweep over block sizes could have stopped at 100"

import sample/exp1 sample
json=$expected/sample_librispeech_remote.json
ask sample.csv trial-figures "$work/sample.lanes"
figures sample "$json" /directories "^[^b]\|^baseline1"
figures sample "$json" /baseline2 ^baseline2
means sample "$json"

# Edge cases: what must be refused is a problem, everything else a sample.
"$LANESCOPE" import --quiet -o "$work/edge.lanes" "$samples/edge" 2>/dev/null
result $? "edge cases are imported"
"$LANESCOPE" sql "$work/edge.lanes" "SELECT name || '.npy' FROM samples ORDER BY 1" --format csv 2>/dev/null | sed 1d | LC_ALL=C sort >"$work/read"
tr -d '\n' <"$samples/edge/index.json" | sed 's/"file"/\n&/g' | sed -n 's/"file": "\([^"]*\)".*"ok": true.*/\1/p' | LC_ALL=C sort >"$work/wanted"
[ -s "$work/wanted" ] && cmp -s "$work/read" "$work/wanted"
result $? "exactly those that may be read are read"
finish
