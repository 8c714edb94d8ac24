#!/bin/sh
# DASF samples: what DASF's own analysis printed comes out of the saved queries to the last digit, rows in any order where times tie.
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/dasf
expected=$samples/expected
[ -d "$expected" ] || skip_all "no DASF samples"

# fields FILE: CSV to fields between bytes 1, which no field holds
fields() {
	awk '{
		line = $0; out = ""; quoted = 0
		for (i = 1; i <= length(line); i++) {
			c = substr(line, i, 1)
			if (c == "\"") quoted = !quoted
			else if (c == "," && !quoted) out = out "\001"
			else out = out c
		}
		print out
	}' "$1"
}

# columns FILE NAME,NAME,...: these columns without header, numbers with 17 digits (so that equal doubles are equal text), sorted
columns() {
	fields "$1" | awk -F '\001' -v names="$2" '
		NR == 1 {
			n = split(names, wanted, ",")
			for (i = 1; i <= NF; i++) at[$i] = i
			if (!("nr" in at)) at["nr"] = 1
			next
		}
		{
			out = ""
			for (i = 1; i <= n; i++) {
				value = $(at[wanted[i]])
				if (value ~ /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/) value = sprintf("%.17g", value)
				out = out value "\001"
			}
			print out
		}' | sort
}

# same NAME ACTUAL COLUMNS EXPECTED COLUMNS
same() {
	columns "$2" "$3" >"$work/actual"
	columns "$4" "$5" >"$work/expected"
	[ -s "$work/expected" ] && cmp -s "$work/actual" "$work/expected"
	same_status=$?
	[ $same_status -eq 0 ] || diff "$work/actual" "$work/expected" | head -6 | tr '\001' '|' | sed 's/^/# /'
	result $same_status "$1"
}

# The table of a column for each worker as one of rows.
balance() {
	fields "$1" | awk -F '\001' '
		NR == 1 { for (i = 3; i <= NF; i++) worker[i] = $i; print "nr,second,worker,tasks,has_gaps"; next }
		{ for (i = 3; i <= NF; i++) print $1 "," $2 "," worker[i] "," $i "," ($i ~ /\./) }'
}

function_columns="nr,Host,GPU,Function,Duration (s),Percentage of total time (%),Mean GPU Utilization (%),Mean GPU Memory Used (GB)"
function_columns="$function_columns,Mean Data Size (MB),Mean Throughput (MB/s),Num Tasks (chunks),Mean Task time (s)"
our_functions=nr,host,worker,function,duration_s,percent_of_total,gpu_utilization_percent,gpu_memory_gb,data_size_mb,throughput_mbs
our_functions=$our_functions,tasks,task_time_s

for name in gpu1 gpu4 cpu edge-graph edge-two-runs; do
	run=$work/$name.lanes
	if [ -f "$samples/$name.msgpack" ]; then
		"$LANESCOPE" import --quiet -o "$run" "$samples/$name.msgpack"
	else
		"$LANESCOPE" import --quiet -o "$run" "$samples/$name"-*.msgpack
	fi
	result $? "$name is imported"
	ask balance.csv task-balance "$run"
	balance "$expected/$name.task_balance.csv" >"$work/expected.csv"
	same "$name: balance of tasks" "$work/balance.csv" nr,second,worker,tasks,has_gaps "$work/expected.csv" nr,second,worker,tasks,has_gaps
	ask functions.csv function-bottleneck "$run" -p names=recorded
	ask tasks.csv task-bottleneck "$run"
	if [ -f "$expected/$name.function_bottleneck.error.txt" ]; then
		# the original fails without GPU samples; ours has the times all the same
		check "$name: functions without GPU samples" count "$work/functions.csv" 95
		check "$name: tasks without GPU samples" count "$work/tasks.csv" 193
	else
		same "$name: functions" "$work/functions.csv" "$our_functions" "$expected/$name.function_bottleneck.csv" "$function_columns"
		same "$name: tasks" "$work/tasks.csv" nr,host,worker,key,duration_s,percent_of_total,memory_mb \
			"$expected/$name.task_bottleneck.csv" "nr,Host,GPU,Task Key,Duration (s),Percentage of total time (%),Memory usage (Mb)"
	fi
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
done

# problems RUN: kinds and records
problems() {
	"$LANESCOPE" sql "$1" --no-header "SELECT kind, record FROM problem WHERE kind <> 'missing' ORDER BY id" | tr '\n' ' '
}
[ "$(problems "$work/edge-two-runs.lanes")" = "suspicious,618 " ]
result $? "two runs in one file: a warning where the second begins"
"$LANESCOPE" import --quiet -o "$work/cut.lanes" "$samples/edge-truncated-body.msgpack"
result $? "a truncated file is imported"
[ "$(problems "$work/cut.lanes")$("$LANESCOPE" sql "$work/cut.lanes" --no-header 'SELECT records FROM run')" = "truncated,182 181" ]
result $? "all records before the cut are kept"
"$LANESCOPE" import --quiet -o "$work/phases.lanes" "$samples/edge-phases.msgpack"
result $? "all phases are imported"
found=$("$LANESCOPE" sql "$work/phases.lanes" --no-header \
	"SELECT (SELECT count(*) FROM span), (SELECT count(*) FROM event), (SELECT max(length(json_extract(args, '\$.long'))) FROM event)")
[ "$found" = "3,7,70000" ]
result $? "spans, events, and a long text (found $found)"

# An empty file is valid: a run of no records, which says so.
"$LANESCOPE" import --strict --quiet -o "$work/empty.lanes" "$samples/edge-empty.msgpack" 2>"$work/stderr" &&
	[ "$("$LANESCOPE" sql "$work/empty.lanes" --no-header --format csv 'SELECT records, problems FROM source')" = 0,1 ]
result $? "an empty file is a run without records"
finish
