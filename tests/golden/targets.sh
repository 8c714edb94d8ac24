# -o never takes the place of a run, of an input, or of the trace behind a run.
mkdir sub
cp data/golden/one.jsonl one.jsonl
cp data/golden/four.jsonl four.jsonl
lanescope import --quiet one.jsonl four.jsonl
ln -s one.lanes link && ln four.jsonl hard.jsonl && ln four.jsonl hard && ln -s ../one.jsonl sub/link.jsonl
cp one.lanes run-without-ending && cp one.lanes other.csv
cat *.lanes *.jsonl run-without-ending other.csv | cksum >before
whole() { cat *.lanes *.jsonl run-without-ending other.csv | cksum | cmp - before; }
try() { # must fail
	lanescope "$@"
	echo "status $?"
	whole
}

echo '# run files, by any name'
try query task-summary one.lanes -o one.lanes
try query task-summary one.lanes -o link
try query task-summary one.lanes --format csv -o four.lanes
try query task-summary one.lanes -o run-without-ending
try query task-summary four.lanes -o other.csv
try diff task-by-kind one.lanes four.lanes -o other.csv
try sql one.lanes 'SELECT 1' -o other.csv
try explain one.lanes four.lanes -o other.csv
try timeline one.lanes -o other.csv
try timeline one.lanes --svg -o run-without-ending
try export one.lanes --to chrome -o run-without-ending
try simulate preemption --minutes 10 -o other.csv
try simulate preemption --minutes 10 --log run-without-ending
try simulate preemption --minutes 10 -o one.lanes
try simulate checkpoint -o other.csv
try info one.lanes -o other.csv
try runs . -o other.csv
try queries one.lanes -o other.csv

echo '# traces, named as inputs and behind runs, by any name'
try query task-summary one.jsonl -o one.jsonl
try query task-summary one.lanes --format csv -o one.jsonl
try query task-summary one.lanes --format csv -o sub/link.jsonl
try query task-summary four.jsonl -o hard.jsonl
try diff task-by-kind one.jsonl four.jsonl --format csv -o four.jsonl
try explain one.lanes four.lanes -o four.jsonl
try timeline four.jsonl -o hard --svg
try sql four.lanes 'SELECT 1' -o four.jsonl
cp data/chrome/*.json . 2>/dev/null
printf '[{"ph":"X","ts":0,"dur":5,"pid":1,"tid":1,"name":"a"}]' >t.json && cksum t.json >trace
lanescope export t.json --to chrome -o t.json
echo "status $?"
cksum t.json | cmp - trace
echo '# a trace that was moved, or has grown since'
lanescope import --quiet t.json && mv t.json moved.json
lanescope export t.lanes --to chrome -o moved.json
echo "status $?"
mv moved.json t.json && echo ' ' >>t.json
lanescope export t.lanes --to chrome -o t.json
echo "status $?"
echo '# standard input'
echo 'SELECT 7' >question.sql
lanescope sql one.lanes -o question.sql <question.sql
echo "status $?"
cat question.sql

echo '# endings of other formats'
for ending in parquet xlsx XLS db sqlite feather arrow h5 pdf html lanes csv.gz zip; do
	lanescope query task-summary one.lanes -o "new.$ending" || ls "new.$ending" 2>&1
done
lanescope query task-summary one.lanes --format csv --limit 1 -o new.db && cat new.db
for ending in CSV tsv json jsonl md txt log out; do
	lanescope query task-by-kind one.lanes --limit 1 -o "new.$ending" && head -c 20 "new.$ending" | head -1
done
lanescope query task-by-kind one.lanes --limit 1 -o ./v1.parquet.d/x 2>&1 | head -1
mkdir v1.db && lanescope query task-by-kind one.lanes --limit 1 -o v1.db/answer && head -1 v1.db/answer

echo '# older answers are replaced; special files are written always'
lanescope query task-by-kind one.lanes -o new.csv && lanescope query task-summary one.lanes -o new.csv && head -1 new.csv
lanescope query task-summary one.lanes -o /dev/null && echo written
mkfifo pipe.db && { cat pipe.db | head -1 & } && lanescope query task-summary one.lanes -o pipe.db
wait
lanescope query task-summary one.lanes -o /dev/stdout | head -1
{ lanescope query task-summary one.lanes --limit 1 --no-header -o /dev/fd/3 && echo more >&3; } 3>appended
cut -d, -f1 appended
