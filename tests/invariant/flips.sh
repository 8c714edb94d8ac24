#!/bin/sh
# A run file with a wrong bit gives the same answer or an error (flips.c says how), on runs of the project's own traces.
#
# environment: FLIPS (30 bits of each run; make check-slow takes more), FLIPS_SEED (1)
. "$(dirname "$0")/../tap.sh"
srcdir=${LANESCOPE_SRCDIR:-.}
flips=${LANESCOPE_BUILDDIR:-.}/tests/invariant/flips
[ -x "$flips" ] || skip_all "no program $flips"

# hold NAME TRACE OTHER
hold() {
	for hold_run in 2 3; do
		eval "hold_trace=\$$hold_run"
		"$LANESCOPE" import --quiet -o "$work/$1-$hold_run.lanes" "$srcdir/tests/data/$hold_trace" >"$work/said" 2>&1
	done
	"$flips" "$LANESCOPE" "${FLIPS:-30}" "${FLIPS_SEED:-1}" "$work/$1-2.lanes" "$work/$1-3.lanes"
	result $? "$1: the same answer or an error"
}

hold cascade golden/four.jsonl golden/one.jsonl
hold dftracer dftracer/new.pfw dftracer/old.pfw
hold chrome chrome/streams.json chrome/gpu.json
hold dasf dasf/trace.msgpack dasf/phases.msgpack
hold preemption preemption/events.csv preemption/group-InService.csv
echo "1..$count"
exit $failed
