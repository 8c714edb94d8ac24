#!/bin/sh
# Chrome traces of the samples, imported again.
[ -n "${LANESCOPE_SHARED:-}" ] && [ -d "$LANESCOPE_SHARED/chrome" ] || {
	echo "1..0 # SKIP LANESCOPE_SHARED does not name the folder of samples"
	exit 0
}
src=${LANESCOPE_SRCDIR:-.}
. "$src/tests/export/round_trip.sh"

for sample in "$LANESCOPE_SHARED"/chrome/*.json* "$LANESCOPE_SHARED"/dftracer/dlio_v108 "$LANESCOPE_SHARED"/dasf; do
	trip_all "$sample"
done
[ $count -gt 0 ]
result $? "all samples were tried ($count)"
echo "1..$count"
exit $failed
