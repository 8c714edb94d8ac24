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
echo "== texts that spreadsheets would compute"
printf '[{"name":"=1+1","ph":"X","ts":0,"dur":1,"pid":1,"tid":1,"args":{}},\n{"name":"a\\u200bb","ph":"X","ts":2,"dur":1,"pid":1,"tid":1,"args":{}}]\n' >hostile.json
lanescope import --quiet hostile.json
lanescope sql hostile 'SELECT name, -1 AS "-n" FROM span ORDER BY id'
lanescope sql hostile 'SELECT name, -1 AS "-n" FROM span ORDER BY id' --safe-csv
lanescope export hostile --to tsv --safe-csv && grep -o "'=1+1" hostile-tsv/span.tsv
lanescope sql hostile 'SELECT name FROM span ORDER BY id' --format table
