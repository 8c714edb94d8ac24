#!/bin/sh
# Traces with very much of one thing: a name for each span, as names with a request's id in them are.
#
# environment: LARGE_NAMES (100000; make check-slow takes 2000000, where what grows faster than they do shows)
. "$(dirname "$0")/tap.sh"

names=${LARGE_NAMES:-100000}
awk -v n=$names 'BEGIN {
	print "["
	for (i = 0; i < n; i++)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5,\"name\":\"GET /items/%.0f\"},\n", i % 16, i * 2, i * 7919
	print "{}]"
}' >"$work/names.json"

# computes COMMAND...: milliseconds of computing, in $ms
computes() {
	times >"$work/before"
	"$@" >/dev/null 2>"$work/err"
	computes_status=$?
	times >"$work/after"
	ms=$(awk 'FNR == 2 { for (i = 1; i <= 2; i++) { split($i, part, /[ms]/); ms[FILENAME] += part[1] * 60000 + part[2] * 1000 } }
		END { print int(ms[ARGV[2]] - ms[ARGV[1]]) }' "$work/before" "$work/after")
	return $computes_status
}

computes "$LANESCOPE" import -o "$work/names.lanes" "$work/names.json"
status=$?
import_ms=$ms
sed 's/^/# /' "$work/err"
result $status "$names spans of as many names become a run"
"$LANESCOPE" verify "$work/names.lanes" >"$work/out" 2>&1
result $? "and its pages are sealed"
counted=$("$LANESCOPE" sql "$work/names.lanes" "SELECT count(DISTINCT name), sum(n) FROM span_sums('name')" --format csv | tail -1)
[ "$counted" = "$names,$names" ]
result $? "each name has its span"
counted=$("$LANESCOPE" sql "$work/names.lanes" "SELECT count(*), count(DISTINCT name), sum(n) FROM span_total" --format csv | tail -1)
[ "$counted" = "$names,$names,$names" ]
result $? "its totals, more than memory holds at once, are each there once"

for command in queries info; do
	computes "$LANESCOPE" $command "$work/names.lanes"
	[ $? = 0 ] && [ $(((ms - 50) * 8)) -lt "$import_ms" ]
	result $? "$command of it computes little ($ms ms; the import: $import_ms)"
done

# Flows that end in the other order: more points than are sorted at once.
awk -v n=140000 'BEGIN {
	print "["
	for (i = 0; i < n; i++) printf "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":2,\"name\":\"from\"},{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":%d,\"name\":\"f\",\"cat\":\"f\",\"id\":%d},\n", i * 10, i * 10 + 1, i
	for (i = 0; i < n; i++) printf "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":%d,\"dur\":2,\"name\":\"to\"},{\"ph\":\"f\",\"bp\":\"e\",\"pid\":1,\"tid\":2,\"ts\":%d,\"name\":\"f\",\"cat\":\"f\",\"id\":%d},\n", (n + i) * 10, (n + i) * 10 + 1, n - 1 - i
	print "{}]"
}' >"$work/flows.json"
"$LANESCOPE" import --quiet -o "$work/flows.lanes" "$work/flows.json"
"$LANESCOPE" query flow-times "$work/flows.lanes" --format csv >"$work/out"
[ "$(tail -1 "$work/out")" = "f,from,to,140000,1399998000.0,8000,2799988000" ]
result $? "each flow leads from its begin to its end"

# Runs stay open while they are asked, each in a sixth of a MiB at most.
echo '[{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"a"}]' >"$work/tiny.json"
"$LANESCOPE" import --quiet -o "$work/tiny.lanes" "$work/tiny.json"
mkdir "$work/many"
for i in $(seq 300); do cp "$work/tiny.lanes" "$work/many/$i.lanes"; done
n=$("$LANESCOPE" query span-totals "$work/many" --memory 48M --format csv 2>"$work/err" | wc -l)
[ "$n" = 301 ]
result $? "300 runs are asked within 48 MiB"

