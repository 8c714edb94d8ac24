# Charts of answers, as text and as SVG: each kind, what is chosen where nothing is said, and what can't be drawn.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
lanescope import --quiet data/golden/base-0.pfw
echo "bars: what the keys and the measure of a query make; several runs are series"
lanescope query task-by-kind four.lanes --plot
lanescope query task-by-kind one.lanes four.lanes --plot bars --ascii --size 60x12
lanescope query span-quantiles four.lanes --plot --y median --limit 4
echo "a distribution; sizes by how often they occur"
lanescope query task-times four.lanes --plot cdf --x run_time --series kind --size 60x12
lanescope query task-times four.lanes --plot=histogram --x run_time --size 60x12
lanescope query task-times four.lanes --plot=histogram --x run_time --size 60x12 --log y
lanescope query size-counts base-0.lanes --plot histogram --x size --y count --size 60x12 --ascii
echo "points, lines"
lanescope query task-times four.lanes --plot scatter --x queue_delay --y run_time --series kind --size 60x14
lanescope query task-times four.lanes --plot line --x run_time --y total,on_worker --series '' --size 60x14
echo "the values of a tag are a series each"
for workers in 1 4; do
	for mode in base scr; do
		lanescope import --quiet --tag n=$workers --tag mode=$mode --name "$mode-$workers" -o tagged/ data/golden/$([ $workers = 1 ] && echo one || echo four).jsonl
	done
done
lanescope query efficiency tagged --by n --pivot mode --measure efficiency --plot --size 60x12
lanescope query task-by-worker tagged --by n --pivot mode --measure on_worker_sum,tasks --plot bars --size 60x12 2>/dev/null
echo "a heat map is a pivot"
lanescope query task-times four.lanes --plot heatmap --x kind --series worker --y run_time
lanescope query task-times four.lanes --plot heatmap --x kind --series worker --y run_time --size 30x9 --ascii
echo "SVG, by the file's ending or by its format"
lanescope query task-by-kind four.lanes --plot -o kinds.svg && lanescope query task-by-kind four.lanes --plot --format svg | cmp - kinds.svg && grep -v style kinds.svg
grep -cE '<script|href|url\(|&[^lgaq]' kinds.svg
lanescope query task-by-kind one.lanes four.lanes --plot --format svg | grep '<title>' | head -3
lanescope query task-times four.lanes --plot heatmap --x kind --series worker --y run_time --format svg | grep '<title>' | head -2
echo "what can't be drawn"
lanescope query task-by-kind four.lanes --plot line
lanescope query task-times four.lanes --plot --y task
lanescope query task-times four.lanes --plot --y total,nonsense
lanescope query task-times four.lanes --plot=pie
lanescope query task-times four.lanes --x run_time
lanescope query task-times four.lanes --format svg
lanescope query task-times four.lanes --plot --format csv
lanescope query task-times four.lanes --plot --log z
lanescope query task-times four.lanes --plot --size 0x4
lanescope query task-times four.lanes --plot -o four.lanes --format svg
for name in four.png four.csv four.html; do
	lanescope query task-by-kind four.lanes --plot -o "$name" || ls "$name" 2>/dev/null
done
lanescope query task-by-kind four.lanes --plot -o four.txt && lanescope query task-by-kind four.lanes --plot | cmp - four.txt
lanescope query task-times four.lanes --plot -p kind=none
