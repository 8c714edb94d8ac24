#!/bin/sh
# Chrome traces: every sample's facts come out, and the figures of the saved queries are those that plain loops over the events gave (the files
# beside this one, in chrome/).
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/chrome
figures=$(cd "$(dirname "$0")" && pwd)/chrome
[ -d "$samples/expected" ] || skip_all "no samples of Chrome traces"

# table FILE RUN STATEMENT
table() {
	"$LANESCOPE" sql "$2" "$3" --format csv >"$work/$1" 2>"$work/stderr" || {
		sed 's/^/# /' "$work/stderr"
		: >"$work/$1"
	}
}

# The count that a problem's reason begins with, or 0.
told="coalesce((SELECT CAST(reason AS INTEGER) FROM problem WHERE reason LIKE"
summary="SELECT s.plain_bytes AS bytes, (SELECT value FROM tags WHERE key = 'form') AS form,
  (SELECT value FROM tags WHERE key = 'processes') AS processes, (SELECT value FROM tags WHERE key = 'threads') AS threads,
  (SELECT sum(CAST(value AS INTEGER)) FROM tags WHERE key LIKE 'phase %') AS events, 
  s.records + s.bad_records - coalesce((SELECT value FROM tags WHERE key = 'samples'), 0) AS records,
  (SELECT coalesce(sum(t.rows - t.unfinished_n), 0) FROM span_total t JOIN lane l ON l.id = t.lane WHERE l.kind <> 'async') AS slices,
  (SELECT count(*) FROM span_sums('name', 'kind <> \"async\" AND unfinished IS NULL')) AS names,
  $told '%have no duration%'), 0) AS x_without_dur, $told '% begins have no end%' AND reason NOT LIKE '%async%'), 0) AS unmatched_begins,
  $told '% ends have no begin%' AND reason NOT LIKE '%async%'), 0) AS unmatched_ends,
  s.raw_bytes <> s.plain_bytes AS gzip, EXISTS (SELECT 1 FROM problem WHERE reason LIKE '%list of events%has no end%' OR
    reason LIKE 'the file ends within its list%') AS repaired, start_ns AS begin_ns, start_ns + duration_ns AS end_ns
  FROM run JOIN source s"
top="SELECT coalesce(name, 'None') AS name, sum(rows) AS count, sum(dur_sum) AS total_ns, max(duration) AS max_ns
  FROM span_sums('name,duration', 'kind <> \"async\" AND unfinished IS NULL') GROUP BY 1 ORDER BY 3 DESC, 1 LIMIT 20"
phases="SELECT substr(key, 7) AS phase, CAST(value AS INTEGER) AS n FROM tags WHERE key LIKE 'phase %'"

