# The explorer's views around the tables: runs, overview, spans, one span, problems, differences.
trace=data/golden
mkdir runs
lanescope import --quiet -o runs $trace/one.jsonl $trace/four.jsonl
lanescope import --quiet -o runs $trace/base-0.pfw $trace/base-1.pfw.gz
lanescope import --quiet -o runs $trace/broken.jsonl
lanescope import --quiet -o runs/gpu.lanes data/chrome/gpu.json
lanescope import --quiet -o runs/nodes.lanes data/preemption/small-8-*.csv
lanescope import --quiet -o runs/trials.lanes data/dataload/exp1
head -c 5000 runs/one.lanes >runs/cut.lanes
shows() { # size, run, keys
	printf '== %s %s: %s\n' "$1" "$2" "$3"
	printf '%s\n' "$3" >keys
	lanescope --keys keys --size "$1" "$2" | grep -v '^ \(Enter open\|q back\)' # the line of keys is not the matter here
}
# Runs: damaged ones stay, marks, search, what goes.
shows 80x12 runs "/ 'four' Enter A / 'one' Enter B"
shows 80x12 runs "/ 'four' Enter A / 'one' Enter B x B"
shows 40x9 runs "j j Enter"
shows 80x8 runs/cut.lanes "Enter"
# Runs of one name are told apart by their paths.
mkdir twice twice/a twice/b
cp runs/one.lanes twice/a
cp runs/one.lanes twice/b
shows 80x8 twice ""
# A long name gives way to the columns, and the time of day; on a narrower screen columns go.
mkdir long
cp runs/golden.lanes long
lanescope import --quiet -o long/a-run-with-a-rather-long-name-of-its-own.lanes $trace/one.jsonl
shows 80x8 long ""
shows 120x8 long ""
shows 60x8 long ""
# Overviews.
shows 80x24 runs/four.lanes ""
shows 120x30 runs/four.lanes "Tab j"
shows 80x20 runs/golden.lanes ""
shows 80x20 runs/gpu.lanes ""
shows 80x16 runs/nodes.lanes ""
shows 80x16 runs/trials.lanes ""
# Lanes are counted by what they are; a pool of instances is no host.
lanescope import --quiet -o pool.lanes data/preemption/events.csv
shows 80x8 pool.lanes "screen v"
# A group's metrics: the total holds the others; without it they add up.
for metric in 'Total 8 10' 'InService 8 6' 'Pending 0 3' 'Terminating 0 1'; do
	set -- $metric
	printf 'time,count\n2021-09-14 05:18:00,%s.0\n2021-09-14 05:19:00,%s.0\n2021-09-14 05:20:00,%s.0\n' "$2" "$3" "$3" >"g-Group$1Instances.csv"
