# A timeline's places and values: windows by command, ends that are reached, what is said where nothing is, counters' values in
# their few columns, densities, nothing to draw, what is remembered of a run.
. data/golden/keys
said() { # keys, runs...: the last row
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	shift
	lanescope --keys keys --size 90x14 "$@" | tail -n 1
}
top() { # keys, runs...: the first row, the selected one and the facts
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	shift
	lanescope --keys keys --size 90x14 "$@" | sed -n '1p;/^>/p;12,14p'
}
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
lanescope import --quiet -o density.lanes data/dftracer/density.pfw
lanescope import --quiet -o nested.lanes data/chrome/nested.json
cat >counters.json <<'END'
{"traceEvents":[
{"name":"watts","ph":"C","pid":1,"ts":0,"args":{"v":0.00012345}},
{"name":"watts","ph":"C","pid":1,"ts":500,"args":{"v":12345}},
{"name":"watts","ph":"C","pid":1,"ts":510,"args":{"v":-20000}},
{"name":"big","ph":"C","pid":1,"ts":0,"args":{"v":1e19}},
{"name":"big","ph":"C","pid":1,"ts":1000,"args":{"v":-1e19}},
{"name":"edge","ph":"C","pid":1,"ts":0,"args":{"v":10000}},
{"name":"edge","ph":"C","pid":1,"ts":300,"args":{"v":-10000}},
{"name":"edge","ph":"C","pid":1,"ts":900,"args":{"v":123.4}},
{"name":"low","ph":"C","pid":1,"ts":0,"args":{"v":-1e19}},
{"name":"less","ph":"C","pid":1,"ts":0,"args":{"v":-10000}},
{"name":"small","ph":"C","pid":1,"ts":0,"args":{"v":0.0001234}},
{"name":"six","ph":"C","pid":1,"ts":0,"args":{"v":0.1234}},
{"name":"seven","ph":"C","pid":1,"ts":0,"args":{"v":0.01234}},
{"name":"five","ph":"C","pid":1,"ts":0,"args":{"v":0.123}},
{"name":"share","ph":"C","pid":1,"ts":0,"args":{"v":-0.0001234}},
{"name":"share","ph":"C","pid":1,"ts":700,"args":{"v":9999.5}}]}
END
cat >late.json <<'END'
{"traceEvents":[{"name":"first","ph":"X","pid":1,"tid":1,"ts":0,"dur":1},{"name":"last","ph":"X","pid":1,"tid":1,"ts":9000000,"dur":900000},
{"name":"load","ph":"C","pid":2,"ts":0,"args":{"v":3}}]}
END
lanescope import --quiet counters.json late.json
echo "windows and places by command"
top "T ':range 500ms 1.5s' Enter" four.lanes
top "T ':range 2s 1s' Enter" four.lanes
top "T ':range 1s' Enter" four.lanes
top "T ':range -1s 2s' Enter" four.lanes
top "T w w ':goto 2s' Enter" four.lanes
top "T ':goto never' Enter" four.lanes
top "T ':lane worker3' Enter" four.lanes
top "T ':lane 2 queue' Enter" four.lanes
top "T ':lane worker' Enter" four.lanes
top "T ':lane nosuch' Enter" four.lanes
top "T ':lane' Enter" four.lanes
top "T ':filter duration > 100ms' Enter" four.lanes
top "T ':filter duration > long' Enter" four.lanes
top "T ':filter kind = queue' Enter" four.lanes
top "T '&   ' Enter" four.lanes
top "T '&(' Enter Esc" four.lanes
echo "ends"
top "T w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w" four.lanes
top "T w w w w w w w w w w w w w w w w w w w w w w w w w w w w w s s" four.lanes
top "T G w w w w w w w w w w w w w w w w w w w" late.lanes
said "T ':lane load' Enter ." late.lanes
top "T j j . ." late.lanes
said "T j j w w w w )" late.lanes
said "T n" counters.lanes
said "T N" counters.lanes
said "T '/efi' Enter Esc n" four.lanes
said "T Esc" four.lanes
said "T j . y" four.lanes
top "T w l l l l . ." four.lanes
echo "a range marked from its end, beyond the run's end, dropped"
top "T j L L L L m H H m" four.lanes
top "T j L L m L L m f" four.lanes
top "T j G m L L L m" four.lanes
top "T j m L L Esc" four.lanes
top "T j m L m Esc f" four.lanes
echo "what Enter does on a group, on a span, on nothing"
top "T Enter" four.lanes
top "T '&duration > 9s' Enter j Enter" four.lanes
keys "counters" 90x19 "T" counters.lanes
top "T j" counters.lanes
top "T G j j j j j j j ':goto 700us' Enter" counters.lanes
top "T g j j j j j j j j ':goto 500us' Enter" counters.lanes
top "T ':range 499us 501us' Enter" counters.lanes
top "T u u" counters.lanes
said "T ." counters.lanes
said "T )" counters.lanes
said "T t" counters.lanes
keys "densities" 90x14 "T" density.lanes
keys "densities of all lanes" 90x14 "T u k screen k L L screen" density.lanes
top "T u g" four.lanes
top "T u g w l" four.lanes
awk 'BEGIN { print "["; for (i = 0; i < 100001; i++) for (d = 0; d < 3; d++)
	printf "%s{\"name\":\"%d\",\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d}\n", i + d ? "," : "", d, i % 2, i * 10, 8 - 2 * d
	print "]" }' >many.json
lanescope import --quiet many.json
keys "of more spans than are unfolded at once" 80x14 "T screen o screen j screen O screen k screen O" many.lanes
keys "all of them" 80x14 "T O screen . ." many.lanes
echo "remembered: the window of the run, colours but slowdown"
top "T ':range 500ms 1.5s' Enter q T" four.lanes
top "T ':range 500ms 1.5s' Enter f f q T" four.lanes
top "T ':colour status' Enter q T" four.lanes
top "T ':colour slowdown' Enter q T" four.lanes one.lanes
top "| q T ':colour slowdown' Enter" four.lanes one.lanes
top "T ':colour slowdown' Enter" four.lanes
keys "slowdown names what it is against" 90x24 "| q T ':colour slowdown' Enter screen" four.lanes one.lanes | grep -E 'slowdown|mean against'
