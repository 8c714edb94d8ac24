#!/bin/sh
# What a row counts and sums is what Enter opens, what the timeline marks and what an export of it holds, in scopes too: every saved query, on
# runs of the project's own traces and, where there are any, of the samples (rows.c says how). LANESCOPE_WIDE=1: of more rows, and every run in scopes;
# LANESCOPE_NARROW=1: not of the samples, which under sanitizers take ten minutes.
. "$(dirname "$0")/../tap.sh"
srcdir=${LANESCOPE_SRCDIR:-.}
rows=${LANESCOPE_BUILDDIR:-.}/tests/invariant/rows
[ -x "$rows" ] || skip_all "no program $rows"
tally=$work/tally

# look NAME: at the runs that there are, of which some trace gave none
look() {
	[ -n "$(find "$work/runs" -name '*.lanes')" ] && "$rows" ${LANESCOPE_WIDE:+--wide} --tally "$tally" "$work"/runs/*.lanes
	result $? "$1: rows are what they lead to"
	rm -rf "$work/runs"
}

# agree NAME FOLDER: each of its traces a run, or all of them one
agree() {
	mkdir "$work/runs"
	"$LANESCOPE" import --quiet --each -o "$work/runs" "$2" >/dev/null 2>&1 || "$LANESCOPE" import --quiet -o "$work/runs" "$2" >/dev/null 2>&1
	look "$1"
}

"$rows"
result $? "every saved query says what is compared, or why nothing is"

for folder in cascade chrome dasf dataload dftracer golden preemption; do
	agree "$folder" "$srcdir/tests/data/$folder"
done
mkdir "$work/runs"
"$LANESCOPE" import --quiet -o "$work/runs/profile.lanes" "$srcdir/tests/data/preemption/profile" >/dev/null 2>&1
look "a job's profile"
mkdir "$work/runs"
"$LANESCOPE" simulate preemption --minutes 90 -o "$work/runs/job.lanes" >/dev/null 2>&1
"$LANESCOPE" simulate preemption --minutes 90 --depth 8,16 --seed 1-9 -o "$work/runs/sweep.lanes" >/dev/null 2>&1
look "a simulated job, a sweep"
samples=${LANESCOPE_NARROW:+/nowhere}
samples=${samples:-${LANESCOPE_SHARED:-/nowhere}}
for folder in cascade chrome dasf dataload/edge dataload/sample dftracer preemption; do
	[ -d "$samples/$folder" ] && agree "samples, $folder" "$samples/$folder"
done

# A query that no run has a row of is not tested.
awk '
{ pair[$1 " " $2] = 1; query[$1] = 1; format[$2] = 1; answers += $3; rows += $4; figures += $5 }
END {
	for (key in pair) { split(key, part, " "); of_format[part[2]]++; pairs++ }
	for (name in query) queries++
	for (name in format) formats = formats ", " of_format[name] " " name
	printf "# %d queries, %d pairs of query and format (%s): %d answers, %d rows, %d figures\n", queries, pairs, substr(formats, 3), answers, rows, figures
}' "$tally"
"$LANESCOPE" queries --format csv | sed 1d | cut -d, -f1 | sort -u >"$work/queries"
cut -d' ' -f1 "$tally" | sort -u >"$work/tested"
comm -23 "$work/queries" "$work/tested" | sed 's/^/# no row of /' | tee "$work/untested"
[ ! -s "$work/untested" ]
result $? "every saved query has rows in some run"
echo "1..$count"
exit $failed