done
lanescope import --quiet -o group.lanes g-Group*.csv
shows 80x10 group.lanes ""
lanescope import --quiet -o parts.lanes g-Group[IPT][ne]*.csv
shows 80x10 parts.lanes ""
shows 40x8 runs/four.lanes "~"
shows 80x12 runs/four.lanes "2"
# More lanes than an overview reads: how many there are besides.
awk 'BEGIN { for (i = 1; i <= 300; i++) print (i > 1 ? "," : "["), "{\"ph\": \"X\", \"pid\": 1, \"tid\": " i ", \"ts\": " i ", \"dur\": 5, \"name\": \"n\"}"; print "]" }' >many.json
lanescope import --quiet -o many.lanes many.json
shows 80x16 many.lanes ""
shows 80x16 many.lanes "S-Tab G"
# Spans: from an overview's name, in any order, filtered, searched, jumped in.
shows 100x12 runs/four.lanes "Enter"
shows 100x14 runs/four.lanes "S ':sort -duration' Enter \\ j"
shows 100x10 runs/four.lanes "S \\ '&duration > 90ms' Enter '&^retr' Enter"
shows 100x10 runs/four.lanes "S \\ '&duration >' Enter"
shows 100x10 runs/four.lanes "S \\ '&^retr' Enter '&dur > abc' Enter"
shows 100x10 runs/four.lanes "S \\ '&durtion > 1ms' Enter"
shows 100x10 runs/four.lanes "S \\ '&arg.kind = efi' Enter '&lane_name !~ 0$' Enter"
shows 100x10 runs/four.lanes "S \\ '/queue' Enter n n N"
shows 100x10 runs/four.lanes "S \\ G"
shows 100x10 runs/four.lanes "S \\ ':sort start' Enter ':jump 300ms' Enter"
shows 100x10 runs/four.lanes "S \\ ':jump 50%' Enter"
shows 100x10 runs/four.lanes "S \\ ':jump never' Enter"
shows 100x10 runs/trials.lanes "S"
shows 100x8 runs/gpu.lanes "S \\ '&category = \"kernel\"' Enter e ':export' Enter"
shows 80x8 runs/gpu.lanes "S \\ '&category = \"kernel\"' Enter ':export k.csv' Enter"
cat k.csv
# One span.
shows 80x24 runs/four.lanes "Enter Enter"
shows 80x24 runs/gpu.lanes "S \\ '&category = \"kernel\"' Enter Enter"
shows 80x24 runs/gpu.lanes "S \\ '&category = \"kernel\"' Enter Enter ( Enter"
# Filters of a timeline stack, too; a mistyped one stays in the prompt, and those that stand stay.
shows 100x20 runs/four.lanes "T '&^retr' Enter '&duration > 90ms' Enter"
shows 100x20 runs/four.lanes "T '&^retr' Enter '&duration > 90ms' Enter \\"
shows 100x20 runs/four.lanes "T '&^retr' Enter '&dur > abc' Enter"
shows 100x20 runs/four.lanes "T '&bogus > 3' Enter"
shows 100x20 runs/four.lanes "T '&kind = efi' Enter"
shows 100x20 runs/four.lanes "T '&arg.kind = efi' Enter ."
# Where all of the run is shown, left and right move the cursor, and so mark a range.
shows 100x20 runs/four.lanes "T Right Right m l l l Left m"
# Facts go on in rows that no lane needs; of few rows the lanes get the last, not the legend.
shows 60x24 runs/four.lanes "T '&^retr' Enter '&duration > 10ms' Enter"
shows 40x8 runs/four.lanes "T"
shows 40x9 runs/four.lanes "T"
# Whatever a trace calls things stays text.
printf '%s\n' '[{"name":"a\u001b[2J\u0007b\u202e","ph":"X","pid":"p\u001b]0;x\u0007","tid":1,"ts":0,"dur":5,"cat":"\u9577\u3044\u540d\u524d","args":{"k\u001b[m":"v\nw"}},' \
	'{"name":"","ph":"X","pid":1,"tid":"\u009b31m","ts":3,"dur":9}]' >evil.json
lanescope import --quiet -o runs/evil.lanes evil.json
shows 80x16 runs/evil.lanes ""
shows 80x10 runs/evil.lanes "S \\"
shows 80x14 runs/evil.lanes "S \\ Enter"
# Problems.
shows 80x8 runs/four.lanes "^P"
shows 100x10 runs/nodes.lanes "^P"
shows 80x14 runs/nodes.lanes "^P"
shows 80x12 runs/nodes.lanes "^P Enter"
# Differences.
shows 80x12 runs "/ 'one' Enter A / 'four' Enter B D"
shows 100x12 runs "/ 'one' Enter A / 'four' Enter B D Enter % ':threshold 20%' Enter"
shows 100x12 runs "/ 'one' Enter A / 'four' Enter i 1 D"
shows 100x12 runs "/ 'one' Enter A / 'four' Enter B D / 'Tasks by worker' Enter Enter"
shows 100x12 runs "/ 'four' Enter i 1 D"
# Traces are imported on the way.
shows 80x8 "data/golden/hosts.jsonl" "q"
# Two runs named are A and B: which kinds got slower, in a key or two.
printf 'D Enter\n' >keys
lanescope --keys keys --size 100x10 runs/one.lanes runs/four.lanes | head -8
printf 'j A\n' >keys
lanescope --keys keys --size 80x10 $trace/one.jsonl $trace/four.jsonl | head -4
