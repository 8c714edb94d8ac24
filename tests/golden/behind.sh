# What stands behind a row, headless: the spans that it counts, or the rows of the query that it leads to.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o base.lanes data/golden/base-0.pfw
lanescope import --quiet -o gpu.lanes data/chrome/gpu.json
echo "spans: as many calls, as much time as the row says"
lanescope query call-counts base.lanes --format csv --limit 2
lanescope query call-counts base.lanes --behind 2 --format csv >behind.csv
awk -F, 'NR > 1 { n++; time += $2 } END { print n, time }' behind.csv
lanescope query call-counts base.lanes --behind 1 --limit 2 --sort name --format csv | cut -c1-70
lanescope query path-busy base.lanes --behind 1 -p 'name=*open*' --limit 1 --format csv | cut -c1-70
echo "rows of another query"
lanescope query task-by-kind four.lanes --behind 1 --format csv
lanescope query gpu-idle gpu.lanes --behind 1 --format csv
lanescope query gpu-busy gpu.lanes --behind 1 --format csv
echo "gaps and flows by themselves"
lanescope query gpu-gaps gpu.lanes --format csv --limit 3
lanescope query gpu-device-gaps gpu.lanes --format csv
lanescope query flow-spans gpu.lanes --format csv
echo "nothing"
lanescope query idle-gaps four.lanes --behind 1
lanescope query idle-gaps four.lanes --behind 0
lanescope query span-totals four.lanes --behind 1000
lanescope query span-totals four.lanes base.lanes --behind 1
lanescope query span-totals four.lanes --baseline base.lanes --fail-over 5% --behind 1 2>&1 | head -1
