# DASF: samples and tasks in two files are one run; its own figures, and ours beyond.
folder=data/dasf
lanescope import --quiet $folder/resources.msgpack $folder/trace.msgpack --name dasf
for query in task-bottleneck task-balance task-critical-path worker-balance worker-memory resource-summary; do
	echo "== $query"
	lanescope query $query dasf --format csv
done
echo "== function-bottleneck, by the names recorded and without their hashes"
lanescope query function-bottleneck dasf --format csv -p names=recorded
lanescope query function-bottleneck dasf --format csv
echo "== function-resources"
lanescope query function-resources dasf --format csv -p counter=cpu
lanescope query function-resources dasf --format csv -p counter=cpu -p when=run
echo "== resource-times"
lanescope query resource-times dasf --format csv -p counter=memory -p window=2s
echo "== without GPU samples"
lanescope import --quiet $folder/resources-cpu.msgpack $folder/trace.msgpack --name cpu
lanescope query function-bottleneck cpu --format csv
echo "== without any samples, in two runs"
lanescope import --quiet $folder/two-runs.msgpack
lanescope query function-bottleneck two-runs-1 two-runs-2 --format csv
lanescope query problems two-runs-1 two-runs-2 --format csv
lanescope import --quiet --one $folder/two-runs.msgpack
lanescope query function-bottleneck two-runs --format csv -p 'lane=*(run 2)'
lanescope query function-bottleneck two-runs --format csv --limit 2
echo "== problems"
lanescope import --dry-run $folder/again.msgpack $folder/later.msgpack
for name in two-runs damaged phases again circle later; do
	lanescope import --quiet --one $folder/$name.msgpack
	lanescope query problems $name --format csv
done
echo "== the critical path of tasks in a circle"
lanescope query task-critical-path circle --format csv
echo "== counters above 63 bits are no number of bytes: a figure is missing, never the greatest number there is"
lanescope import --quiet $folder/unsigned.msgpack
lanescope query worker-memory unsigned --format csv
echo "== an empty file is a run without records, if its name or --format says that it is DASF's"
: >nothing-TracePlugin-c1.msgpack && : >nothing
lanescope import --quiet --strict nothing-TracePlugin-c1.msgpack
lanescope query problems nothing-TracePlugin-c1 --format csv
lanescope query function-bottleneck nothing-TracePlugin-c1 --format csv
lanescope import --quiet --format dasf nothing && lanescope info nothing.lanes | sed -n '/^lanes/,/^problems/p'
rm nothing.lanes; lanescope import --quiet nothing