for file in "$samples"/*.gz "$samples"/*.json; do
	name=$(basename "$file")
	facts=$samples/expected/$name.facts.json
	[ -f "$facts" ] || continue
	run=$work/$name.lanes
	"$LANESCOPE" import --quiet -o "$run" "$file" 2>"$work/stderr"
	result $? "$name is imported"
	table summary.csv "$run" "$summary"
	columns="bytes form processes threads events slices names x_without_dur unmatched_begins unmatched_ends"
	case $name in
	*samples*) ;; # samples are beside the events that the facts are about
	*) columns="$columns begin_ns end_ns" ;;
	esac
	for column in $columns; do
		check "$name: $column" cell "$work/summary.csv" - "$column" "$facts" "/$column"
	done
	for flag in gzip repaired; do
		printf '{"%s": %d}' $flag "$(grep -c "\"$flag\": true" "$facts")" >"$work/value.json"
		check "$name: $flag" cell "$work/summary.csv" - $flag "$work/value.json" /$flag
	done
	check "$name: every event is accounted for" cell "$work/summary.csv" - records "$facts" /events
	table phases.csv "$run" "$phases"
	check "$name: phases" table "$work/phases.csv" phase n "$facts" /phases
	table top.csv "$run" "$top"
	check "$name: top names" table "$work/top.csv" name count,total_ns,max_ns "$facts" /top
done

# figures NAME QUERY SAMPLE [COLUMN...]: all columns of the file of figures, its rows being all or the first ones
figures() {
	figures_name=$1
	figures_query=$2
	figures_run=$work/$3.lanes
	shift 3
	expected=$figures/$figures_name-$figures_query.csv
	rows=$(($(wc -l <"$expected") - 1))
	ask answer.csv "$figures_query" "$figures_run" --limit "$rows" "$@"
	set --
	for column in $(head -n 1 "$expected" | tr , ' '); do
		set -- "$@" "$column=$column"
	done
	check "$figures_query of $figures_name" rows "$work/answer.csv" "$expected" "$@"
}
for query in clang-headers clang-templates; do
	figures clang19 $query clang-19-buildevents.json
	figures skia $query clang-skiahelper.json
done

# Self times, gaps, devices and critical paths: against loops over the events (where Python is).
# loops SCRIPT [ARGUMENT]...: what the script prints, as expected.csv
loops() {
	loops_script=$1
	shift
	PYTHONDONTWRITEBYTECODE=1 python3 "$figures/$loops_script" "$@" >"$work/expected.csv" 2>"$work/stderr" || {
		sed 's/^/# /' "$work/stderr"
		rm -f "$work/expected.csv" # nothing is equal to it
	}
}
# against NAME COLUMN...: answer.csv has these columns of expected.csv
against() {
	against_name=$1
	shift
	for column; do
		set -- "$@" "$column=$column"
		shift
	done
	check "$against_name, by loops" rows "$work/answer.csv" "$work/expected.csv" "$@"
}
if python3 -c 'import decimal' 2>"$work/stderr"; then
	self="SELECT coalesce(t.name, 'None') AS name, sum(t.self_sum) AS self FROM span_totals t JOIN lanes l ON l.id = t.lane
	  WHERE l.kind NOT IN ('async', 'summary') GROUP BY 1 ORDER BY 1"
	for name in pytorch-nccl.json.gz bazel-local-jobs-4.json.gz pytorch-simple-add.json.gz bazel-with_queuing.json.gz ray-timeline.json; do
		loops figures.py self "$samples/$name"
		table answer.csv "$work/$name.lanes" "$self"
		against "self time of $name" name self
		loops figures.py gaps "$samples/$name" 50
		ask answer.csv idle-gaps "$work/$name.lanes" -p rows=50 -p least=0 --sort=-duration,start
		against "idle-gaps of $name" start duration before after
		loops figures.py idle "$samples/$name"
		ask answer.csv idle-by-lane "$work/$name.lanes" --sort=-idle,-span,-busy,late
		against "idle-by-lane of $name" span busy idle share gaps max start late early
	done
	for name in pytorch-nccl.json.gz pytorch-control.json.gz pytorch-sampled-rank-0.json.gz pytorch-simple-add.json.gz pytorch-amd-rocm.json.gz; do
		loops gpu.py busy "$samples/$name"
		ask answer.csv gpu-busy "$work/$name.lanes"
		against "gpu-busy of $name" device streams kernels span busy share idle compute communication copying
		loops gpu.py overlap "$samples/$name"
		ask answer.csv gpu-overlap "$work/$name.lanes"
		against "gpu-overlap of $name" device compute communication overlap share exposed compute_kernels communication_kernels
		loops gpu.py idle "$samples/$name"
		ask answer.csv gpu-idle "$work/$name.lanes"
		against "gpu-idle of $name" stream cause idle share of_run gaps mean max
		awk -F, 'NR > 1 {whole[$1] += $5} END {print "ok"; for (s in whole) bad += whole[s] < 0.999999 || whole[s] > 1.000001; print bad + 0}' "$work/answer.csv" >"$work/whole.csv"
		printf '{"bad": 0}' >"$work/value.json"
		check "gpu-idle of $name: shares add up to the run" cell "$work/whole.csv" - ok "$work/value.json" /bad
		together="SELECT (SELECT sum(idle) FROM (SELECT sum(idle) AS idle FROM span_idle('kind = \"device\"', 0) GROUP BY lane)) AS idle"
		table answer.csv "$work/$name.lanes" "$together"
		ask causes.csv gpu-idle "$work/$name.lanes"
		awk -F, 'NR > 1 && $2 ~ /host|kernel|other/ {s += $3} END {print "idle"; printf "%.0f\n", s}' "$work/causes.csv" >"$work/expected.csv"
		against "idle time of streams of $name, as by its causes" idle
		loops gpu.py launch "$samples/$name"
		ask answer.csv launch-delay "$work/$name.lanes" --sort name
		against "launch-delay of $name" name n launched delay mean median max queue_mean time call_time
	done
	for name in clang-19-buildevents.json clang-skiahelper.json; do
		loops clang.py templates "$samples/$name"
		ask answer.csv clang-templates "$work/$name.lanes"
		against "clang-templates of $name" template kind instances n time mean max
		loops clang.py headers "$samples/$name"
		ask answer.csv clang-headers "$work/$name.lanes"
		against "clang-headers of $name" header n time mean max
	done
	for name in bazel-with_queuing.json.gz bazel-local-jobs-4.json.gz bazel-tiny.json.gz; do
		loops bazel.py "$samples/$name"
		ask answer.csv critical-path "$work/$name.lanes"
		against "critical-path of $name" start time share of_run wait action target mnemonic
	done
else
	skip "figures by loops over the events" "no python3"
fi

# A timeline without anything but samples has those as events, named by their stack frames.
table samples.csv "$work/small-simple-with-samples.json.lanes" "SELECT count(*) AS n, count(name) AS named FROM event"
printf '{"n": 7}' >"$work/value.json"
check "samples are events" cell "$work/samples.csv" - n "$work/value.json" /n
check "samples have names" cell "$work/samples.csv" - named "$work/value.json" /n
finish
