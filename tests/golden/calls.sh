# What calls take and refuse: odd arguments, places that nothing can be written to, runs that are not there.
trace=data/golden
lanescope import --quiet $trace/one.jsonl $trace/four.jsonl
printf '0,add,n0\n600000,add,n1\n1200000,add,n2\n' >calm.csv && lanescope import --quiet --name calm calm.csv
mkdir empty

echo "== help"
lanescope --help | grep -A2 '^commands'
lanescope --help | tail -1
lanescope import --help | sed -n '/^formats/,/^$/p' | head -3
lanescope import --help | grep -c '; each file is a run$'
lanescope sql --help | grep -c '^commands'
lanescope sql --help | grep -c '^formats'
for command in import runs info report tag verify upgrade queries query diff explain sql spans timeline export; do # whatever reads traces or runs
	lanescope $command --help | grep -q -e ' --memory SIZE ' || echo "no --memory: $command"
done
lanescope help sqll
lanescope simulate --help | head -2
lanescope simulate --nothing

echo "== nowhere to write"
limited() { (ulimit -f 0 && lanescope "$@" 2>&1) | grep '^lanescope: '; }
limited sql one.lanes 'SELECT 1 AS x' -o small.csv
ls small.csv* 2>/dev/null
lanescope sql one.lanes 'SELECT 1 AS x' -o /dev/full
echo "status $?"
lanescope sql one.lanes 'SELECT 1 AS x' -o missing/x.csv
lanescope sql one.lanes 'SELECT 1 AS x' -o empty
lanescope sql one.lanes 'SELECT 1 AS x' -o /dev/fd/77
lanescope sql one.lanes 'SELECT 1 AS x' -o /proc/self/fd/-1
lanescope export one.lanes --to csv -o one.lanes
lanescope simulate trace -o missing/x
limited simulate trace --minutes 5 -o none
ls none* 2>/dev/null
mkdir half-terminate-trace.csv && lanescope simulate trace --minutes 5 -o half
ls half* 2>/dev/null
limited timeline one.lanes -o one.svg
ls one.svg* 2>/dev/null
limited export one.lanes --to csv -o tables
ls tables 2>/dev/null
lanescope timeline one.lanes >/dev/full
lanescope sql one.lanes "SELECT 1 AS x UNION ALL SELECT 2" >/dev/full

echo "== how wide, how many"
lanescope --keys /dev/null --size 40x0 one.lanes
lanescope --keys /dev/null --size 40x10x one.lanes
lanescope --keys /dev/null --size 0x10 one.lanes
lanescope --keys /dev/null --size 40 one.lanes
lanescope --keys /dev/null --size 40x5 --ascii one.lanes
lanescope import --threads 0 calm.csv
lanescope import --threads 257 calm.csv
lanescope import --threads x calm.csv
lanescope import --threads 256 --quiet --force -o calm calm.csv

echo "== no run, too many, none that can be read"
lanescope explain --a one
lanescope explain --a missing.lanes --b one.lanes
lanescope explain --a one --b four -p worker
lanescope explain --a one --b four -p =x
lanescope diff tags . one.lanes
lanescope diff task-times empty one.lanes
lanescope query task-times empty
lanescope timeline empty
lanescope timeline missing.lanes
lanescope timeline .
lanescope export . --to csv -o tables
lanescope export one.lanes --to csv --class nothing -o tables
lanescope info missing.lanes
mkdir bad && printf 'SQLite format 3\0' >bad/x.lanes && cp bad/x.lanes bad/y.lanes
lanescope query task-summary bad
lanescope query task-summary bad/x.lanes bad/y.lanes
lanescope query task-summary bad/x.lanes one.lanes --limit 1
lanescope query task-summary bad/x.lanes missing.lanes
lanescope query task-summary empty missing.lanes
lanescope query task-summary empty empty
lanescope --keys /dev/null empty
lanescope --keys /dev/null one.lanes missing.lanes
lanescope runs missing
lanescope runs --cached .
lanescope demo --nothing
lanescope completion --nothing
lanescope queries --nothing
lanescope sql one.lanes ' -- nothing'
lanescope sql one.lanes four.lanes 'SELECT x'
lanescope sql one.lanes four.lanes 'SELECT count(*) AS n FROM lanes WHERE id < 3; SELECT 2'
lanescope query task-times one four --wide --key nothing

echo "== names of runs"
lanescope one --keys /dev/null --size 40x5 --ascii
lanescope query task-summary $trace/broken.jsonl --limit 1 --no-header
(cd empty && lanescope query task-summary broken --limit 1 --no-header)
echo "== no home"
env -u XDG_CACHE_HOME lanescope query task-summary $trace/one.jsonl --limit 1 --no-header
ls home/.cache/lanescope
env -u XDG_CACHE_HOME -u HOME lanescope query task-summary $trace/one.jsonl --limit 1
XDG_CACHE_HOME=cache HOME=home lanescope query task-summary $trace/one.jsonl --limit 1
: >file && XDG_CACHE_HOME=$PWD/file lanescope query task-summary $trace/one.jsonl --limit 1
XDG_CACHE_HOME=$PWD/file lanescope demo
echo "== many files that are no traces"
for i in 1 2 3 4 5 6 7 8 9 a b c d e f; do echo "$i" >empty/$i.txt; done
cp calm.csv empty && lanescope import --quiet --name few empty

echo "== at most 64 classes, those of the settings, of the call and the built-in ones together"
classes() { seq "$1" "$2" | sed 's|.*|c&=/p/&/*|' | paste -sd: -; }
mkdir -p home/config/lanescope && echo "classes = $(classes 1 40)" >home/config/lanescope/config
lanescope import --quiet --name base $trace/base-0.pfw
lanescope query io-summary base --class "$(classes 41 50)" --limit 0
lanescope query io-summary base --class "$(classes 41 65)" --limit 0
echo "== the model of checkpoints"
model='lanescope simulate checkpoint'
$model --nodes 4 --exponent node --data 100GB --pfs-rate 2GB --ssd-rate 4GB --pfs-factor 3 --ssd-factor 0.25
$model --nodes 4 --exponent both --data 100GB --mtbf 6h
$model --nodes 1000000 --exponent node | cut -d, -f1
for option in '--nodes 0' '--nodes 1000001' '--nodes 1,,2' '--nodes x' '--data x' '--data 0' '--pfs-rate -1GB' '--ssd-rate x' '--pfs-factor 0' \
	'--ssd-factor x' '--ssd-factor inf' '--exponent none' '--mtbf soon' '--mtbf 0s' '--cost -1s' '--failures missing' '--failures one.lanes' \
	'--failures calm.lanes' '--exponent node --mtbf 0.5h missing'; do
	$model $option
done
echo "== simulations"
lanescope simulate preemption --minutes 5 --seed 18446744073709551615 --format csv | tail -1 | cut -d, -f1
lanescope simulate preemption --minutes 5 --seed 1 --iter 8:18s | tail -1 | cut -d, -f1-4
lanescope simulate preemption --minutes 5 --seed 1 --iter 1
lanescope simulate preemption --iter x
lanescope simulate preemption --minutes x
lanescope simulate preemption --minutes 1 --seed 1-2000 --wide | head -2
lanescope simulate trace --depth 0 -o x
lanescope simulate trace --seed 1,2 -o x
echo "== what needs no run goes to a file, too"
lanescope queries -o queries.csv && lanescope queries -o queries.csv && head -n 1 queries.csv
lanescope queries -o missing/queries.csv
echo '== parts and their parameters'
lanescope explain --parts --format tsv | cut -f 1,5
