# Two runs over each other: a span and its partner, what is marked, kept, painted and scoped on both, and the way back to one run.
trace=data/golden
mkdir runs
lanescope import --quiet -o runs/one.lanes $trace/one.jsonl
lanescope import --quiet -o runs/four.lanes $trace/four.jsonl
. data/golden/keys
keys "the slowest task of the kind that got slower, and its partner: both on the screen" 80x24 "D Enter S l ] = screen =" runs/one.lanes runs/four.lanes
keys "on a large screen" 200x50 "D Enter S l ] =" runs/one.lanes runs/four.lanes
keys "in ASCII" 80x24 "~ D Enter S l ] =" runs/one.lanes runs/four.lanes
keys "elsewhere in time and too many lanes away: aligned, the lanes between hidden, and there again" 80x14 "D Enter j S l ] j T w w w = screen = screen I" runs/one.lanes runs/four.lanes
keys "marks, their counts and lanes when A and B are swapped" 80x24 "| '/retrieve' Enter screen x" runs/one.lanes runs/four.lanes
keys "to one run alone and back, in the same window with the same span" 80x24 "| '/efi' Enter Esc w w . screen | screen |" runs/one.lanes runs/four.lanes
keys "swapped in explain, in a difference: the marks are, too" 80x12 "X x screen q screen D Enter x q q" runs/one.lanes runs/four.lanes
keys "a row of a difference in scope: what the scope does not choose is said" 80x24 "D Enter + screen | & Enter screen q - D '/Tasks by worker' Enter Enter j j |" runs/one.lanes runs/four.lanes
keys "a range of both becomes their scope" 80x24 "| @ L L m L L L L L L m +" runs/one.lanes runs/four.lanes
keys "a lane's time is no span's number" 80x12 "':query idle-by-lane' Enter j T" runs/four.lanes
call() { printf '[{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": %d, "name": "load"}, {"ph": "X", "pid": 1, "tid": 1, "ts": 900000, "dur": 9, "name": "go"}]\n' "$1" >"$2.json" && lanescope import --quiet "$2.json"; }
call 7 short
call 791234 long
for runs in "short.lanes long.lanes" "long.lanes short.lanes"; do
	printf '80x14 |\n' >keys
	lanescope --keys keys $runs | grep ' of its time\| x its time'
done
