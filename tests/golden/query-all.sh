# Every question that fits, into a folder, with a list of them whose commands make the same files.
trace=data/golden
lanescope import --quiet $trace/four.jsonl
lanescope import --quiet --name base $trace/base-0.pfw
mkdir -p more few
lanescope query --all four.lanes -o answers
echo $?
ls answers
cut -d, -f1-4 answers/index.csv
echo "== the commands of the list make the files"
lanescope query --all four.lanes base.lanes -o 'two runs' --format jsonl -p 'least=1ms' --limit 3 --scope 'range 0s..1s'
commands() { sed -n 's/^.*"query": "\([^"]*\)".*"command": "\(.*\)"}$/\1 \2/p' 'two runs/index.jsonl'; }
commands | while read -r name command; do
	eval "$command" 2>/dev/null </dev/null | cmp - "two runs/$name.jsonl" || echo "$command"
done
commands | wc -l
echo "== one that fails, one that is called as the list, one that must be told what"
printf '%s\n' '-- title: Wrong' 'SELECT x FROM nowhere' >more/wrong.sql
printf '%s\n' '-- title: Not here' 'SELECT 1 AS x' >more/index.sql
printf '%s\n' '-- title: Told what' '-- param what text What' 'SELECT :what AS x' >more/told.sql
lanescope query --all --queries more four -o failed
echo $?
ls failed | grep -c csv
cat failed/INCOMPLETE
grep -E '^(wrong|index|told),' failed/index.csv
lanescope query --all --queries more four -o failed -p what=this 2>/dev/null
cat failed/told.csv
echo "== what is not asked so"
lanescope query --all four
lanescope query --all four -o -
lanescope query --all four -o answers.csv
lanescope query --all -o answers
lanescope query --all four -o answers --sort n
lanescope query --all four -o answers --columns n
lanescope query --all four -o answers -p nothing=1
lanescope query --all four -o answers --format xml
lanescope query --all nowhere.lanes -o answers
lanescope query --all four -o four.lanes
