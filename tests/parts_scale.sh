#!/bin/sh
# Very many parts: PARTS_SCALE files (1000; make check-slow takes 10000), each a part of its own, become the run of one import, at once and by a
# tree of merges, with 256 open files and in little memory.
. "$(dirname "$0")/tap.sh"
case $LANESCOPE in */*) LANESCOPE=$(cd "$(dirname "$LANESCOPE")" && pwd)/${LANESCOPE##*/} ;; esac
cd "$work" || exit 2
n=${PARTS_SCALE:-${LANESCOPE_NARROW:+100}}
n=${n:-1000}
mkdir run tree
awk -v n="$n" 'BEGIN {
	for (i = 1; i <= n; i++) {
		file = "run/trace-" i ".pfw"
		print "[" >file
		for (k = 1; k <= 4; k++)
			printf "{\"id\":%d,\"name\":\"%s\",\"cat\":\"POSIX\",\"pid\":%d,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"ph\":\"X\",\"args\":{\"hhash\":\"h%d\",\"fname\":\"/data/%d\",\"ret\":%d}}\n",
				k, k % 2 ? "read" : "write", i, i, 1000000 + i * 10 + k * 3000, 100 + k, i % 40, i % 70, k * 100 >file
		close(file)
	}
}'
"$LANESCOPE" import --quiet run -o whole/ && "$LANESCOPE" import --plan run.plan run >said
status=$?
nth=1
while [ $status = 0 ] && [ $nth -le "$n" ]; do
	"$LANESCOPE" import --quiet --part $nth/"$n" --plan run.plan -o parts/
	status=$?
	nth=$((nth + 1))
done
[ $status = 0 ] && [ "$(ls parts | wc -l)" = "$n" ]
result $? "$n parts of $n files, by one plan"

memory=$((32 + n / 128))
put_together() { # folder, name: as put together with few open files, in little memory
	(ulimit -n 256 && "$LANESCOPE" merge --quiet --force --memory ${memory}M "$1" -o run.lanes) >said 2>&1 && cmp whole/run.lanes run.lanes >>said 2>&1
	status=$?
	[ $status = 0 ] || sed 's/^/# /' said
	result $status "$2: the run of one import to the last byte, with 256 open files at most, in $memory MiB"
}
put_together parts "$n parts at once"
size=$(ls parts | awk '{ n++ } END { print int(sqrt(n)) }')
ls parts/*.part | xargs -n "$size" echo | {
	nth=0
	while read -r some; do
		nth=$((nth + 1))
		(ulimit -n 256 && "$LANESCOPE" merge --quiet --part $some -o tree/$nth.part) || exit 1
	done
} >said 2>&1
status=$?
[ $status = 0 ] || sed 's/^/# /' said
result $status "each $size of them become one: $(ls tree | wc -l)"
put_together tree "the tree's upper half"
echo "1..$count"
exit $failed
