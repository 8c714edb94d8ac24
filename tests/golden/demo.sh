# The demo's traces: the same bytes each time, and what is in them.
lanescope demo | sed 's|[^ ]*/demo/|DEMO/|g; s/[0-9.]* [KM]iB *DEMO/DEMO/; s/file_bytes  path/path/; s/ *$//'
demo=home/cache/lanescope/demo
cksum <$demo/traces/one-worker.jsonl
cksum <$demo/traces/four-workers.jsonl
for trace in "$demo"/traces/training/*; do
	echo "${trace##*/} $(gzip -dc "$trace" | cksum)"
done
head -4 $demo/traces/four-workers.jsonl | cut -c1-250
gzip -dc $demo/traces/training/trace-9-of-16.pfw.gz | head -6
lanescope sql $demo/training "SELECT name, category, count(*) AS n, sum(duration), sum(size) AS bytes, count(DISTINCT path) AS paths
	FROM span GROUP BY name, category ORDER BY name, category"
for run in one-worker four-workers; do
	lanescope sql $demo/$run "SELECT CASE category WHEN 'wait' THEN name ELSE substr(name, 1, instr(replace(name, '(', ':'), ':') - 1) END AS what, category,
		count(*) AS n, sum(duration) FROM span GROUP BY what, category ORDER BY what, category"
	lanescope sql $demo/$run "SELECT scope, key, value FROM tags ORDER BY scope, key"
done
echo "a second time nothing is made anew"
before=$(ls -li $demo $demo/traces)
lanescope demo >/dev/null
test "$before" = "$(ls -li $demo $demo/traces)" && echo same
