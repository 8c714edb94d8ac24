#!/bin/sh
# Chrome traces of the samples, imported again.
. "$(dirname "$0")/round_trip.sh"
[ -n "${LANESCOPE_SHARED:-}" ] && [ -d "$LANESCOPE_SHARED/chrome" ] || skip_all "LANESCOPE_SHARED does not name the folder of samples"

for sample in "$LANESCOPE_SHARED"/chrome/*.json* "$LANESCOPE_SHARED"/dftracer/dlio_v108 "$LANESCOPE_SHARED"/dasf; do
	trip_all "$sample"
done
[ $count -gt 0 ]
result $? "all samples were tried ($count)"
echo "1..$count"
exit $failed
