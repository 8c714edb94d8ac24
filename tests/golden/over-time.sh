# Windows of time, by hand: two lanes, a queue, bytes. What the windows say adds up to what the run says, whatever their length, in a scope, too.
cat >trace.json <<'TRACE'
[{"name": "work", "cat": "cpu", "ph": "X", "ts": 0, "dur": 250, "pid": 1, "tid": 1},
{"name": "inner", "cat": "cpu", "ph": "X", "ts": 50, "dur": 100, "pid": 1, "tid": 1},
{"name": "write", "cat": "POSIX", "ph": "X", "ts": 120, "dur": 30, "pid": 1, "tid": 2, "args": {"ret": 4096, "size": 4096}},
{"name": "late", "cat": "cpu", "ph": "X", "ts": 420, "dur": 80, "pid": 1, "tid": 2}]
TRACE
lanescope import --quiet trace.json
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o base.lanes data/golden/base-0.pfw
echo "windows of 100 us: 100, 100 + 30, 50, 0 and 80 us of outermost spans; one without anything has its row"
lanescope query span-over-time trace.lanes -p window=100us --format csv
sums() { # run, options: rows, calls, bytes, time, waiting
	lanescope query span-over-time "$@" --format csv | awk -F, 'NR > 1 { n++; calls += $3; size += $4; time += $6; waiting += $8 } END { printf "%d calls, %.0f bytes, %.0f ns, %.0f ns waiting\n", calls, size, time, waiting }'
}
echo "whatever the window, the sums are those of the spans"
for run in four base; do
	sums $run.lanes
	sums $run.lanes -p window=7ms
	sums $run.lanes -p window=10h
	lanescope sql $run.lanes "SELECT sum(n) || ' calls, ' || coalesce(sum(size_sum), 0) || ' bytes' FROM span_sums('', 'kind NOT IN (\"aggregate\", \"annotation\", \"waiting\")') UNION ALL SELECT sum(dur_sum) || ' ns' FROM span_sums('', 'depth = 0 AND kind NOT IN (\"aggregate\", \"annotation\", \"async\", \"summary\", \"waiting\")') UNION ALL SELECT coalesce(sum(dur_sum), 0) || ' ns waiting' FROM span_sums('', 'kind = \"waiting\"')" --no-header
done
echo "of some spans, in a scope"
lanescope query span-over-time trace.lanes -p window=100us -p "filter=name = 'work'" --format csv
lanescope query span-over-time trace.lanes -p window=100us --scope 'range 200us..450us' --format csv
echo "by itself some hundred windows; as a picture"
lanescope query span-over-time four.lanes --format csv | sed -n '2p;$='
lanescope query span-over-time four.lanes --plot --size 60x10
lanescope query span-over-time four.lanes --plot --y busy_lanes,queue --size 60x10 --ascii
lanescope query span-over-time base.lanes --plot --y bandwidth --size 60x10
echo "a window by an option; of a query that has none"
lanescope query span-over-time trace.lanes --window 250us --columns start,calls
lanescope query task-by-kind four.lanes --window 1s
lanescope query span-over-time trace.lanes --window 1
echo "tasks that wait and that run: whatever the window, their sums are those of the tasks, and each task is queued, begun and done"
lanescope query task-waiting four.lanes --window 100ms --limit 4
end=$(lanescope sql four.lanes "SELECT range_end()" --no-header)
waits() { # options
	lanescope query task-waiting four.lanes --format csv "$@" | awk -F, -v end="$end" 'NR > 1 { part = $1 + $2 < end ? $2 : end - $1; waits += $3 * part; runs += $5 * part; queued += $7; begun += $8; done += $9 } END { printf "%.0f ns, %.0f ns, %d, %d, %d\n", waits, runs, queued, begun, done }'
}
waits
waits -p window=7ms
waits -p window=10h
lanescope sql four.lanes "SELECT sum(started - enqueued) || ' ns, ' || sum(finished - started) || ' ns, ' || count(*) FROM tasks" --no-header
for worker in worker0 'worker[1-9]'; do
	lanescope query task-waiting four.lanes -p worker="$worker" -p window=10h --columns queued,begun,done,running_most --no-header
done
lanescope query task-waiting four.lanes --window 100ms --scope 'range 150ms..250ms'
lanescope query task-waiting four.lanes --plot --size 60x10
echo "latency"
lanescope query span-cdf base.lanes -p names=2 --format csv
lanescope query span-cdf base.lanes -p names=2 --plot --size 60x12 --ascii
