#!/bin/sh
# Imports of one input are equal byte for byte, whatever the number of threads; a copy keeps the run's identity, which is told by info and runs.
. "$(dirname "$0")/../tap.sh"
srcdir=${LANESCOPE_SRCDIR:-.}

# equal NAME TRACE...
equal() {
	equal_name=$1
	shift
	rm -rf "$work/runs"
	for threads in 1 2 5; do
		mkdir -p "$work/runs/$threads"
		"$LANESCOPE" import --quiet --threads $threads -o "$work/runs/$threads/" "$@" >/dev/null 2>&1 # some traces give no run
	done
	[ -n "$(find "$work/runs/1" -name '*.lanes')" ] && diff -r "$work/runs/1" "$work/runs/2" && diff -r "$work/runs/1" "$work/runs/5"
	result $? "$equal_name: the same bytes with 1, 2 and 5 threads"
}

for folder in cascade chrome dasf dataload dftracer golden preemption; do
	equal "$folder" "$srcdir/tests/data/$folder"
done
samples=${LANESCOPE_SHARED:-}
for folder in cascade chrome dasf dataload dftracer preemption; do
	[ -d "${samples:-/nowhere}/$folder" ] && equal "samples, $folder" "$samples/$folder"
done

# Many sources, larger than what is kept in memory before the file is begun.
generate=${LANESCOPE_BUILDDIR:-.}/bench/generate
if [ -x "$generate" ]; then
	"$generate" dftracer "$work/many" 2000000 8 new >/dev/null && equal "8 sources of 2 million events" "$work/many"
	rm -rf "$work/many"
	# One large file, whole and damaged in places.
	"$generate" many "$work/flows.json" flows 300000 >/dev/null && equal "300 000 flows in one Chrome trace" "$work/flows.json"
	for at in 5000000 5000100 20000003; do
		printf '"}{' | dd of="$work/flows.json" bs=1 seek=$at conv=notrunc 2>/dev/null
	done
	equal "the same trace with damaged places" "$work/flows.json"
	[ "$("$LANESCOPE" sql --no-header "$work/runs/5/flows.lanes" "SELECT count(*) FROM problem WHERE kind IN ('malformed', 'invalid')")" -ge 2 ]
	result $? "their problems are told"
	rm "$work/flows.json"
fi

identity() { # RUN: by info, and by runs
	"$LANESCOPE" info --format csv --no-header "$1" | sed -n 's/^identity,//p'
	"$LANESCOPE" runs --format csv --no-header "$1" | sed 's/.*,//'
}
"$LANESCOPE" import --quiet -o "$work/one.lanes" "$srcdir/tests/data/golden/one.jsonl" >/dev/null 2>&1
cp "$work/one.lanes" "$work/copy.lanes" && identity "$work/one.lanes" >"$work/before"
mv "$work/one.lanes" "$work/moved.lanes"
{ identity "$work/copy.lanes"; identity "$work/moved.lanes"; } | uniq >"$work/after"
uniq "$work/before" | diff - "$work/after" && grep -qx '[0-9a-f]\{32\}' "$work/after"
result $? "cp and mv keep the identity"
echo "1..$count"
exit $failed
