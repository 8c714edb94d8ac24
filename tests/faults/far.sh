#!/bin/sh
# Traces on storage where each read takes its time, however much it brings: they are read in large pieces, and the run is the same.
. "$(dirname "$0")/../tap.sh"
build=$(cd "${LANESCOPE_BUILDDIR:-.}" && pwd)
shim=$build/tests/faults/shim.so
[ -x "$shim" ] || skip_all "no $shim: it is built with glibc and without sanitizers"
LANESCOPE_CALLS=$work/calls LD_PRELOAD=$shim "$LANESCOPE" --version >/dev/null 2>&1
[ -s "$work/calls" ] || skip_all "nothing can be loaded before $LANESCOPE"
cd "$work" || exit 2
mkdir near far
awk 'BEGIN {
	srand(1)
	print "["
	for (i = 0; i < 100000; i++)
		printf "{\"id\":%d,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":2,\"ph\":\"X\",\"args\":{\"size\":%d,\"of\":%d%08d%08d}}\n", i, i % 3, i * 5, i % 977 * 4096, 1 + rand() * 9, rand() * 1e8, rand() * 1e8
}' >plain.pfw
gzip -1 -c plain.pfw >packed.pfw.gz
reads() { # trace, folder, environment...: how many reads an import makes
	trace=$1 folder=$2
	shift 2
	env "$@" LANESCOPE_CALLS="$work/calls" LD_PRELOAD="$shim" "$LANESCOPE" import --quiet "$trace" -o "$folder/run.lanes" >out 2>&1 || sed 's/^/# /' out
	sed -n 3p calls # in the order of the shim's kinds
}
for trace in plain.pfw packed.pfw.gz; do
	near=$(reads $trace near)
	far=$(reads $trace far LANESCOPE_READ_MS=3)
	cmp near/run.lanes far/run.lanes
	result $? "$trace: the same run"
	pieces=$(($(wc -c <$trace) / 1048576))
	echo "# $trace: $near reads, $far from far away, $pieces MiB"
	# The first is a quarter; a few more look at it, at its end, and at what is written.
	[ "$far" -le $((pieces + 9)) ]
	result $? "$trace: in large pieces"
	rm near/run.lanes far/run.lanes
done
one_core=
! command -v taskset >/dev/null 2>&1 || one_core='taskset -c '$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
# One thread for one core; as it waits for storage, others begin with the other files, unless the user says how many.
mkdir side
for i in 1 2 3 4; do
	sed "s/\"pid\":1/\"pid\":$i/" plain.pfw >side/$i.pfw
done
threads() { # folder, options of the import...: how many threads it started from far away
	folder=$1
	shift
	$one_core env LANESCOPE_READ_MS=${read_ms:-100} LANESCOPE_CALLS="$work/calls" LD_PRELOAD="$shim" "$LANESCOPE" import --quiet side -o "$folder/run.lanes" "$@" >out 2>&1 || sed 's/^/# /' out
	sed -n 7p calls
}
near=$(read_ms=0 threads near)
far=$(threads far)
echo "# $near threads near, $far far away"
[ "$far" -gt "$near" ]
result $? "files side by side while one waits"
cmp near/run.lanes far/run.lanes
result $? "the same run of them"
rm near/run.lanes far/run.lanes
[ "$(threads far --threads 1)" -le "$near" ]
result $? "as many threads as the user says"
rm far/run.lanes
[ "$(LANESCOPE_THREADS=1 threads far)" -le "$near" ]
result $? "as many as the environment says"
echo "1..$count"
exit $failed
