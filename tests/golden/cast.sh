# The screens of a script as one file. The same each time, and the words of a trace can't break out of it.
printf '%s\n' '{"name": "<b>&amp;\"\\</b>", "cat": "a&b", "ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 900}' '{"name": "two", "cat": "c", "ph": "X", "pid": 1, "tid": 1, "ts": 2000, "dur": 100}' >rows
(echo '['; paste -sd, rows; echo ']') >odd.json
lanescope import --quiet odd.json
printf '%s\n' "T . 2s '&two' Esc" '44x9 screen' >keys
lanescope --keys keys --size 44x9 --cast out.svg odd.lanes
cat out.svg
lanescope --keys keys --size 44x9 --cast again.svg odd.lanes >/dev/null
cmp out.svg again.svg && echo same
lanescope --keys keys --size 44x9 --cast out.cast odd.lanes >/dev/null
cat out.cast
echo "what can't be kept"
lanescope --cast out.svg odd.lanes
lanescope --keys keys --cast out.gif odd.lanes
lanescope --keys keys --cast out odd.lanes
lanescope --keys keys --cast no/out.svg odd.lanes >/dev/null
echo "status $?"
printf 'NoKey\n' >bad
lanescope --keys bad --cast bad.svg odd.lanes
echo "status $?"
ls bad.svg
