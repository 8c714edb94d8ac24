#!/bin/sh
# Real DFTracer traces: records, metadata and bad records as counted by others, and every saved query answers on each.
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/dftracer
[ -d "$samples/cm1_v105" ] || skip_all "no DFTracer samples"

# sample NAME RECORDS METADATA BAD TRACE...
sample() {
	name=$1 records=$2 metadata=$3 bad=$4
	shift 4
	run=$work/$name.lanes
	"$LANESCOPE" import --quiet --name "$name" -o "$run" "$@" 2>"$work/stderr"
	result $? "$name is imported"
	found=$("$LANESCOPE" sql "$run" --no-header 'SELECT sum(records - metadata), sum(metadata), sum(bad_records) FROM source')
	[ "$found" = "$records,$metadata,$bad" ]
	result $? "$name: $records events, $metadata metadata records, $bad bad ones (found $found)"
	"$LANESCOPE" queries "$run" --format csv --no-header | cut -d, -f1 >"$work/names"
	failed_queries=
	while read -r query; do
		argument=
		[ "$query" = file-spans ] && argument='-p file=*'
		[ "$query" = interference ] && argument='-p of=duration>0 -p while=duration>0'
		# shellcheck disable=SC2086
		"$LANESCOPE" query "$query" $argument "$run" --format csv -o "$work/answer.csv" 2>"$work/stderr" || failed_queries="$failed_queries $query"
	done <"$work/names"
	[ -z "$failed_queries" ]
	result $? "$name: every saved query answers$failed_queries"
}

sample v0 446 0 258 "$samples/dlio_profiler_v0"
sample old-plain 1012 0 0 "$samples/dlp_old/test.pfw"
sample old-gz 1012 0 0 "$samples/dlp_old/test.pfw.gz"
# 93894 lines, 4840 of them copies: each of 20 processes was forked while its parent had records in its buffer, and wrote them too.
sample unet3d 89054 0 0 "$samples/unet3d_old"
sample dist 530546 0 10 "$samples/dist_v102"
sample cm1 190074 21775 0 "$samples/cm1_v105"
sample dlio 13531 180 0 "$samples/dlio_v108"
sample graph 12 0 0 "$samples/graph"
finish
