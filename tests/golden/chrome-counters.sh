# Counters of hosts, given as CSV with a trace that tells when it began on the wall clock, and alone.
cat >trace.json <<'EOF'
{"traceEvents":[{"ph":"X","name":"work","pid":1,"tid":1,"ts":100,"dur":400}],"baseTimeNanoseconds":1700000000000000000}
EOF
lanescope import --quiet trace.json data/chrome/power.csv
lanescope sql trace "SELECT time, host, lane_name, kind, name, value FROM counter"
lanescope sql trace "SELECT start, duration, name FROM span"
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
ls
