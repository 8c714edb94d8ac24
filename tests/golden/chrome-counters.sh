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
