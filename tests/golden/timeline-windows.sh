# Which windows the timeline shows: where things happen, the surroundings of a span, and the way back.
mkdir runs
cat >far.json <<'END'
{"traceEvents": [
{"ph": "X", "pid": 1, "tid": 1, "name": "clock", "ts": 0, "dur": 5},
{"ph": "X", "pid": 1, "tid": 1, "name": "a", "ts": 1036800000000, "dur": 2000000},
{"ph": "X", "pid": 1, "tid": 1, "name": "b", "ts": 1036802000000, "dur": 1000000},
{"ph": "X", "pid": 1, "tid": 2, "name": "c", "ts": 1036801000000, "dur": 2500000},
{"ph": "X", "pid": 1, "tid": 2, "name": "tiny", "ts": 1036801500000, "dur": 2},
{"ph": "i", "pid": 1, "tid": 2, "name": "instant", "ts": 1036802500000},
{"ph": "X", "pid": 1, "tid": 2, "name": "d", "ts": 1036804000000, "dur": 500000}]}
END
lanescope import --quiet -o runs/far.lanes far.json
lanescope import --quiet -o runs/four.lanes data/golden/four.jsonl
. data/golden/keys
keys "a span days before the others is left outside, and shown by f" 80x14 "T screen f screen f screen b screen b screen b" runs/far.lanes
keys "a span of 2 us in its surroundings, fitted, and back" 80x14 "S '/tiny' Enter T screen f screen b" runs/far.lanes
keys "back through jumps and zooms" 80x14 "T w w ':goto 2s' Enter screen b b screen b screen b" runs/four.lanes
keys "a window in which nothing happened says where something did" 80x14 "T f ':range 500000s 500010s' Enter screen '&a' Enter" runs/far.lanes
