#!/bin/sh
# What a row counts and sums is what Enter opens and what an export of that list holds: every saved query, on runs of the project's own traces
# and, where there are any, of the samples (rows.c says how).
. "$(dirname "$0")/../tap.sh"
srcdir=${LANESCOPE_SRCDIR:-.}
rows=${LANESCOPE_BUILDDIR:-.}/tests/invariant/rows
[ -x "$rows" ] || skip_all "no program $rows"

# agree NAME TRACE...: the traces' runs
agree() {
	agree_name=$1
	shift
	rm -rf "$work/runs"
	mkdir "$work/runs"
	"$LANESCOPE" import --quiet --each -o "$work/runs" "$@" >/dev/null 2>&1 || "$LANESCOPE" import --quiet -o "$work/runs" "$@" >/dev/null 2>&1 # some traces give no run
	[ -n "$(find "$work/runs" -name '*.lanes')" ] && "$rows" "$work"/runs/*.lanes
	result $? "$agree_name: rows are what they lead to"
}

for folder in cascade chrome dasf dataload dftracer golden preemption; do
	agree "$folder" "$srcdir/tests/data/$folder"
done
samples=${LANESCOPE_SHARED:-}
for folder in cascade chrome dasf dataload/edge dataload/sample dftracer preemption; do
	[ -d "${samples:-/nowhere}/$folder" ] && agree "samples, $folder" "$samples/$folder"
done
echo "1..$count"
exit $failed
