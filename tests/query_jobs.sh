#!/bin/sh
# query --jobs and runs --jobs: what several processes answer, each for its share of the runs, is what one answers: every saved query, the
# list of runs, notes and status, also where a run is damaged or a query is for none.
. "$(dirname "$0")/tap.sh"
case $LANESCOPE in */*) LANESCOPE=$(cd "$(dirname "$LANESCOPE")" && pwd)/${LANESCOPE##*/} ;; esac
"$LANESCOPE" demo "$work/demo" >/dev/null 2>&1 || { echo "Bail out! no demo"; exit 1; }
cd "$work/demo" || exit 2

alike() { # jobs, command, words...
	jobs=$1 command=$2
	shift 2
	"$LANESCOPE" "$command" "$@" >../one 2>../said-one
	echo "status $?" >>../said-one
	"$LANESCOPE" "$command" --jobs "$jobs" "$@" >../many 2>../said-many
	echo "status $?" >>../said-many
	cmp -s ../one ../many && cmp -s ../said-one ../said-many && [ -z "$(find . -name '.lanescope*')" ]
}
compare() {
	alike "$@"
	status=$?
	[ $status = 0 ] || { diff ../said-one ../said-many; diff ../one ../many; } | head -n 10 | sed 's/^/# /'
	shift
	result $status "$*: $(wc -l <../one) lines in $jobs processes"
}
finish_status() { # the last command did; what is left behind is not seen
	[ $? = 0 ] && [ -z "$(find . -name '.lanescope*')" ]
	status=$?
	[ $status = 0 ] || sed 's/^/# /' ../said
	result $status "$1"
}

# Under sanitizers (LANESCOPE_NARROW=1) every eighth.
nth=0
for query in $("$LANESCOPE" queries --format csv 2>/dev/null | tail -n +2 | cut -d, -f1); do
	nth=$((nth + 1))
	[ -n "${LANESCOPE_NARROW:-}" ] && [ $((nth % 8)) != 0 ] || compare $((2 + nth % 3)) query "$query" .
done
compare 40 query span-totals .
compare 3 query lane-totals . --format jsonl
compare 3 query lane-totals . --wide
compare 3 query span-by-category . --by format
compare 3 query span-totals . --where 'n > 10' --sort=-n --limit 5
compare 3 query span-over-time one-host.lanes two-hosts.lanes -p width=1s
compare 2 query task-times . --scope 'from 10 %'
compare 2 query nosuch .
compare 2 query task-times . -p nosuch=1
size=$(wc -c <training.lanes)
printf 'XXXX' | dd of=training.lanes bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
printf 'SQLite format 3' >broken.lanes
compare 3 query span-totals .
compare 2 query span-totals broken.lanes
compare 2 query span-totals broken.lanes training.lanes

compare 3 runs .
compare 2 runs . --format table
compare 2 runs . --plot bars --ascii
"$LANESCOPE" tag one-host.lanes note=7 && "$LANESCOPE" tag two-hosts.lanes note=x
compare 5 runs . four-hosts.lanes --format json --where 'lanes > 2 OR note = 7' --sort=-note,run --limit 6
compare 2 runs --columns run,note,path
echo 'broken' >pipeline.lanes.tags
compare 2 runs
compare 3 runs . broken.lanes missing four-hosts.lanes training.lanes
compare 2 runs missing

# Each page lost in turn: what is told of it is told, also where the process that asks goes on without it.
mkdir pages
size=$(wc -c <one-host.lanes)
n=0 differ=0 passed=0
while [ $((n * 4096)) -lt "$size" ]; do
	cp four-hosts.lanes one-host.lanes pages/
	printf 'XXXX' | dd of=pages/one-host.lanes bs=1 seek=$((n * 4096 + 100)) conv=notrunc 2>/dev/null
	alike 2 runs pages || differ=$((differ + 1))
	[ "$(wc -l <../one)" = 3 ] && grep -q 'status 2' ../said-one && passed=$((passed + 1))
	n=$((n + 1 + ${LANESCOPE_NARROW:-0}))
done
rm -r pages
[ $differ = 0 ] && [ $passed -gt 0 ]
result $? "runs: pages lost in turn, $passed of them passed over with a word; $differ of those up to $n differ"

for command in 'query span-totals' runs; do
	"$LANESCOPE" $command . >../one 2>/dev/null
	"$LANESCOPE" $command . --jobs 3 --with 'env LANESCOPE_JOB={i}' -o ../many.csv >../said 2>&1
	cmp -s ../one ../many.csv
	finish_status "$command: a launcher, and a file"
	"$LANESCOPE" $command . --job=3 --wit 'env LANESCOPE_JOB={i}' --ou ../short.csv >../said 2>&1
	cmp -s ../one ../short.csv
	finish_status "$command: the options in short"
	"$LANESCOPE" $command . --jobs 3 --with false >../many 2>../said
	[ $? = 2 ] && grep -q 'part 1 of 3 was not made' ../said && [ ! -s ../many ]
	finish_status "$command: one that starts nothing"
	rm -f ../once
	"$LANESCOPE" $command . --jobs 3 --with 'sh -c '\''[ {i} != 2 ] || [ -e ../once ] && exec "$@"; : >../once'\'' sh' >../many 2>../said
	grep -q '2 of 3 parts are there: the others are made once more' ../said && cmp -s ../one ../many
	finish_status "$command: what was lost is made once more"
	"$LANESCOPE" $command . --jobs 3 --with 'sh -c "kill -TERM $PPID; sleep 60" {i}' >../many 2>../said
	[ $? = 143 ] && [ ! -s ../many ]
	finish_status "$command: stopped"
	mkdir ../answers
	"$LANESCOPE" $command . --part 2/5 --answers ../answers >../many 2>../said && [ ! -s ../many ] && [ ! -s ../said ]
	finish_status "$command: a process answers"
	[ "$(find ../answers -type f | wc -l)" -le 4 ]
	finish_status "$command: for its share alone"
	rm -r ../answers
done

# More runs than a process may have files open, unless it asks for more.
mkdir many
for nth in $(seq 90); do cp one-worker.lanes many/$nth.lanes; done
"$LANESCOPE" query span-totals many >../one 2>/dev/null
(ulimit -S -n 64; "$LANESCOPE" query span-totals many) >../many 2>../said && cmp ../one ../many
finish_status "ninety runs with 64 open files at first"
rm -r many

# Launchers that start one each: no more at a time than a machine bears.
: >../log
"$LANESCOPE" runs . --jobs 300 --with 'echo {i} >>../log; exec sleep 100 #' >../many 2>../said &
pid=$!
tries=0
while [ "$(wc -l <../log)" -lt 256 ] && [ $tries -lt 100 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
sleep 0.2
kill $pid
wait $pid
[ $? = 143 ] && [ "$(wc -l <../log)" = 256 ]
finish_status "300 jobs: $(wc -l <../log) launchers at once"
echo "1..$count"
exit $failed
