#!/bin/sh
# lanescope demo: each command that it prints works as printed, however the program was called and wherever its runs lie; what is told of a run is
# what the run says; nothing is made twice, nothing half, nothing over what is somebody else's. TAP.
. "$(dirname "$0")/tap.sh"
program=$(command -v "$LANESCOPE")
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
unset XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME LANESCOPE_PATH LANESCOPE_CACHE LANESCOPE_BOOTSTRAP
HOME=$work/home
mkdir "$HOME"
cd "$work" || exit 2

# ---- as printed ----

commands() { # of what was told
	sed -n 's/^    //p' told
}
# Each line is given to a shell of its own, in the folder in which it was printed.
all_work() { # name of the case
	[ "$(commands | wc -l)" -ge 13 ]
	result $? "$1: it tells something"
	commands >lines
	bad=0
	while IFS= read -r line <&3; do
		if ! sh -c "$line" >out 2>err </dev/null || [ ! -s out ]; then
			echo "# $line"
			sed 's/^/# /' err
			bad=1
		fi
	done 3<lines
	result $bad "$1: all commands work as printed"
}
mkdir bin "it's bin" checkout
ln -s "$program" bin/lanescope
ln -s "$program" "it's bin/lane scope"
(PATH="$work/bin:$PATH" && export PATH && lanescope demo >told && all_work "from the PATH" && grep -q '^    lanescope explain one-worker four-workers$' told) >said
result $? "called from the PATH, the runs by their names"
sed 's/^/# /' said | grep 'not ok' && failed=1
"it's bin/lane scope" demo >told && all_work "by a path with quotes and blanks"
grep -q "^    'it'\\\\''s bin/lane scope' explain one-worker four-workers$" told
result $? "that path is quoted"
XDG_CACHE_HOME="$work/a cache" bin/lanescope demo >told && all_work "in another cache"
grep -q "explain '$work/a cache/lanescope/demo/one-worker.lanes' " told
result $? "there, the runs by their paths"
bin/lanescope demo "a folder" >told && all_work "in a folder of its own"
bin/lanescope demo "$HOME/runs" >told && all_work "below the home folder"
grep -q '^    bin/lanescope explain ~/runs/one-worker.lanes ~/runs/four-workers.lanes$' told
result $? "which is called ~"
cat >checkout/bootstrap <<B
#!/bin/sh
shift
LANESCOPE_BOOTSTRAP=\$0 exec '$program' "\$@"
B
chmod 755 checkout/bootstrap
cd checkout || exit 2
./bootstrap run demo >told && all_work "by bootstrap"
grep -q '^    ./bootstrap run explain one-worker four-workers$' told
result $? "bootstrap is called again"
sh bootstrap run demo >told && all_work "by sh bootstrap"
chmod 644 bootstrap
sh bootstrap run demo >told && all_work "by a bootstrap that can't be executed"
cd ..

# ---- what they tell ----

says() { # pattern of the first cause, arguments of explain
	pattern=$1
	shift
	"$program" explain "$@" --format csv 2>/dev/null | sed -n 2p | grep -q "$pattern"
	result $? "explain $*: $pattern"
}
says '4 lanes instead of 1' one-worker four-workers
says 'tasks run shorter, .*as fewer run at once on their host' four-workers four-hosts
says 'sending every task to its lane takes .* as long' four-workers one-host
says 'tasks run shorter, .*as fewer run at once on their host' one-host two-hosts
"$program" explain one-worker four-workers --format csv 2>/dev/null | grep -q 'tasks run longer, .*as more run at once on their host'
result $? "explain one-worker four-workers: tasks that share a host"
# Nobody schedules spans: none of their causes moves the end by more than it takes more or less.
within() { # the first cause, arguments of explain
	pattern=$1
	shift
	"$program" explain "$@" --format csv 2>/dev/null |
		awk -F, -v first="$pattern" 'function size(x) { return x < 0 ? -x : x } NR > 1 && NF { n++; bad = bad || size($4) > size($7) } NR == 2 { bad = $0 !~ first } END { exit bad || !n }'
	result $? "explain $*: $pattern; no cause moves the end by more than its time"
}
within '^1,more work,kind=write,' training training-scr
within '^1,less work,kind=write,' training-scr training
[ "$("$program" query transfer-by-mode two-hosts --format csv | grep -c '^redundant,')" -eq 1 ]
result $? "two-hosts: redundant transfers"
share() { # statement on a run: 1 or 0
	[ "$("$program" sql "$1" "$2" --no-header)" = 1 ]
	result $? "$1: $3"
}
share pytorch "SELECT sum(time) BETWEEN 0.4 * 1e9 AND 0.8 * 1e9 FROM (SELECT dur_sum AS time FROM span_sums('name', 'name GLOB \"enumerate(DataLoader)*\"'))" "half of its 1.5 s it waits for data"
share training "SELECT (SELECT count(*) FROM span WHERE name = 'TorchFramework.compute') = 768" "computes 768 times"
share training-scr "SELECT (SELECT count(*) FROM span WHERE name = 'TorchFramework.compute') = 768" "computes as often"
pipeline_busy() { # worker,busy, the busiest first
	"$program" query worker-balance pipeline --format csv --columns worker,busy --no-header 2>/dev/null
}
pipeline_busy | awk -F, 'NR == 1 { bad = $1 != "worker-h1-1"; first = $2 } NR == 2 { bad = bad || first < 1.5 * $2 } END { exit bad || NR != 4 }'
result $? "pipeline: one worker has half as much again to do"
"$program" query trial-improvement loading --format csv 2>/dev/null | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
	$column["measure"] == "throughput" { n++; change = $column["change_percent"]; bad = bad || ($column["sim_compute_time"] < 0.5 ? change < 20 : change > 0) }
	END { exit bad || n != 3 }'
