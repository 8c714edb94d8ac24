# One makespan everywhere: info, explain, table makespan and the saved queries that have it say the same of every sample.
cell() { sed -n "s/^$1//p" | tail -1 | cut -d, -f1; } # the last: a kind may be called sum
for file in data/golden/*.jsonl data/golden/*.pfw* data/cascade/* data/chrome/*.json data/dasf/*Trace* data/dasf/trace.msgpack data/dftracer/*; do
	rm -rf out && mkdir out
	[ -f "$file" ] && lanescope import --quiet --each -o out "$file" 2>/dev/null
	for run in out/*.lanes; do
		[ -f "$run" ] || continue
		told=$(lanescope info "$run" --format csv 2>/dev/null | cell makespan,)
		table=$(lanescope sql "$run" 'SELECT duration FROM makespan' --no-header)
		lanescope explain "$run" "$run" --part all --format csv 2>/dev/null >parts.csv
		explained=$(cell makespan,sum, <parts.csv)
		overlap=$(lanescope query io-summary "$run" --no-header --format csv 2>/dev/null | cut -d, -f2)
		[ "$told" = "$table" ] && [ "$told" = "$explained" ] && [ "${overlap:-$told}" = "$told" ] ||
			echo "$file: info $told, table $table, explain $explained, io-summary $overlap"
		for part in sharing area path; do
			[ "$(cell "$part,sum," <parts.csv)" = "$told" ] || echo "$file: $part adds up to something else"
		done
		n=$((${n:-0} + 1))
	done
done
echo "$n runs"
echo "== spans without length begin and end it, those of an asynchronous lane as well; idle lanes and the path know"
cat >ends.json <<'END'
{"traceEvents": [
{"ph": "X", "name": "first", "pid": 1, "tid": 1, "ts": 0, "dur": 0},
{"ph": "X", "name": "work", "pid": 1, "tid": 1, "ts": 10, "dur": 50},
{"ph": "X", "name": "work", "pid": 1, "tid": 2, "ts": 20, "dur": 20},
{"ph": "b", "name": "request", "cat": "net", "id": 1, "pid": 1, "tid": 2, "ts": 70},
{"ph": "e", "name": "request", "cat": "net", "id": 1, "pid": 1, "tid": 2, "ts": 80},
{"ph": "X", "name": "last", "pid": 1, "tid": 2, "ts": 100, "dur": 0},
{"ph": "i", "name": "instant", "pid": 1, "tid": 2, "ts": 300, "s": "t"}
]}
END
lanescope import --quiet ends.json
lanescope info ends --format csv | grep -E 'duration|makespan'
lanescope sql ends 'SELECT * FROM makespan'
for part in sharing area path; do lanescope explain ends ends --part $part -p fold=0% --format csv 2>/dev/null; done
lanescope explain ends ends --part path-steps --format csv 2>/dev/null
echo "== nothing ran: none"
echo '{"traceEvents": [{"ph": "i", "name": "instant", "pid": 1, "tid": 2, "ts": 300, "s": "t"}]}' >none.json
lanescope import --quiet none.json
lanescope sql none 'SELECT * FROM makespan'
lanescope info none --format csv | grep makespan || echo 'none is told'