# The same run, whatever memory there is; or a sentence.
mkdir "$work/less"
less=$((52 + names / 8192))
"$LANESCOPE" import --memory "${less}M" -o "$work/less/names.lanes" "$work/names.json" >/dev/null 2>"$work/err"
result $? "it is imported within $less MiB"
cmp -s "$work/names.lanes" "$work/less/names.lanes"
result $? "and is the same, byte for byte"
said=$("$LANESCOPE" import --help | sed -n 's/.*--memory SIZE .*(default here: \(.*\), half of .*)/\1/p')
[ -n "$said" ]
result $? "--help says how much is taken ($said)"
said=$(LANESCOPE_MEMORY=700M "$LANESCOPE" import --help | sed -n 's/.*--memory SIZE .*(default here: \(.*\))/\1/p')
[ "$said" = "700.0 MiB, as LANESCOPE_MEMORY says" ]
result $? "LANESCOPE_MEMORY goes before it"
LANESCOPE_MEMORY=much "$LANESCOPE" info "$work/names.lanes" >/dev/null 2>"$work/err"
[ $? = 2 ] && grep -q 'LANESCOPE_MEMORY=much: a size of at least 32 MiB is needed' "$work/err"
result $? "and has to be a size"


# Texts of a dictionary lie in a file beyond their share of memory.
awk 'BEGIN {
	long = sprintf("%300s", "")
	gsub(" ", "x", long)
	print "["
	for (i = 0; i < 250000; i++)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5,\"name\":\"%s %d\"},\n", i % 4, i * 2, long, i % 240000
	print "{}]"
}' >"$work/long.json"
"$LANESCOPE" import --memory 64M -o "$work/less/long.lanes" "$work/long.json" >/dev/null 2>"$work/err"
status=$?
sed 's/^/# /' "$work/err"
result $status "names of 72 MB are imported within 64 MiB"
"$LANESCOPE" import --memory 2G -o "$work/long.lanes" "$work/long.json" >/dev/null 2>&1
cmp -s "$work/long.lanes" "$work/less/long.lanes"
result $? "and are the same run, byte for byte"
rm "$work/long.json"
for memory in 64M 2G; do
	"$LANESCOPE" sql "$work/long.lanes" "SELECT count(*), max(sevens), min(id), max(id) FROM span_page('name LIKE \"%99\"', '-start', 0, 100) CROSS JOIN (SELECT sum(n) AS sevens FROM span_sums('category', 'name LIKE \"%7\"'))" \
		--memory $memory --format csv >"$work/of-$memory" 2>&1
done
cmp -s "$work/of-64M" "$work/of-2G" && grep -q '^100,' "$work/of-64M"
result $? "and give the same answers ($(tail -1 "$work/of-64M"))"


# More groups than memory holds come part by part, in the same order.
few=$((38 + names / 20000))M
for memory in $few 2G; do
	for by in name lane,name 'start(3us)' 'time(3us)'; do
		"$LANESCOPE" sql "$work/names.lanes" "SELECT * FROM (SELECT \"$(echo "$by" | sed 's/(.*//; s/,/", "/')\", n, dur_sum, self_max, dur_p90, start_min FROM span_sums('$by'))" --memory $memory --format csv || echo "status $?"
	done >"$work/of-$memory" 2>&1
done
cmp -s "$work/of-$few" "$work/of-2G" && [ "$(wc -l <"$work/of-$few")" -gt $((names * 2)) ]
result $? "groups are the same within $few"
for memory in $few 2G; do
	"$LANESCOPE" query span-totals "$work/names.lanes" --memory $memory --sort -name --format csv >"$work/of-$memory" 2>&1
done
cmp -s "$work/of-$few" "$work/of-2G" && [ "$(wc -l <"$work/of-$few")" -gt "$names" ]
result $? "and so are all rows of a query, sorted"

# Two answers of very many rows are matched, whatever memory there is.
rows=$((names < 300000 ? 300000 : names))
for run in a b; do
	awk -v n=$rows -v shift=$([ $run = b ] && echo 3 || echo 0) 'BEGIN {
		print "["
		for (i = 0; i < n; i++)
			printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"name\":\"GET /items/%.0f\"},\n", i % 16, i * 2, 5 + shift, (i + shift) * 7919
		print "{}]"
	}' >"$work/rows-$run.json"
	"$LANESCOPE" import -o "$work/rows-$run.lanes" "$work/rows-$run.json" >/dev/null 2>&1
