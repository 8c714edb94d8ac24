# Transfers and what is wrong with some of them.
trace=data/golden
lanescope import --quiet $trace/*.jsonl $trace/hosts-log.txt
lanescope query transfer-times hosts.lanes | head -5
lanescope query transfer-times one.lanes
for run in four hosts hosts-log; do
	lanescope query transfer-summary $run --format table
	lanescope query transfer-by-mode $run --format table
done
lanescope query transfer-by-dataset hosts --limit 4
lanescope query transfer-avoidable hosts --format table
lanescope query transfer-avoidable hosts-log --format table
lanescope query transfer-avoidable four
lanescope query transfer-incomplete broken --format table
lanescope query transfer-incomplete hosts-log.lanes
