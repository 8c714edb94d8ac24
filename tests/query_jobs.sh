#!/bin/sh
# query --jobs: what several processes answer, each for its share of the runs, is what one answers: every saved query, its notes and
# its status, also where a run is damaged or a query is for none.
lanescope=${LANESCOPE:-./lanescope}
case $lanescope in /*) ;; *) lanescope=$PWD/$lanescope ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-query-jobs.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
count=0 failed=0
"$lanescope" demo "$work/demo" >/dev/null 2>&1 || { echo "Bail out! no demo"; exit 1; }
cd "$work/demo" || exit 2

compare() { # jobs, query, words...
	jobs=$1
	shift
	"$lanescope" query "$@" >../one 2>../said-one
	echo "status $?" >>../said-one
	"$lanescope" query --jobs "$jobs" "$@" >../many 2>../said-many
	echo "status $?" >>../said-many
	cmp -s ../one ../many && cmp -s ../said-one ../said-many && [ -z "$(find . -name '.lanescope*')" ]
	result=$?
	count=$((count + 1))
	if [ $result = 0 ]; then
		echo "ok $count - $*: $(wc -l <../one) lines in $jobs processes"
	else
		echo "not ok $count - $* in $jobs processes"
		diff ../said-one ../said-many | head -n 5 | sed 's/^/# /'
		diff ../one ../many | head -n 5 | sed 's/^/# /'
		failed=1
	fi
}

# Under sanitizers (LANESCOPE_NARROW=1) every eighth.
nth=0
for query in $("$lanescope" queries --format csv 2>/dev/null | tail -n +2 | cut -d, -f1); do
	nth=$((nth + 1))
	[ -n "${LANESCOPE_NARROW:-}" ] && [ $((nth % 8)) != 0 ] || compare $((2 + nth % 3)) "$query" .
done
compare 40 span-totals .
compare 3 lane-totals . --format jsonl
compare 3 lane-totals . --wide
compare 3 span-by-category . --by format
compare 3 span-totals . --where 'n > 10' --sort=-n --limit 5
compare 3 span-over-time one-host.lanes two-hosts.lanes -p width=1s
compare 2 task-times . --scope 'from 10 %'
compare 2 nosuch .
compare 2 task-times . -p nosuch=1
size=$(wc -c <training.lanes)
printf 'XXXX' | dd of=training.lanes bs=1 seek=$((size / 2)) conv=notrunc 2>/dev/null
printf 'SQLite format 3' >broken.lanes
compare 3 span-totals .
compare 2 span-totals broken.lanes
compare 2 span-totals broken.lanes training.lanes

"$lanescope" query span-totals . >../one 2>/dev/null
"$lanescope" query span-totals . --jobs 3 --with 'env LANESCOPE_JOB={i}' -o ../many.csv >/dev/null 2>&1
cmp -s ../one ../many.csv
result=$?
count=$((count + 1))
[ $result = 0 ] && echo "ok $count - a launcher, and a file" || { echo "not ok $count - a launcher, and a file"; failed=1; }
"$lanescope" query span-totals . --jobs 3 --with false >../many 2>../said
result=$?
count=$((count + 1))
[ $result = 2 ] && grep -q 'part 1 of 3 was not made' ../said && [ ! -s ../many ] && [ -z "$(find . -name '.lanescope*')" ] && echo "ok $count - one that starts nothing" || { echo "not ok $count - one that starts nothing"; failed=1; }
echo "1..$count"
exit $failed
