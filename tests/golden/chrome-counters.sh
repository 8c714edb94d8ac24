# Counters of hosts, given as CSV with a trace that tells when it began on the wall clock, and alone.
cat >trace.json <<'EOF'
{"traceEvents":[{"ph":"X","name":"work","pid":1,"tid":1,"ts":100,"dur":400}],"baseTimeNanoseconds":1700000000000000000}
EOF
lanescope import --quiet trace.json data/chrome/power.csv
lanescope sql trace "SELECT time, host, lane_name, kind, name, value FROM counter"
lanescope sql trace "SELECT start, duration, name FROM span"
lanescope sql trace "SELECT clock, start_ns, wall_start_ns FROM run"
lanescope info trace --format csv | grep -E 'clock|started'
lanescope runs trace.lanes --format csv | cut -d, -f1-4
lanescope query counters trace
lanescope query problems trace
lanescope import --quiet data/chrome/power.csv
lanescope sql power "SELECT time, host, name, value FROM counter"
lanescope sql power "SELECT format, clock, start_ns, duration_ns FROM run"
echo "where the trace does not tell, both begin together, and it is said"
echo '[{"ph":"X","name":"work","pid":1,"tid":1,"ts":100,"dur":400}]' >unknown.json
lanescope import --quiet unknown.json data/chrome/power.csv
lanescope sql unknown "SELECT reason FROM problem WHERE kind = 'suspicious'"
lanescope sql unknown "SELECT time, host, name, value FROM counter"
echo "VizTracer's base and clang's; a base that leads to no date is none"
for about in '"viztracer_metadata":{"baseTimeNanoseconds":1700000000000000000}' \
	'"beginningOfTime":1700000000000000' '"baseTimeNanoseconds":170000000000000000' \
	'"baseTimeNanoseconds":0' '"beginningOfTime":1700000000000000000' \
	'"baseTimeNanoseconds":"soon"'; do
	echo "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"work\",\"pid\":1,\"tid\":1,\"ts\":100,\"dur\":400}],$about}" >base.json
	rm -f base.lanes
	lanescope import --quiet base.json data/chrome/power.csv
	echo "$about"
	lanescope info base --format csv | grep started
	lanescope sql base "SELECT time, (SELECT count(*) FROM problem WHERE kind = 'suspicious') AS put FROM counter LIMIT 1"
done
ls
echo "a lane is where something ran: what holds counters alone is none, of whatever kinds the others are"
printf '[%s,\n%s,\n%s,\n%s]\n' '{"ph":"X","name":"x","pid":1,"tid":1,"ts":0,"dur":5}' '{"ph":"b","cat":"c","name":"y","id":1,"pid":1,"tid":1,"ts":1}' \
	'{"ph":"e","cat":"c","name":"y","id":1,"pid":1,"tid":1,"ts":4}' '{"ph":"C","name":"mem","pid":1,"ts":2,"args":{"v":1}}' >mixed.json
lanescope import --quiet mixed.json
lanescope sql mixed "SELECT kind, count(*) FROM lanes GROUP BY kind" --no-header
lanescope runs mixed.lanes --no-header | cut -d, -f1,6,7
lanescope info mixed.lanes | grep -E '^(lanes|rows beside)'
printf '[%s]\n' '{"ph":"C","name":"mem","pid":1,"ts":2,"args":{"v":1}}' >alone.json
lanescope import --quiet alone.json
lanescope runs alone.lanes --no-header | cut -d, -f1,6,7
lanescope info alone.lanes | grep -E '^(lanes|rows beside)'
