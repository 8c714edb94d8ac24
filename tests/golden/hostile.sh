# Names made to harm a terminal: escape sequences, bidi overrides, combining and wide characters. They are shown, as text, in every view.
cat >trace.json <<'T'
{"traceEvents": [
{"name": "process_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "\u001b[2J\u001b]0;owned\u0007host"}},
{"name": "\u001b[31mred\u001b[0mend", "cat": "a\u0009b\u000ac", "ph": "X", "ts": 0, "dur": 100, "pid": 1, "tid": 1, "args": {"k\u001b[1m": "\u202eesrever\u202c"}},
{"name": "計算カーネル処理の非常に長い名前で切られるべきもの", "cat": "漢字", "ph": "X", "ts": 200, "dur": 50, "pid": 1, "tid": 1},
{"name": "e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 combining", "ph": "X", "ts": 300, "dur": 50, "pid": 1, "tid": 1},
{"name": "\ud800 lone", "ph": "X", "ts": 400, "dur": 50, "pid": 1, "tid": 1}
]}
T
lanescope import --quiet -o "h.lanes" trace.json
screens() { # keys
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	lanescope --keys keys --size 90x16 h.lanes >screen
	if tr -d '\n' <screen | LC_ALL=C grep -q "$(printf '[\001-\037\177]')"; then
		echo "control bytes reach the terminal"
	fi
	cat screen
}
screens ""
screens "S"
screens "S Enter"
screens "T o"
screens "T o ~"
screens "v : 'query span-totals' Enter"
screens "v : 'query span-totals' Enter F"
screens "S & '計算' Enter"
screens "; 'SELECT name FROM span' Enter"
screens "^P"
screens "q"
echo "more argument names than a block has columns, and a record out of order"
awk 'BEGIN {
	print "["
	for (i = 0; i < 9000; i++)
		printf "{\"ph\":\"X\",\"name\":\"n\",\"ts\":%d,\"dur\":1,\"pid\":1,\"tid\":1,\"args\":{\"k%d\":%d}},\n", i, i, i
	print "{\"ph\":\"X\",\"name\":\"x\",\"ts\":1,\"dur\":1,\"pid\":1,\"tid\":1}]"
}' >names.json
lanescope import --quiet names.json
lanescope sql names "SELECT count(*), sum(name = 'x') FROM span"
lanescope sql names "SELECT id, start, args FROM span WHERE args LIKE '%k8999%'"
