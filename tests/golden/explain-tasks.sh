# Explain for tasks few enough to be reckoned by hand: who waited for whom, what moved, what never ended.
data() { echo "$1:$(printf %064d "$2")"; } # name and hash of a task and of the data set that it makes
at() { echo "{\"host\":\"$1\",\"task\":\"$2\",\"action\":\"$3\",\"worker\":\"$4\",\"at\":$((1000000000 + $5 * 1000000))}"; }
task() { # name, host, worker, planned, enqueued, started, finished in ms
	at controller "$1" taskPlanned "$2:$3" "$4"
	at "$2" "$1" taskEnqueued "$3" "$5"
	at "$2" "$1" taskStarted "$3" "$6"
	[ "$7" = - ] || at "$2" "$1" taskFinished "$3" "$7"
}
move() { # data set, to host and worker, planned, started, loaded, finished
	record "$1" controller transmitPlanned "$2:$3" "" "$4"
	record "$1" "$2" transmitStarted "$3" remote "$5"
	record "$1" "$2" transmitLoaded "$3" remote "$6"
	record "$1" "$2" transmitFinished "$3" remote "$7"
}
record() { echo "{\"host\":\"$2\",\"dataset\":\"$1\",\"action\":\"$3\",\"worker\":\"$4\",${5:+\"mode\":\"$5\",}\"at\":$((1000000000 + $6 * 1000000))}"; }
left=$(data load 1) right=$(data load 2) join=$(data join 3) last=$(data write 4) lost=$(data write 5)
{
	task "$left" h0 worker0 0 1 10 110    # 100 ms
	task "$right" h1 worker0 0 2 20 220   # 200 ms
	move "$right" h0 worker0 230 235 240 280
	task "$join" h0 worker0 225 226 290 340
	task "$last" h0 worker0 345 346 350 400
} >one.jsonl
{
	task "$left" h0 worker0 0 1 10 130
	task "$right" h1 worker0 0 2 20 320
	move "$right" h0 worker0 330 335 340 480
	move "$left" h1 worker0 330 331 332 333
	move "$left" h1 worker0 340 341 342 344
	task "$join" h0 worker0 325 326 490 520
	task "$last" h1 worker0 525 526 530 580
	task "$lost" h1 worker0 585 586 590 -
} >two.jsonl
lanescope import --quiet one.jsonl two.jsonl
lanescope explain --parts --format tsv --no-header | cut -f1 | grep -v -e '^io' -e indicators -e interference >parts
while read -r part; do
	echo "== $part"
	lanescope explain one two --part "$part" --format csv
done <parts
echo "== the other way round"
for part in stages area path replay schedule schedule-transfers; do
	lanescope explain two one --part $part --format csv 2>/dev/null
done
echo "== of one run"
lanescope explain one two --part path-steps -p run=a --format csv
lanescope explain one two --part path-steps -p shortest=20ms --format csv
lanescope explain one two --part path-steps -p run=c
lanescope explain one two --part what-if -p run=a -p faster=50 --format csv
lanescope explain one two --part what-if -p kind=join -p faster=100 --format csv
lanescope explain one two --part what-if -p kind=nothing
for faster in 0 100.5 -1 50% x; do lanescope explain one two --part what-if -p faster=$faster; done
lanescope explain one two --part what-if -p run=c
lanescope explain one two --part matched-tasks -p kind=load --format csv
lanescope explain one two --part matched-tasks -p kind=nothing --format csv
echo "== stages: of transfers, of both; what is small is folded"
lanescope explain one two --part stages -p of=transfer --format csv
lanescope explain one two --part stages -p of=both -p by=stage --format csv
lanescope explain one two --part stages -p of=both -p by=kind -p fold=0 --format csv
lanescope explain one two --part stages -p fold=25% --format csv
echo "== names without their hashes, where no name is in both"
sed 's/000000\([1-5]\)"/000077\1"/' two.jsonl >other.jsonl
lanescope import --quiet other.jsonl
for part in matched schedule-transfers schedule; do
	lanescope explain one other --part $part --format csv
done
echo "== everything at once"
lanescope explain one two --part all --format csv
lanescope explain one two --part all --format table --limit 2
