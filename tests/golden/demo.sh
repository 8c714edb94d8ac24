# The demo's traces: the same bytes each time, and what is in them.
lanescope demo | sed "s|$PWD/home/cache/lanescope/demo|DEMO|g"
demo=home/cache/lanescope/demo
for trace in "$demo"/traces/*.jsonl "$demo"/traces/spot/* "$demo"/traces/*/*.gz "$demo"/traces/*.gz; do
	echo "${trace#"$demo"/traces/} $(gzip -dcf "$trace" | cksum)"
done
lanescope runs $demo --format csv | cut -d, -f1-9
head -4 $demo/traces/four-workers.jsonl | cut -c1-250
gzip -dc $demo/traces/training/trace-9-of-16.pfw.gz | head -6
gzip -dc $demo/traces/pytorch.json.gz | sed -n '1,20p;$p' | cut -c1-250
lanescope sql $demo/training "SELECT name, category, count(*) AS n, sum(duration), sum(size) AS bytes, count(DISTINCT path) AS paths
	FROM span GROUP BY name, category ORDER BY name, category"
for run in one-worker four-workers; do
	lanescope sql $demo/$run "SELECT CASE category WHEN 'wait' THEN name ELSE substr(name, 1, instr(replace(name, '(', ':'), ':') - 1) END AS what, category,
		count(*) AS n, sum(duration) FROM span GROUP BY what, category ORDER BY what, category"
	lanescope sql $demo/$run "SELECT scope, key, value FROM tags ORDER BY scope, key"
done
lanescope query gpu-idle $demo/pytorch
lanescope query transfer-by-mode $demo/two-hosts $demo/four-hosts
lanescope spans $demo/spot-training --by name --filter 'category = job'
lanescope diff checkpoint-time $demo/training $demo/training-scr
