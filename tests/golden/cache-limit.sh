# The cache has a limit: the run used longest ago goes first, never one in use or used a moment ago.
trace=data/golden
cp $trace/one.jsonl a.jsonl && cp $trace/one.jsonl b.jsonl && cp $trace/one.jsonl c.jsonl && cp $trace/four.jsonl d.jsonl
runs=home/cache/lanescope/runs
run() { lanescope query task-summary --limit 1 --no-header "$1" | cut -d, -f1; }
list() { find $runs -name '*.lanes' | sed 's|.*/||' | sort | tr '\n' ' ' && echo; }
folder() { dirname "$(find $runs -name "$1.lanes")"; }
used() { touch -t "$2" "$(folder "$1")"; }

run a.jsonl; run b.jsonl; run c.jsonl
list
ls -A "$(folder a)" # nobody uses it any more
lanescope runs --cached --format csv --no-header | cut -d, -f1-2
echo "# all were used a moment ago: they stay"
LANESCOPE_CACHE=1 run d.jsonl
list
echo "# a use makes it young again"
used a 202001010000; used b 202001020000; used c 202001030000; used d 202001040000
run a.jsonl
rm -r "$(folder d)"
size=$(find $runs -name '*.lanes' -exec cat {} + | wc -c)
LANESCOPE_CACHE=$size run d.jsonl
list
echo "# what a living process uses stays; what a dead one left behind does not"
used c 202001030000; used d 202001040000; used a 202001020000
host=$(uname -n | tr -c 'a-zA-Z0-9._\n' _)
inode=$(stat -L -c %i /proc/self/ns/pid 2>/dev/null || echo 4026531836)
[ "$inode" = 4026531836 ] || host=${host}_$inode
touch "$(folder a)/.in-use.$host-$$-0123456789abcdef.tmp"
sh -c 'echo $$' >dead
touch "$(folder c)/.in-use.$host-$(cat dead)-0123456789abcdef.tmp"
used a 202001020000; used c 202001030000
mkdir $runs/other && touch $runs/other/mine.lanes
LANESCOPE_CACHE=0 run b.jsonl
list
echo "# another host's, touched today"
rm "$(folder a)"/.in-use.*
touch "$(folder a)/.in-use.elsewhere-1-0123456789abcdef.tmp"
used a 202001020000; used b 202001020000
LANESCOPE_CACHE=0 run c.jsonl
list
touch -t 202001010000 "$(folder a)"/.in-use.*
used a 202001020000; used c 202001020000
echo "# the setting; the variable goes first"
mkdir -p home/config/lanescope && printf 'cache = 1\nkey.quit = none\n' >home/config/lanescope/config
LANESCOPE_CACHE=unlimited run d.jsonl
list
used d 202001050000
run b.jsonl
list
used b 202001050000
LANESCOPE_CACHE=lots run a.jsonl
list
echo "# a trace that is none leaves nothing"
echo nonsense >none.txt; run none.txt; head -c 700 a.jsonl >cut.jsonl
ls $runs | wc -l
