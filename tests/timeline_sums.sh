#!/bin/sh
# The cells of a timeline hold what the spans of the same scope hold: a lane's busy time is the union of its spans that are in scope,
# cut at the scope's range, and each of them counts in one cell. Over every format, at two widths.
. "$(dirname "$0")/tap.sh"
data=${LANESCOPE_SRCDIR:-.}/tests/data
samples=${LANESCOPE_SHARED:-}

# cells RUN SCOPE WIDTH: lane, busy time and spans, summed over its cells
cells() {
	"$LANESCOPE" timeline "$work/$1.lanes" --scope "$2" --width "$3" --format tsv 2>>"$work/stderr" | awk -F '\t' '
		$13 == "lane" { busy[$1] += $5; n[$1] += $8 }
		END { for (lane in busy) if (busy[lane] + n[lane] > 0) printf "%s\t%d\t%.0f\n", lane, n[lane], busy[lane] }' | sort
}

# spans RUN SCOPE FROM: of table span lane, the least and the most that its number and its busy time can be; FROM is the range's begin.
# What begins where the run ends may have no cell.
spans() {
	"$LANESCOPE" sql "$work/$1.lanes" --scope "$2" --format tsv "SELECT lanes.name, count(CASE WHEN start < $duration THEN 1 END),
		count(*), cast(union_ns(max(start, $3), inside) AS integer), sum(inside)
		FROM span JOIN lanes ON lanes.id = span.lane WHERE lanes.kind <> 'summary' GROUP BY span.lane" 2>>"$work/stderr" | awk -F '\t' '
		NR > 1 { n[$1] += $2; all[$1] += $3; busy[$1] += $4; most[$1] += $5 }
		END { for (lane in n) printf "%s\t%d\t%d\t%.0f\t%.0f\n", lane, n[lane], all[lane], busy[lane], most[lane] }' | sort
}

# Of spans that a condition chooses one may lie in another, and more than can be told apart are summed up: their union, or a little more.
alike() { # run, scope, from
	is_exact=1
	case $2 in *name*) is_exact=0 ;; esac
	for width in 90 333; do
		: >"$work/stderr"
		cells "$1" "$2" $width >"$work/cells"
		spans "$1" "$2" "$3" >"$work/spans"
		join -t "$(printf '\t')" -a 1 -a 2 -e 0 -o 0,2.2,1.2,1.3,2.3,1.4,1.5 "$work/spans" "$work/cells" >"$work/both"
		awk -F '\t' -v exact=$is_exact '
			$2 < $3 || $2 > $4 || $5 < $6 || $5 > (exact ? $6 : $7) { print "# " $0; bad = 1 }
			END { exit bad }' "$work/both"
		result $? "$1, $(wc -l <"$work/spans") lanes, width $width, scope '$2'"
	done
}

# Busy time of whole lanes is read from tiles where nothing else is asked for, and is that of a scan.
idle() { # run, filter
	"$LANESCOPE" sql "$work/$1.lanes" --format csv "WITH tiles AS (SELECT lane, busy FROM span_idle($2, 0)),
		scan AS (SELECT lane, busy FROM span_idle($2, 0) WHERE gaps >= 0)
		SELECT (SELECT count(*) FROM tiles) - (SELECT count(*) FROM scan), count(*) FROM (SELECT * FROM tiles EXCEPT SELECT * FROM scan)" >"$work/idle" 2>&1
	[ "$(sed 1d "$work/idle")" = 0,0 ] || sed 's/^/# /' "$work/idle"
	[ "$(sed 1d "$work/idle")" = 0,0 ]
	result $? "$1: busy time of lanes, filter $2"
}

idle_alike() { # run
	idle "$1" "''"
	idle "$1" "'kind <> \"async\"'"
	idle "$1" "'lane_name GLOB \"*1*\"'"
	idle "$1" "'name LIKE \"%a%\"'"
}

check() { # name, path...
	name=$1
	shift
	"$LANESCOPE" import --quiet -o "$work/$name.lanes" "$@" 2>"$work/stderr" || {
		sed 's/^/# /' "$work/stderr"
		result 1 "$name is imported"
		return
	}
	duration=$("$LANESCOPE" sql "$work/$name.lanes" "SELECT duration_ns FROM run" --format csv | sed 1d)
	# thirds that cut spans, and no cell's border
	from=$((duration / 3 + 1))
	to=$((duration / 3 * 2 + 1))
	alike "$name" "range 0ns .. ${duration}ns" 0
	[ -s "$work/both" ]
	result $? "$name has lanes"
	alike "$name" "range ${from}ns .. ${to}ns" $from
	alike "$name" "lanes *1*; range ${from}ns .." $from
	alike "$name" "name LIKE '%e%'; range ${from}ns .. ${to}ns" $from
	alike "$name" "name LIKE '%a%'" 0
	idle_alike "$name"
}

# A Chrome trace of four threads, one of a single instant: their spans overlap, nest, touch, or have no length.
awk 'BEGIN {
	print "["
	for (i = 0; i < 3000; i++)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"name\":\"%s\",\"ts\":%d,\"dur\":%d},\n", i % 3, i % 7 ? "a" : "b", i * 5 % 4001 * 3, i % 11 * (i % 13) * (i % 3)
	print "{\"ph\":\"X\",\"pid\":1,\"tid\":4,\"name\":\"none\",\"ts\":7,\"dur\":0}]"
}' >"$work/crowd.json"
"$LANESCOPE" import --quiet -o "$work/crowd.lanes" "$work/crowd.json"
idle_alike crowd
check cascade "$data/cascade/single.jsonl"
check four "$data/golden/four.jsonl"
check chrome "$data/chrome/nested.json"
check gpu "$data/chrome/gpu.json"
check dftracer "$data/dftracer/new.pfw"
check dasf "$data/dasf/trace.msgpack"
check preemption "$data/preemption/events.csv"
if [ -d "$samples" ]; then
	check f4 "$samples/cascade/f4.jsonl"
	check cupti "$samples/chrome/pytorch-cupti.json.gz"
	check unet "$samples/dftracer/unet3d_old"
	check gpu1 "$samples/dasf/gpu1-TracePlugin-c096.msgpack"
	check p3 "$samples/preemption/bamboo/p3-trace.csv"
fi
echo "1..$count"
exit $failed
