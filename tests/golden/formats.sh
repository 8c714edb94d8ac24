# Every format of output, to a pipe and to files.
trace=data/golden
lanescope import --quiet $trace/four.jsonl
for format in table csv tsv json jsonl md; do
	echo "== $format"
	lanescope query task-by-kind four --format $format --sort kind --limit 2
done
lanescope query task-by-kind four -o out.json --limit 1
cat out.json
lanescope query task-by-kind four -o out.txt --limit 1 --no-header
cat out.txt
lanescope query task-by-kind four --format csv -o out.json --limit 1
cat out.json
lanescope query task-by-kind four --format csv -o /dev/stdout --limit 1
lanescope query task-by-kind four -o missing/out.csv
echo "no folder: $?"
lanescope query task-by-kind four >/dev/full
echo "full: $?"
lanescope query task-by-kind four --format xml
COLUMNS=40 lanescope query task-by-kind four --format md --limit 1
ls
