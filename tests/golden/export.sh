# A whole run as files.
trace=data/golden
lanescope import --quiet $trace/four.jsonl
lanescope export four --to csv
ls four-csv
cat four-csv/lanes.csv
head -2 four-csv/span.csv
lanescope export four --to jsonl -o out && head -1 out/tasks.jsonl
lanescope export four --to csv -o /dev/null/x
echo $?
