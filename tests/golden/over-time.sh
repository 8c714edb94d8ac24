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
echo "latency"
lanescope query span-cdf base.lanes -p names=2 --format csv
lanescope query span-cdf base.lanes -p names=2 --plot --size 60x12 --ascii
