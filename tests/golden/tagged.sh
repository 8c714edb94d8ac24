# Runs chosen by their tags and facts, and tags as columns of what is told of several.
trace=data/golden
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME
mkdir runs
lanescope import --quiet --tag nodes=4 --tag mode=scr --tag 'bs=4KiB' -o runs/a.lanes $trace/one.jsonl
lanescope import --quiet --tag nodes=16 --tag mode=base --tag total=7 -o runs/b.lanes $trace/four.jsonl
lanescope import --quiet --tag nodes=9 --tag mode=scr --tag rep=007 -o runs/c.lanes $trace/base-0.pfw
lanescope tag runs/b.lanes rep=2 note='it is "so"'
for run in runs/*.lanes; do touch -d @1700000000 "$run"; done
list() {
	lanescope runs runs "$@"
	echo "status $?"
}
echo "== columns behind the name; numbers sort as numbers"
list | cut -d, -f1-10
list --sort nodes --columns run,nodes
list --sort -rep --columns run,rep
list --sort -workers --columns 'run, workers,tag.hosts,hosts'
list --columns run,nods
list --columns run,run
list --columns ''
echo "== conditions"
for condition in 'nodes >= 9' 'nodes >= 4 AND mode = "scr"' "nodes = '4'" 'mode = scr AND NOT nodes = 9' 'bs = 4KiB' 'bs LIKE "4K%"' \
	'rep = 007' 'rep = 7' 'rep IS NULL' 'mode IN (base, other)' 'workers = 4' '"tag.hosts" = 1' 'duration < 3s AND lanes BETWEEN 2 AND 8' \
	"started > '2024-01-01'" "started < '2024-01-01' OR started IS NULL" 'file_bytes > 1KiB AND format REGEXP "^c"' 'note = "it is ""so"""'; do
	echo "-- $condition"
	list --where "$condition" --columns run --no-header 2>&1
done
for condition in 'nods = 3' 'nodes > x' 'nodes >' 'duration > abc' '(nodes = 1' 'nodes = ?1'; do
	list --where "$condition" 2>&1 | cut -c1-150
done
echo "== wherever runs stand"
lanescope query span-totals runs --runs-where 'nodes > 4' --limit 3
lanescope query task-summary runs --limit 2
lanescope query task-by-kind runs --runs-where 'format = cascade' --sort nodes --limit 2 --path | cut -d, -f1-8
lanescope query task-summary runs --runs-where 'workers = 4' --limit 1
lanescope query task-summary runs --runs-where 'nodes = 5'
lanescope diff task-summary --a runs --b runs --runs-where 'mode = base' --limit 1 --columns a
lanescope info runs --runs-where 'mode = base' --format csv --limit 1
lanescope spans runs --by category --runs-where 'nodes < 10' --limit 2
lanescope sql runs 'SELECT spans FROM run' --runs-where 'mode = scr'
lanescope export runs --to csv -o out --runs-where 'mode = base' && ls out | head -n 1
lanescope timeline runs --runs-where 'mode = base' --width 60 --ascii | head -n 1
echo broken >runs/d.lanes
lanescope query task-summary runs --runs-where 'nodes > 10' --limit 1
echo "a broken one is told: $?"
lanescope query task-summary runs/c.lanes
lanescope query task-by-kind runs/a.lanes runs/b.lanes --where "total > 1s AND nodes >= 4" --columns kind,total
lanescope query task-by-kind runs/a.lanes runs/b.lanes --by nodes --where 'total_mean > 1s'
lanescope query task-summary runs/b.lanes --where 'sum < 0'
lanescope query task-summary runs/b.lanes --where 'summ < 0'
lanescope query task-summary runs/b.lanes --where 'sum > 0' --behind 1
