#!/bin/sh
# Chrome traces of the fixtures of all formats, imported again.
src=${LANESCOPE_SRCDIR:-.}
. "$(dirname "$0")/round_trip.sh"

for format in cascade chrome dasf dftracer golden preemption; do
	trip_all "$src/tests/data/$format"
done
trip_all "$src/tests/data/dataload/exp1"
[ $count -gt 150 ]
result $? "all fixtures were tried ($count)"
echo "1..$count"
exit $failed
