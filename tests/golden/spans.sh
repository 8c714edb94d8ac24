# lanescope spans: the list, groups, pivots, and what is refused.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
lanescope import --quiet -o sums.lanes data/dftracer/aggregated.pfw
lanescope import --quiet -o gpu.lanes data/chrome/gpu.json
echo "the list: in time, by another column, filtered, whole"
lanescope spans four.lanes --limit 3
lanescope spans gpu.lanes --sort -duration --limit 2 --format table
lanescope spans gpu.lanes --filter "category = 'kernel'" --format jsonl
lanescope spans gpu.lanes --sort -arg.stream --no-header | cut -d, -f6,11
lanescope spans gpu.lanes --sort host --limit 1 --no-header | cut -d, -f6
lanescope spans gpu.lanes --filter '^cuda' --format csv --no-header | wc -l
lanescope spans gpu.lanes --filter 'duration < 0' --format json
echo "groups: by one, by several, of several runs, with other figures, with sums"
lanescope spans gpu.lanes --by category --format table
lanescope spans gpu.lanes --by category,name --sort -count,name --limit 3
lanescope spans one.lanes four.lanes --by category --columns count,total
lanescope spans four.lanes --by host --columns count,min,p50,p95,max,std,first,last
lanescope spans four.lanes --by category --columns count --sum
lanescope spans four.lanes --by 'start(1s)' --columns count,total --format table
lanescope spans sums.lanes --by size --columns count,calls,mean,p50,size --format table
echo "in scope: the parts inside, and the whole"
lanescope spans gpu.lanes --scope 'range 12us .. 30us' --sort -inside --format table --limit 4
lanescope spans gpu.lanes --scope 'range 12us .. 30us' --by category --format table
lanescope spans gpu.lanes --scope 'range 12us .. 30us; lanes GPU*' --by 'start(5us)' --pivot category --format table
lanescope spans gpu.lanes --scope 'lanes GPU*' --by category --format table
echo "pivots: rows by columns, the rest in one"
lanescope spans gpu.lanes --by name --pivot category --format table
lanescope spans gpu.lanes --by category --pivot thread --measure count
lanescope spans four.lanes --by category --pivot lane_name --columns 2 --format table
lanescope spans gpu.lanes --by 'arg.stream' --pivot name --measure count --columns 2 --format json
echo "what can't be"
lanescope spans
lanescope spans gpu.lanes --by nmae
lanescope spans gpu.lanes --by name --columns medain
lanescope spans gpu.lanes --by name --pivot host --measure mean
lanescope spans gpu.lanes --by name --pivot name
lanescope spans gpu.lanes --by name --pivot host --columns none
lanescope spans gpu.lanes --pivot host
lanescope spans gpu.lanes --by name --measure total
lanescope spans gpu.lanes --columns count
lanescope spans gpu.lanes --filter 'duration >'
lanescope spans gpu.lanes --sort arguments
lanescope spans gpu.lanes four.lanes
lanescope spans gpu.lanes four.lanes --by name --pivot host
lanescope spans gpu.lanes -o gpu.lanes
