# Figures that can't lie: deviations of large values that differ little, figures that no record can have, sums that leave 64 bits.
record() { # name, thread, start, duration, size
	echo "{\"id\":$((id = ${id:-0} + 1)),\"name\":\"$1\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":$2,\"ts\":$3,\"dur\":$4,\"ph\":\"X\",\"args\":{\"ret\":$5}}"
}
echo "== sizes of 1.9 GB that differ by one byte: the deviation is that of 0 and 1"
for i in 0 1 2 3 4 5 6 7 8 9; do
	record write 1 $((1000 + 10 * i)) 5 $((1900000000 + i % 2))
	record read 1 $((5000 + 10 * i)) 5 1900000000
done >sizes.pfw
lanescope import --quiet sizes.pfw
lanescope query size-describe sizes --format csv
lanescope sql sizes --format csv "SELECT name, size_std, dur_std FROM span_sums('name')"
lanescope sql sizes --format csv "SELECT pooled_std(size_n, size_sum, size_sumsq) AS pooled FROM span_sums('name')"
lanescope sql sizes --format csv "SELECT size_std AS whole FROM span_sums('')"
lanescope sql sizes --format csv "SELECT count(*) AS same FROM span_total t JOIN span_sums('name') s ON s.size_sumsq = t.size_sumsq"
echo "== counters as well"
cat >counters.json <<'END'
{"traceEvents":[{"name":"t","ph":"X","pid":1,"tid":1,"ts":0,"dur":5},
{"name":"c","ph":"C","pid":1,"ts":1,"args":{"v":1900000000}},{"name":"c","ph":"C","pid":1,"ts":2,"args":{"v":1900000001}},
{"name":"c","ph":"C","pid":1,"ts":3,"args":{"v":1900000000}},{"name":"c","ph":"C","pid":1,"ts":4,"args":{"v":1900000001}}]}
END
lanescope import --quiet counters.json
lanescope sql counters --format csv "SELECT name, value_std, value_devsq FROM counter_sums('name')"
echo "== what can't be is told once, kept as an argument and in no sum"
{
	record write 1 1000 5 4096
	record write 1 1010 5 281474976710657
	record write 1 1020 5 9223372036854775807
	record write 1 1030 1152921504606847 281474976710656
	record read 1 1040 4611686018427389 1
	record read 1 1050 5 18446744073709551615
} >implausible.pfw
lanescope import --quiet implausible.pfw
lanescope query problems implausible --format csv
lanescope sql implausible --format csv 'SELECT name, start, duration, size, args FROM span'
echo "== a sum that leaves 64 bits is no figure"
for i in 0 1 2 3 4 5 6 7 8; do
	record sleep $i 0 1152921504606846 0
	record wake $i 1152921504606846 1 0
done >large.pfw
lanescope import --quiet large.pfw
lanescope query span-totals large
lanescope query span-by-category large
lanescope query lane-totals large --limit 1 --format csv
lanescope sql large --format csv "SELECT name, dur_std FROM span_sums('name')"
lanescope sql large "SELECT dur_sum FROM span_sums('')"
cat >total.sql <<'END'
-- title: A sum in SQL
-- column name text
-- column time duration
-- key: name
SELECT name, total(dur_sum) AS time FROM span_sums('name,thread') GROUP BY name ORDER BY name DESC
END
lanescope query total large --queries .
sed 's/total(/sum(/' total.sql >sum.sql
lanescope query sum large --queries .
