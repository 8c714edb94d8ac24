# Mistakes, and what is said about them.
trace=data/golden
lanescope import --quiet $trace/four.jsonl
lanescope impotr $trace/four.jsonl
echo $?
lanescope nonsense
lanescope ./nonsense
lanescope help imprt
lanescope query
lanescope query task-times
lanescope query task-tmies four
lanescope query io-summary four
lanescope query task-times four -p wroker=x
lanescope query task-times four -p worker
lanescope query io-summary -p window=soon $trace/base-0.pfw
lanescope query task-times four --sort ttoal
lanescope query task-times four --limit -1
lanescope query task-times four --frmat csv
lanescope query task-times four -x
lanescope query task-times missing.lanes
head -c 5000 four.lanes >cut.lanes && lanescope query task-times cut.lanes 2>&1 | sed 's/instead of [0-9]*/instead of N/'
printf 'SQLite format 3\0' >foreign.lanes && lanescope info foreign.lanes
lanescope export four
lanescope export four --to table
lanescope completion tcsh
lanescope
echo $?
