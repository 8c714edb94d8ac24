# What import says and how it ends; times and sizes differ from machine to machine.
trace=data/golden
summary() {
	sed 's/; [0-9.]* [KM]iB in [^;]*//'
}
lanescope import $trace/one.jsonl $trace/four.jsonl | summary
lanescope import --name base -o base.lanes $trace/base-0.pfw $trace/base-1.pfw.gz | summary
mkdir each && lanescope import --each -o each $trace/base-0.pfw $trace/base-1.pfw.gz | summary
# A folder is made where the place ends in "/", or where several runs need one; a run file holds one, and nothing is made in vain.
lanescope import --each -o made/within/ $trace/base-0.pfw $trace/base-1.pfw.gz | summary
lanescope import -o single/ $trace/one.jsonl | summary
lanescope import -o several $trace/one.jsonl $trace/four.jsonl | summary
lanescope import -o all.lanes $trace/one.jsonl $trace/four.jsonl
lanescope import -o made/within/base-0.lanes $trace/one.jsonl $trace/four.jsonl
lanescope import -o made/within/base-0.lanes/ $trace/one.jsonl
lanescope import -o vain/ no-such-trace
ls -d all.lanes vain 2>/dev/null
lanescope import --name piped - <$trace/scr-0.pfw.gz | summary
printf '%s\n' '{"action": "taskPlanned", "task": "a:1", "worker": "worker0", "host": "controller", "at": 5}' 'no json' \
	'{"action": "taskPlanned", "worker": "worker0", "host": "controller", "at": 6}' >bad.jsonl
lanescope import bad.jsonl | summary
# A format that the user names is read as told; a file that holds nothing of it is no run, and beside others a problem.
printf 'name,value,other\na,1,2\n' >foreign.csv
for format in cascade dftracer chrome dasf preemption dataload counters; do
	lanescope import --format $format -o foreign.lanes foreign.csv
done
ls foreign.lanes 2>/dev/null
lanescope import --one --format dftracer -o beside.lanes foreign.csv $trace/base-0.pfw | summary
lanescope query problems beside.lanes | cut -d, -f1-3 | sort -u
echo '[]' >none.json
lanescope import --format chrome none.json | summary
lanescope import --strict --quiet bad.jsonl
echo "strict: $?"
lanescope import --strict --quiet $trace/one.jsonl
echo "strict: $?"
lanescope query problems bad.lanes
lanescope import
echo "nothing: $?"
lanescope import missing.jsonl
echo "missing: $?"
lanescope import --format xml $trace/one.jsonl
lanescope import --lenent $trace/one.jsonl
lanescope import --threads 0 $trace/one.jsonl
lanescope import -o
lanescope import --each=yes $trace/one.jsonl
echo hello >hello.txt
lanescope import hello.txt 2>&1 | sed "s/known: [^;]*;/known: ...;/"
ls
