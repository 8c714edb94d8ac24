# What tests/export/*.sh share: trip_all PATH... A Chrome trace of a run, imported again, holds the run's spans, events, samples and
# dependencies: lanes, names, times to the nanosecond, and arguments with their types. TAP.
#
# What comes with it in the trace is left out: capacity as counters (process "cluster"), and dependencies of tasks, which become
# dependencies of their spans. Arguments are compared by key, as their order is that of keys in the file.
. "$(dirname "$0")/../tap.sh"

lane="host, process, typeof(process), thread, typeof(thread), lane_name, s.kind"
args="(SELECT group_concat(key || ' ' || type || ' ' || coalesce(value, ''), ';') FROM (SELECT * FROM json_each(s.args) ORDER BY key))"
# (A span without length may stand where others end: a record of its own can't say in which of them.)
spans="SELECT s.start + r.start_ns, duration, CASE WHEN duration > 0 THEN depth END, self, $lane, s.name, category, s.path, size, calls, $args FROM span s, run r"
events="SELECT s.time + r.start_ns, $lane, s.name, category, $args FROM event s, run r"
samples="SELECT s.time + r.start_ns, $lane, s.name, value FROM counter s, run r
	WHERE NOT (s.name LIKE 'capacity[%' OR s.name LIKE 'preempted[%')"
flows="WITH f(name, source, target) AS (SELECT d.name, d.from_id, d.to_id FROM dependencies d WHERE type = 'span')
	SELECT coalesce(f.name, 'dependency'), a.start + r.start_ns, a.duration, a.lane_name, a.name,
	b.start + r.start_ns, b.duration, b.lane_name, b.name
	FROM run r, f CROSS JOIN span a ON a.id = f.source CROSS JOIN span b ON b.id = f.target"

ask() { # run, statement, file
	"$LANESCOPE" sql "$1" --format csv --no-header "$2" >"$work/unsorted" 2>"$work/stderr" || {
		sed 's/^/# /' "$work/stderr"
		return 1
	}
	sort "$work/unsorted" >"$work/$3"
}

one() { # run, statement: its single value
	"$LANESCOPE" sql "$1" --format csv --no-header "$2"
}

compare() { # name, what, statement
	ask "$run" "$3" before && ask "$work/again.lanes" "$3" after && cmp -s "$work/before" "$work/after"
	compared=$?
	[ $compared -eq 0 ] || diff "$work/before" "$work/after" | head -6 | cut -c 1-400 | sed 's/^/# /'
	result $compared "$1: the same $2 ($(wc -l <"$work/before" | tr -d ' '))"
}

round_trip() { # name; the run is $run
	if ! "$LANESCOPE" export "$run" --to chrome -o "$work/trace.json.gz" 2>"$work/stderr"; then
		grep -q 'nothing in it has a time' "$work/stderr"
		result $? "$1: nothing to show, and it says so"
		return
	fi
	"$LANESCOPE" import --quiet --force -o "$work/again.lanes" "$work/trace.json.gz" 2>"$work/stderr"
	result $? "$1: its Chrome trace is imported"
	[ "$(one "$work/again.lanes" 'SELECT bad_records FROM source')" = 0 ]
	result $? "$1: no bad records"
	compare "$1" spans "$spans"
	compare "$1" events "$events"
	compare "$1" samples "$samples"
	nests "$1"
	if [ "$(one "$run" "SELECT count(*) FROM dependency WHERE type = 'task'")" = 0 ]; then
		compare "$1" dependencies "$flows"
	fi
}

# Viewers want the spans of a thread to nest: read as anybody's trace, no span stands deeper than its parent and one.
nests() { # name
	[ "$(one "$run" "SELECT (SELECT spans FROM run) > 20000 OR EXISTS (SELECT 1 FROM lanes WHERE kind = 'aggregate')")" = 0 ] || return
	gzip -dc "$work/trace.json.gz" | sed 's/"producer":"lanescope/"producer":"another/' >"$work/plain.json"
	"$LANESCOPE" import --quiet --force -o "$work/plain.lanes" "$work/plain.json" 2>"$work/stderr"
	[ "$(one "$work/plain.lanes" "SELECT count(*) FROM span s LEFT JOIN span p ON p.id = s.parent WHERE s.depth <> coalesce(p.depth + 1, 0)")" = 0 ]
	result $? "$1: spans nest on every thread"
}

trip_all() { # path...
	rm -rf "$work/runs"
	mkdir "$work/runs"
	"$LANESCOPE" import --quiet --each -o "$work/runs" "$@" 2>/dev/null
	for run in "$work/runs"/*.lanes; do
		[ ! -f "$run" ] || round_trip "$(basename "$run" .lanes)"
	done
}

"$LANESCOPE" sql --help >/dev/null || exit 2
