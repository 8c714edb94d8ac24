# --scope: the same words for every command, answers that say what they are of, and what is refused.
lanescope import --quiet -o tasks data/cascade/multi.jsonl
lanescope import --quiet -o gpu data/chrome/gpu.json
echo "== of a run"
lanescope sql gpu --scope 'range 12us .. 30us' 'SELECT duration_ns, spans, lanes FROM run'
lanescope sql gpu --scope 'range 12us .. 30us; lanes GPU*' 'SELECT name, start, duration, inside FROM span'
lanescope sql gpu --scope 'range 12us .. 30us' --scope 'lanes GPU*' 'SELECT name, n, dur_sum FROM span_totals'
lanescope sql gpu --scope 'lanes GPU*' 'SELECT name FROM lanes'
lanescope sql gpu 'SELECT range_start(), range_end() = duration_ns FROM run'
lanescope sql gpu --scope 'range 12us .. 30us' 'SELECT range_start(), range_end() FROM run'
echo "== saved queries"
lanescope query span-totals gpu --scope 'range 12us .. 30us' --format table
lanescope query task-by-kind tasks --scope 'range 0s .. 1ms'
lanescope query task-by-kind tasks --scope 'name = x'
echo "what a condition takes of tasks and transfers is what it takes of their spans"
lanescope query task-by-kind tasks --scope "category = 'task'"
lanescope query transfer-by-mode tasks --scope "arg.mode = redundant"
echo "gaps are cut at the ends of a range, where they have no neighbour"
lanescope query idle-gaps gpu --scope 'range 42us .. 52us'
lanescope query gpu-idle gpu --scope 'range 42us .. 58us'
lanescope query gpu-gaps gpu --scope 'range 42us .. 58us'
lanescope query launch-delay gpu --scope 'range 42us .. 58us'
lanescope import --quiet -o four data/golden/four.jsonl
echo "queues and transfers are rows of a worker: they are not idle"
for query in idle-by-lane idle-gaps; do
	lanescope query $query four --format csv | cut -d, -f1 | sort -u | paste -sd" " -
done
lanescope query tags tasks --scope 'lanes nosuch'
lanescope query tags --help | grep 'Not scoped'
lanescope diff lane-totals gpu gpu --scope 'lanes GPU*' --format csv
echo "== pictures and exports"
lanescope timeline gpu --scope 'range 12us .. 30us' --width 60 --ascii
lanescope export gpu --to chrome --scope 'range 12us .. 30us; lanes GPU*' -o gpu.json
grep -c '"ph":"X"' gpu.json
lanescope export gpu --to csv --scope 'range 12us .. 30us' -o tables
head -n 2 tables/span.csv
echo "== explain"
lanescope explain gpu gpu --scope 'range 12us .. 30us' --part area --format csv
lanescope explain gpu gpu --scope 'name = x' --part area
echo "== what is refused"
lanescope sql gpu --scope 'range 2s' 'SELECT 1'
lanescope sql gpu --scope 'lanes GPU*; nam = x' 'SELECT 1'
lanescope sql gpu --scope 'range 2s .. 1s' 'SELECT 1'
