#!/bin/sh
# Commands whose n-th call of one kind fails (faults.c says how), on runs of the project's own traces.
#
# environment: FAULTS (calls of each kind that are tried of each command: 1; make check-slow takes more), FAULTS_SEED (1),
# LANESCOPE_NARROW=1: not at all, where it has run already
. "$(dirname "$0")/../tap.sh"
[ -z "${LANESCOPE_NARROW:-}" ] || skip_all "LANESCOPE_NARROW is set"
srcdir=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
build=$(cd "${LANESCOPE_BUILDDIR:-.}" && pwd)
faults=$build/tests/faults/faults
shim=$build/tests/faults/shim.so
[ -x "$shim" ] || skip_all "no $shim: it is built with glibc and without sanitizers"
LANESCOPE_CALLS=$work/calls LD_PRELOAD=$shim "$LANESCOPE" --version >/dev/null 2>&1
[ -s "$work/calls" ] || skip_all "nothing can be loaded before $LANESCOPE"

mkdir "$work/in"
(cd "$srcdir/tests/data" && cp -R golden/one.jsonl golden/four.jsonl dftracer/new.pfw chrome/gpu.json dasf/trace.msgpack preemption/events.csv dataload/exp1 "$work/in")
for trace in one.jsonl four.jsonl new.pfw gpu.json; do
	"$LANESCOPE" import --quiet -o "$work/in/${trace%.*}.lanes" "$work/in/$trace"
done
mkdir "$work/in/tagged"
cp "$srcdir/tests/data/golden/one.jsonl" "$work/in/tagged"
printf 'mode = scr\nnodes = 1\n' >"$work/in/tagged/lanescope.tags"
"$LANESCOPE" tag "$work/in/one.lanes" mode=scr note='of before'
mv "$work/in/one.lanes.tags" "$work/in/tags"
"$LANESCOPE" tag "$work/in/four.lanes" mode=scr
for nth in 1 2; do "$LANESCOPE" import --quiet --part $nth/2 "$work/in/exp1" -o "$work/in/parts/"; done
"$build/tests/stopped/older" "$work/in/four.lanes" "$work/in/old.lanes"
echo "screen j A k B Enter screen v Enter screen Esc q T + screen q E screen End Enter screen Enter screen q q q S Enter screen" >"$work/in/keys"
"$faults" "$LANESCOPE" "$shim" "$work/in" "${FAULTS:-1}" "${FAULTS_SEED:-1}"
result $? "the same answer or an error"

# A file that the system did not give all of, this time: what was read is a run, status 0, and told; whoever reads it again does not get that
# run as the whole one.
cd "$work" || exit 2
whole=$("$LANESCOPE" sql in/new.lanes --format csv "SELECT identity FROM run" | tail -1)
n_parts=0
bad=0
for n in 1 2 3 4 5 6 7 8 9 10; do
	rm -f part.lanes
	LANESCOPE_FAULT=read:$n LD_PRELOAD=$shim "$LANESCOPE" import -o part.lanes in/new.pfw >said 2>&1
	status=$?
	[ -e part.lanes ] || { [ $status = 2 ] && continue; }
	grep -q problem said || { [ $status = 0 ] && continue; }
	n_parts=$((n_parts + 1))
	part=$("$LANESCOPE" sql part.lanes --format csv "SELECT identity FROM run" | tail -1)
	"$LANESCOPE" import -o part.lanes in/new.pfw >again 2>&1
	[ $? = 2 ] && [ $status = 0 ] && [ "$part" != "$whole" ] && ! grep -q already again || { bad=1 && sed "s/^/# read:$n: status $status: /" said again; }
done
[ $bad = 0 ] && [ $n_parts -gt 0 ]
result $? "what was read in part is told, and is not the whole run ($n_parts)"
echo "1..$count"
exit $failed
