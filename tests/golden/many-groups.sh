# More groups of lane, category and name than are summed at once: the totals are those of the spans.
awk 'BEGIN {
	print "["
	for (i = 0; i < 270000; i++)
		printf "{\"ph\":\"X\",\"name\":\"n%d\",\"ts\":%d,\"dur\":%d,\"pid\":1,\"tid\":%d},\n", i % 27, i, i % 7, i / 27
	print "{\"ph\":\"X\",\"name\":\"n0\",\"ts\":0,\"dur\":9,\"pid\":1,\"tid\":5}]"
}' >groups.json
lanescope import --quiet groups.json
lanescope sql groups "SELECT count(*), sum(rows), sum(dur_sum), max(dur_max), count(DISTINCT lane) FROM span_totals"
lanescope sql groups "SELECT count(*), sum(duration), max(duration), count(DISTINCT lane) FROM span"
lanescope sql groups "SELECT count(*) FROM (SELECT lane, lag(lane) OVER (ORDER BY rowid) AS before FROM span_total) WHERE lane < before"
lanescope query span-totals groups --limit 2
# More groups than a small budget holds come in parts, which are sorted all the same, as those that come at once.
for by in "n DESC, lane, name" "dur_max, name DESC, lane DESC"; do
	lanescope sql groups "SELECT rowid, lane, name, n, dur_max FROM span_sums('lane,name') ORDER BY $by" -o once.csv
	lanescope sql --memory 32M groups "SELECT rowid, lane, name, n, dur_max FROM span_sums('lane,name') ORDER BY $by" -o parts.csv
	cmp once.csv parts.csv && head -n 3 parts.csv && wc -l <parts.csv
done
lanescope sql --memory 32M groups "SELECT lane, n FROM span_sums('lane,name') ORDER BY process"
lanescope sql --memory 32M groups "SELECT lane, path, n FROM span_sums('lane,name') ORDER BY n DESC"
# A timeline of more names than cells can tell apart shows those with most time.
awk 'BEGIN {
	print "["
	for (i = 0; i < 40000; i++) {
		printf "{\"ph\":\"b\",\"cat\":\"request\",\"id\":%d,\"name\":\"get %d\",\"ts\":%d,\"pid\":1},\n", i, i, i % 9
		printf "{\"ph\":\"e\",\"cat\":\"request\",\"id\":%d,\"name\":\"get %d\",\"ts\":%d,\"pid\":1},\n", i, i, 900 + i % 90
	}
	print "{}]"
}' >requests.json
lanescope import --quiet requests.json 2>/dev/null
lanescope timeline requests --width 100
