# Differences of two runs.
trace=data/golden
lanescope import --quiet $trace/one.jsonl $trace/four.jsonl $trace/broken.jsonl
lanescope diff task-by-kind one four --format table
lanescope diff task-times one.lanes four.lanes --measure total --sort total_rel
lanescope diff task-times one four --measure total --key kind --limit 3
lanescope diff transfer-by-mode four broken --format table
lanescope diff task-times $trace/one.jsonl $trace/four.jsonl --measure run_time --limit 1
lanescope diff task-times one
lanescope diff task-times one four broken
lanescope diff task-times one four --measure totl
lanescope diff task-times one four --key nothing
lanescope diff tags one four
echo "nothing to subtract: $?"
