#!/bin/sh
# The loadable extension in the sqlite3 shell and in Python, on a run that lanescope imports from a small trace.
build=${LANESCOPE_BUILDDIR:-.}
lanescope=${LANESCOPE:-$build/lanescope}
extension=$build/lanescope_sqlite
[ -r "$extension.so" ] || { echo "1..0 # SKIP no $extension.so"; exit 0; }

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
run=$folder/small.lanes
cat >"$folder/small.pfw" <<'END'
[
{"id":"1","name":"open","cat":"POSIX","pid":"1","tid":"1","ts":"1000","dur":"10","ph":"X","args":{"hostname":"n1","fname":"/a/x_1.pt"}}
{"id":"2","name":"write","cat":"POSIX","pid":"1","tid":"1","ts":"1020","dur":"30","ph":"X","args":{"hostname":"n1","fname":"/a/x_1.pt","ret":"4096"}}
{"id":"3","name":"write","cat":"POSIX","pid":"1","tid":"2","ts":"1040","dur":"50","ph":"X","args":{"hostname":"n1","fname":"/a/x_2.pt","ret":"100"}}
]
END
"$lanescope" import -o "$run" "$folder/small.pfw" >"$folder/import.log" 2>&1 || {
	echo "1..1"
	echo "not ok 1 - import"
	sed 's/^/# /' "$folder/import.log"
	exit 1
}

count=0
failed=0
check() { # name, result, expected
	count=$((count + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '%s\n' "got:" "$2" "expected:" "$3" | sed 's/^/# /'
		failed=1
	fi
}
skip() { # name, why
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# One statement a line; columns are split by '|'.
shell() {
	sqlite3 -batch -noheader "$1" ".load $extension" "$2" 2>&1
}

# sqlite3 must have been built with loading.
if shell :memory: "SELECT 1" | grep -qx 1; then
	check "span" "$(shell "$run" "SELECT id, name, duration, basename(path) FROM span ORDER BY start")" \
		"1|open|10000|x_1.pt
2|write|30000|x_1.pt
3|write|50000|x_2.pt"
	check "span_sums" "$(shell "$run" "SELECT name, n, dur_sum, dur_p50 FROM span_sums('name')")" \
		"open|1|10000|10000.0
write|2|80000|40000.0"
	check "filter and parameter" \
		"$(shell "$run" "SELECT pattern, n FROM span_sums('pattern(''[0-9]+'')', 'name = ?1', 'write')")" \
		"x_.pt|2"
	check "span_page" "$(shell "$run" "SELECT id FROM span_page('', '-duration', 0, 2)")" "3
2"
	check "span_idle" "$(shell "$run" "SELECT lane, n, busy, idle, gaps FROM span_idle('', 0)")" "0|2|40000|10000|1
1|1|50000|0|0"
	check "span_gaps" "$(shell "$run" "SELECT start, duration, before_name, after_name FROM span_gaps('', 0, 5)")" \
		"10000|10000|open|write"
	check "span_overlap" "$(shell "$run" "SELECT a_ns, b_ns, both_ns FROM span_overlap(0, 'id = 2', 'id = 3')")" \
		"30000|50000|10000"
	check "sample_value" "$(shell "$run" "SELECT count(*) FROM sample_value WHERE sample = 1")" 0
	check "functions without a run" "$(shell :memory: "SELECT median(column1) FROM (VALUES (1), (2))")" 1.5
	message=$(shell :memory: "SELECT count(*) FROM span" | grep -c 'run files*')
	check "no run file: said when it is read" "$message" 1
	check "loaded twice" "$(sqlite3 -batch "$run" ".load $extension" ".load $extension" \
		"SELECT count(*) FROM span" 2>&1)" 3
	check "read-only and immutable" \
		"$(shell "file:$run?mode=ro&immutable=1" "SELECT rows FROM span_sums('')")" 3
	check "loaded by a statement" "$(sqlite3 -batch "$run" "SELECT load_extension('$extension')" \
		"SELECT rows FROM span_sums('')" 2>&1 | tr -d '\n')" 3
	check "wrong filter" "$(shell "$run" "SELECT n FROM span_sums('', 'nonsense = 1')" | grep -c nonsense)" 1
	# What the virtual tables read is checked: the column's bytes, somewhere in the file, are no longer what they were.
	cp "$run" "$folder/bad.lanes"
	page=$(sqlite3 "$run" "SELECT rootpage FROM sqlite_master WHERE name = 'block_data'")
	size=$(sqlite3 "$run" "PRAGMA page_size")
	printf 'x' | dd of="$folder/bad.lanes" bs=1 seek=$((page * size - 100)) conv=notrunc 2>/dev/null
	message=$(shell "$folder/bad.lanes" "SELECT id, name, duration, path FROM span ORDER BY start" | grep -c "page $page is not as it was written")
	check "a damaged page is told" "$message" 1
	message=$(shell "$folder/bad.lanes" "SELECT duration FROM makespan" | grep -c "page")
	check "what is on other pages is answered" "$message" 0
	cp "$run" "$folder/moved.lanes"
	message=$(sqlite3 -batch "$folder/moved.lanes" "SELECT name FROM run" ".load $extension" ".shell mv '$folder/bad.lanes' '$folder/moved.lanes'" \
		"SELECT count(*) FROM span" 2>&1 | grep -c "moved.lanes: the run has changed")
	check "another file in its place" "$message" 1
	check "in memory" "$(sqlite3 -batch :memory: ".restore $run" ".load $extension" "SELECT count(*) FROM span" 2>&1)" 3
else
	skip "sqlite3 shell" "no sqlite3 that loads extensions"
fi

python=
for candidate in python3 /usr/bin/python3; do
	if "$candidate" -c 'import sqlite3; sqlite3.connect(":memory:").enable_load_extension(True)' 2>/dev/null; then
		python=$candidate
		break
	fi
done
if [ -n "$python" ]; then
	check "python" "$("$python" - "$run" "$extension" 2>&1 <<'END'
import sqlite3, sys
db = sqlite3.connect("file:" + sys.argv[1] + "?immutable=1", uri=True)
db.enable_load_extension(True)
db.load_extension(sys.argv[2])
print(db.execute("SELECT name, n FROM span_sums('name')").fetchall())
print(db.execute("SELECT median(duration), count(*) FILTER (WHERE path REGEXP '_\\d') FROM span").fetchone())
db.execute("SELECT * FROM span").fetchone()
db.close()
END
)" "[('open', 1), ('write', 2)]
(30000.0, 3)"
else
	skip "python" "no python3 whose sqlite3 loads extensions"
fi
echo "1..$count"
exit $failed