result $? "loading: blocks are faster where computing is short alone"
"$program" diff checkpoint-time training training-scr --format csv 2>/dev/null | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { bad = !($column["time_delta"] > 1e9) } END { exit NR < 2 || bad }'
result $? "training-scr: checkpoints take longer"
traced() { # the capacity given to the command that says the same of it
	"$program" sql spot-training "SELECT value FROM tags WHERE key = 'digest'" --no-header >is
	"$program" simulate preemption --replay "$HOME/.cache/lanescope/demo/traces/spot" --format csv |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i } NR == 2 { print $column["digest"] }' >should
	[ -s is ] && cmp -s is should
}
traced
result $? "spot-training: what simulate preemption --replay makes of the trace"

# ---- made once, and whole ----

demo=$HOME/.cache/lanescope/demo
state() { find "$demo" -exec ls -ldi {} + | cksum; }
before=$(state)
"$program" demo >/dev/null
[ "$before" = "$(state)" ]
result $? "a second time nothing is made"
rm "$demo/two-hosts.lanes" "$demo/traces/pytorch.json.gz"
was=$(cksum <"$demo/one-worker.lanes")
"$program" demo >/dev/null && [ -s "$demo/two-hosts.lanes" ] && [ "$was" = "$(cksum <"$demo/one-worker.lanes")" ]
result $? "a run that was removed is made again"
echo "lanescope 0.0.0, demo 1" >"$demo/traces/made-by"
echo "{}" >"$demo/traces/two-hosts.jsonl"
echo litter >"$demo/traces/training/trace-17-of-16.pfw"
inode=$(ls -i "$demo/traces/one-worker.jsonl")
"$program" demo >/dev/null && [ "$(wc -l <"$demo/traces/two-hosts.jsonl")" -gt 100 ] && [ ! -e "$demo/traces/training/trace-17-of-16.pfw" ] &&
	[ "$inode" != "$(ls -i "$demo/traces/one-worker.jsonl")" ] && grep -q "^lanescope [0-9.]*, demo [0-9]*$" "$demo/traces/made-by"
result $? "what another version made is made anew"
mkdir other
echo mine >other/one-worker.lanes
"$program" demo other >out 2>err
[ $? -eq 2 ] && grep -q 'holds something else' err && [ "$(cat other/one-worker.lanes)" = mine ] && [ "$(ls other | wc -l)" -eq 1 ]
result $? "a folder with something else in it is left alone"
mkdir empty && "$program" demo empty >/dev/null && [ -s empty/pytorch.lanes ]
result $? "an empty folder is taken"
"$program" demo one two >out 2>err
[ $? -eq 2 ] && [ ! -e one ]
result $? "two folders are refused"

# Stopped somewhere on the way: each trace and each run that has its name is as it should be, and the next call makes the rest.
is_whole() { # file of the stopped demo
	case $1 in
	*.lanes) "$program" verify "stopped/$1" >/dev/null ;; # its sources' paths are others
	*) cmp "empty/$1" "stopped/$1" ;;
	esac
}
files() { (cd "$1" && find . -type f | sort); }
files empty >all
for hundredths in 02 05 10 20 40; do
	rm -rf stopped
	mkdir stopped
	timeout -s INT 0.$hundredths "$program" demo stopped >/dev/null 2>&1
	bad=0
	for file in $(files stopped | grep -v made-by); do
		grep -qxF "$file" all && is_whole "$file" || {
			echo "# $file"
			bad=1
		}
	done
	"$program" demo stopped >/dev/null && files stopped | cmp all - || bad=1
	result $bad "stopped after 0.$hundredths s: nothing half, and made to the end by the next call"
done
echo "1..$count"
exit $failed
