# Efficiencies that can be reckoned by hand, of one run (query efficiency) and of several (part scaling), and those of runs on 1 and 4 workers.
comma=
lanes() { # run, then "tid start duration name" in us ...
	run=$1
	shift
	printf '{"traceEvents": [' >"$run.json"
	for span; do
		# shellcheck disable=SC2086 # four words
		set -- $span
		printf '%s{"ph": "X", "name": "%s", "pid": 1, "tid": %s, "ts": %s, "dur": %s}' "$comma" "$4" "$1" "$2" "$3" >>"$run.json"
		comma=', '
	done
	comma=
	echo ']}' >>"$run.json"
	lanescope import --quiet "$run.json"
}
lanes alone "1 0 40 work" "1 40 40 work" "1 80 40 work"
lanes both "1 0 40 work" "1 40 40 work" "2 0 40 work" "2 90 10 wait"
lanes uneven "1 0 80 work" "1 20 10 nested" "2 0 40 work" "3 90 10 wait"
echo "== of one run: mean over largest, largest over makespan, their product"
for run in alone both uneven; do
	lanescope query efficiency $run.lanes --format csv
	lanescope query efficiency $run.lanes -p filter='name = "work"' --format csv
done
lanescope query efficiency alone.lanes -p filter='name = "nothing"' --format csv
echo "== of several: the fewest lanes first"
lanescope explain uneven.lanes both.lanes alone.lanes --part scaling --format csv
echo "== by a tag"
lanescope explain alone.lanes both.lanes --part scaling -p by=workers
echo "== tasks with transfers"
data=data/golden
lanescope import --quiet --name one $data/one.jsonl
lanescope import --quiet --name four $data/four.jsonl
lanescope explain four one --part scaling --format csv
lanescope explain four one --part scaling -p by=generation --format csv
lanescope query efficiency four --format csv
