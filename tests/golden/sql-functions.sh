# Functions over rows: sums that leave 64 bits name their group, arguments come back as columns, and the same is asked again with others.
awk 'BEGIN {
	for (i = 0; i < 20; i++)
		printf "{\"id\":%d,\"name\":\"write\",\"cat\":\"POSIX\",\"pid\":%d,\"tid\":1,\"ts\":%d,\"dur\":%s,\"ph\":\"X\",\"args\":{\"fname\":\"/p/%d\"%s}}\n", i, i % 2, i, i % 2 ? "1000000000000000" : 10, i % 3, i % 2 ? ",\"hostname\":\"h\"" : ""
}' >long.pfw
lanescope import --quiet long.pfw
sql() { lanescope sql long "$@"; }
for by in host lane "'host,process'" "'start(8000)'" path; do
	sql "SELECT n, dur_sum FROM span_sums('$(echo $by | tr -d "'")', NULL)"
done
sql "SELECT n, dur_sum FROM span_sums('lane', 'duration < 1ms')"
sql "SELECT n, dur_sum, busy FROM span_busy('process', NULL, NULL)"
sed 's/,"hostname":"h"//' long.pfw >hostless.pfw && lanescope import --quiet hostless.pfw
lanescope sql hostless "SELECT n, dur_sum FROM span_sums('host')"
echo "== arguments"
sql "SELECT filter, \"order\", offset, n, id FROM span_page('duration > ?1', '-start', 1, 2, 5000)"
sql "SELECT \"by\", filter, p1, p2, n FROM span_sums('process', 'duration < ?1', 20000)"
sql "SELECT filter, least, n, p1 FROM span_gaps('lane = ?1', 0, 1, 0)"
sql "SELECT filter, least, n, p1, start, duration FROM span_gaps('duration < 1ms', 0, 2, 7)"
for width in 0 0.5 x 1e30; do
	sql "SELECT n FROM span_sums('start($width)') LIMIT 1"
done
sql "SELECT start, n FROM span_sums('start(?1)', NULL, 4000.5) LIMIT 2"
sql "WITH least(x) AS (VALUES (1.5), (1.5), (NULL), (NULL), (20000), (20000))
	SELECT typeof(x) AS type, x, (SELECT sum(n) FROM span_sums('', 'duration >= ?1', x)) AS n FROM least"
echo "== lanes by name"
sql "SELECT count(*) FROM span WHERE host = 'h'"
sql "SELECT count(*) FROM span WHERE lane_name = 'nobody'"
sql "SELECT lane_name, count(*) AS n FROM span WHERE lane_name = (SELECT name FROM lanes ORDER BY id LIMIT 1)"
echo "== numbers"
sql "SELECT round_step(0) AS r0, round_step(1) AS r1, round_step(3) AS r3, round_step(11) AS r11, round_step(1000) AS r1000, round_step(4000000000000000001) AS large, round_step(9223372036854775807) AS larger, round_step(1.5) AS part, round_step('x') AS text"
sql "SELECT round(ln(2.718281828459045), 6) AS ln, ln(0) AS ln0, ln('x') AS lnx, sqrt(16) AS sqrt, sqrt(-1) AS sqrt1, pow(2, 10) AS pow, pow('x', 2) AS powx, ceil(1.5) AS up, floor(-1.5) AS down, ceil(3) AS whole, exp(0) AS e"
