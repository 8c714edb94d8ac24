# Tasks: one worker, four workers, and the three generations of one run.
trace=data/golden
lanescope import --quiet $trace/*.jsonl $trace/hosts-log.txt
lanescope query task-times one.lanes | head -4
lanescope query task-times hosts-log.lanes --sort -total --limit 3 --format table
lanescope query task-summary one.lanes four.lanes
for run in hosts hosts.run2 hosts-log; do
	lanescope query task-summary $run --format table
	lanescope query task-by-worker $run --format table
done
lanescope query task-by-kind four --format table
lanescope query task-by-kind one.lanes four.lanes --wide --format table | head -12
lanescope query task-times -p kind=efi four --no-header
lanescope query task-incomplete broken --format table
