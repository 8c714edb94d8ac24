# Pictures for a browser, in full: spans with their names, cells, counters, densities, failures, hostile names.
cat >trace.json <<'TRACE'
[{"name": "a <b> & \"c\"", "cat": "io", "ph": "X", "ts": 0, "dur": 600, "pid": 1, "tid": 1},
{"name": "tab\there", "cat": "cpu", "ph": "X", "ts": 700, "dur": 30, "pid": 1, "tid": 1},
{"name": "inner", "cat": "cpu", "ph": "X", "ts": 100, "dur": 200, "pid": 1, "tid": 1},
{"name": "instant", "cat": "io", "ph": "X", "ts": 800, "dur": 0, "pid": 1, "tid": 2},
{"name": "open", "cat": "other", "ph": "B", "ts": 500, "pid": 1, "tid": 2},
{"name": "used", "ph": "C", "ts": 0, "pid": 1, "args": {"v": 2}},
{"name": "used", "ph": "C", "ts": 400, "pid": 1, "args": {"v": 6}},
{"name": "used", "ph": "C", "ts": 900, "pid": 1, "args": {"v": 4}}]
TRACE
lanescope import --quiet trace.json
lanescope timeline trace --width 60 --depth --counters --svg
echo "a part of it: what is cut at its edges, colours by name"
lanescope timeline trace --width 40 --from 150us --to 650us --colour name --svg | grep -v style
echo "cells where spans are many, groups of lanes"
lanescope import --quiet data/golden/four.jsonl
lanescope timeline four --width 40 --counters --svg | grep -v style
lanescope timeline four --width 40 --colour status --svg | cut -c1-150 | tail -12
lanescope import --quiet -o density.lanes data/dftracer/density.pfw
lanescope timeline density --width 40 --svg | grep -v style
echo "marked spans: the others are dimmed, in pictures and in text"
lanescope timeline trace --width 60 --svg --mark "category = 'io'" | grep -v style
lanescope timeline four --width 60 --mark "name LIKE 'efi%'"
lanescope timeline four --width 40 --svg --mark "name LIKE 'efi%'" | grep -v style | cut -c1-150 | head -30
lanescope timeline four four --width 60 --mark "name LIKE 'efi%'" | tail -2
lanescope timeline four --mark "nonsense = 3"
lanescope timeline four --mark "name = 'x'" --format csv