done
few=$((40 + rows * 50 / 1048576))M
for memory in $few 2G; do
	"$LANESCOPE" diff span-totals "$work/rows-a.lanes" "$work/rows-b.lanes" --memory $memory --format csv >"$work/of-$memory" 2>&1
done
cmp -s "$work/of-$few" "$work/of-2G" && [ "$(grep -c ^GET "$work/of-$few")" = $((rows + 3)) ]
result $? "two answers of $rows rows are compared within $few"
rm "$work"/rows-* "$work"/of-*


# Spans of two runs are matched one by one as far as memory goes, then several count as one; what can't be held is refused.
for run in a b; do
	awk -v n=40000 -v long=$([ $run = b ] && echo 1.2 || echo 1) 'BEGIN {
		print "["
		for (i = 0; i < n; i++) {
			printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":90,\"name\":\"outer\"},\n", i % 4, i * 100
			printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"name\":\"inner\"},\n", i % 4, i * 100 + 10, (20 + i % 7) * long
		}
		print "{}]"
	}' >"$work/$run.json"
	"$LANESCOPE" import -o "$work/$run.lanes" "$work/$run.json" >/dev/null 2>&1
done
"$LANESCOPE" explain "$work/a.lanes" "$work/b.lanes" >"$work/out" 2>"$work/err"
[ $? = 0 ] && ! grep -q 'count as one' "$work/err" && grep -q 'inner' "$work/out"
result $? "two runs of 80000 spans are explained"
"$LANESCOPE" explain --memory 64M "$work/a.lanes" "$work/b.lanes" >"$work/out" 2>"$work/err"
[ $? = 0 ] && grep -q 'too many to be matched one by one in so much memory (--memory): of a kind several on a lane count as one' "$work/err" && grep -q 'inner' "$work/out"
result $? "within 64 MiB, with less detail, and that is said"
"$LANESCOPE" explain --memory 32M "$work/long.lanes" "$work/less/long.lanes" >"$work/out" 2>"$work/err"
[ $? = 2 ] && grep -q '250000 spans are more than memory should hold (it may use 32.00 MiB, as --memory says): give more with --memory SIZE, or' "$work/err"
result $? "spans that memory does not hold are refused"
"$LANESCOPE" explain --memory 64M --part matched "$work/a.lanes" "$work/b.lanes" >"$work/out" 2>"$work/err"
[ $? = 2 ] && grep -q 'too many to match one by one (at most 95869 in a run, more with more --memory)' "$work/err"
result $? "and what matches them all says what helps"


# Lanes are read and drawn a piece at a time; what can't be says so before it takes memory.
lanes=20000
awk -v n=$lanes 'BEGIN {
	print "["
	for (i = 0; i < n; i++)
		printf "{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":5,\"name\":\"a\"},\n", i, i * 2
	print "{}]"
}' >"$work/lanes.json"
"$LANESCOPE" import -o "$work/lanes.lanes" "$work/lanes.json" >/dev/null 2>&1
"$LANESCOPE" timeline "$work/lanes.lanes" >"$work/all.txt" 2>"$work/err"
[ "$(grep -c ' % ' "$work/all.txt")" = $lanes ]
result $? "$lanes lanes are drawn"
"$LANESCOPE" timeline --memory 64M "$work/lanes.lanes" >"$work/some.txt" 2>>"$work/err"
cmp -s "$work/all.txt" "$work/some.txt"
result $? "the same within 64 MiB"
"$LANESCOPE" timeline --memory 64M --svg "$work/lanes.lanes" >"$work/out" 2>"$work/err"
[ $? = 2 ] && [ ! -s "$work/out" ] && grep -q '20000 lines of 75 cells are more than memory should hold (it may use 64.00 MiB, as --memory says)' "$work/err"
result $? "a picture that has no room is refused, with what helps"

echo "1..$count"
exit $failed
