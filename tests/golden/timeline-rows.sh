# Rows of the timeline: their order and names, counters in cells, failed calls.
record() { printf ',\n{%s}' "$1"; }
span() { record "\"ph\":\"X\",\"name\":\"$1\",\"pid\":$2,\"tid\":$3,\"ts\":$4,\"dur\":$5"; }
named() { record "\"ph\":\"M\",\"name\":\"$1\",\"pid\":$2,\"tid\":$3,\"args\":{\"name\":\"$4\"}"; }
sorted() { record "\"ph\":\"M\",\"name\":\"$1\",\"pid\":$2,\"tid\":$3,\"args\":{\"sort_index\":$4}"; }
value() { record "\"ph\":\"C\",\"name\":\"$1\",\"pid\":$2,\"tid\":0,\"ts\":$3,\"args\":{\"$4\":$5}"; }
trace() {
	printf '[{"ph":"M","name":"x","pid":1,"tid":1}'
	cat
	printf ']\n'
}
echo "== in the order that the trace wishes, of processes before threads; what their names share is said once"
{
	for process in 1 2 3; do
		for thread in 7 8 9; do
			span work $process $thread $((process * 100)) $((thread * 10))
		done
	done
	named process_name 1 0 python
	named process_name 2 0 'GPU 2'
	named process_name 3 0 loader
	named thread_name 1 7 'main (python)'
	named thread_name 1 8 'reader (pyt)'
	named thread_name 1 9 'other (perl)'
	named thread_name 2 7 'stream ()'
	named thread_name 3 7 '(loader)'
	sorted process_sort_index 1 0 5
	sorted process_sort_index 2 0 -5
	sorted thread_sort_index 1 9 -1
	sorted thread_sort_index 1 7 4
	sorted thread_sort_index 2 8 -7
} | trace >rows.json
lanescope import --quiet rows.json
lanescope timeline rows --width 70 --ascii
lanescope sql rows "SELECT scope, key, value FROM tags WHERE key LIKE '%sort_index' ORDER BY scope, key"
echo "== cells of one depth"
printf '[\n{"ph":"X","name":"out","pid":1,"tid":1,"ts":0,"dur":10},\n{"ph":"X","name":"in","pid":1,"tid":1,"ts":2,"dur":5}]' >deep.json
lanescope import --quiet deep.json
lanescope timeline deep --from 1us --to 3us --width 30 --depth --format csv | cut -d, -f1-5,8-10 | sed -n '1p;13,17p'
lanescope timeline deep --width 60 --depth --ascii | tail -5
echo "== a counter of so many samples that not each is held: the lowest and highest of each cell, and what it was before"
awk 'BEGIN {
	printf "[{\"ph\":\"X\",\"name\":\"x\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1}"
	for (i = 0; i < 22000; i++) {
		printf ",\n{\"ph\":\"C\",\"name\":\"many\",\"pid\":1,\"ts\":%d,\"args\":{\"v\":%d}}", i, (i * 7) % 1000 - (i > 19000) * 500
		if (i % 2)
			printf ",\n{\"ph\":\"C\",\"name\":\"half\",\"pid\":1,\"ts\":%d,\"args\":{\"v\":%d}}", i, (i * 7) % 1000 - (i > 19000) * 500
	}
	print "]"
}' >samples.json
lanescope import --quiet samples.json
cells() { lanescope timeline samples --counters --width 30 --format csv "$@" | grep -E 'many|half' | awk -F, '$3 < 22000000' | cut -d, -f1,11- | uniq -c | sed 's/^ *//'; }
cells --to 21.5ms
cells --from 20.9995ms --to 21.0005ms
lanescope timeline samples --counters --width 60 --ascii | grep -E 'many|half'
echo "== long names that begin alike show what tells them apart"
{
	echo time,host,name,value
	printf '0,h,cluster RunningNodesOf%s,1\n' AllZones ZoneA ZoneB TheSmallestZone
	printf '0,h,cluster Total,1\n0,h,other,2\n0,h,nodes TotalInstancesOfTheGroup,2\n0,h,nodes TotalInstancesOnDemandGroup,3\n'
} >nodes.csv
lanescope import --quiet nodes.csv
lanescope timeline nodes --counters --width 70 --ascii
echo "== failed calls among others"
for i in 1 2 3 4 5 6; do
	echo "{\"id\":$i,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":1,\"ts\":$((i * 100)),\"dur\":50,\"ph\":\"X\",\"args\":{\"ret\":$((i % 3 - 1)),\"fname\":\"/p/x\"}}"
done >calls.pfw
lanescope import --quiet calls.pfw
lanescope timeline calls --width 60 --colour status --ascii
lanescope timeline calls --width 60 --colour status -o calls.svg && grep -c '<rect' calls.svg
grep -o '<rect[^>]*' calls.svg | sed 's/.*fill="\([^"]*\)".*/\1/; s/.*class="\([^"]*\)".*/\1/' | tr '\n' ' '
