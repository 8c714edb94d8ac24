# DASF: hosts count from their own starts; samples put them on the wall clock, and so do counters given with them.
folder=data/dasf
balance="lanescope query worker-balance --format csv"
lanescope import --quiet --name hosts $folder/hosts-*
$balance hosts
lanescope info hosts | sed -n '/^clock/,/^duration/p; /^problems by/,$p'
echo "== whatever the order of the files, and their number of threads"
lanescope import --quiet --threads 1 --name back $folder/hosts-TracePlugin-h2.msgpack $folder/hosts-ResourceMonitor-h2.msgpack \
	$folder/hosts-TracePlugin-h1.msgpack $folder/hosts-ResourceMonitor-h1.msgpack
[ "$($balance back)" = "$($balance hosts)" ] && echo same
echo "== recorded times stay"
lanescope sql hosts --format csv 'SELECT recorded_start, started, finished FROM task'
lanescope timeline hosts --width 40
echo "== a host without samples"
lanescope import --quiet --name without $folder/hosts-*-h1.msgpack $folder/hosts-TracePlugin-h2.msgpack
$balance without
lanescope query problems without --format csv
echo "== counters of the wall clock"
printf 'time,host,name,value\n1700000001,h1,watts,5\n1700000002,h1,watts,6\n' >watts.csv
lanescope import --quiet --name watts $folder/hosts-*-h1.msgpack watts.csv
lanescope sql watts --format csv "SELECT time, name, value FROM counter WHERE name IN ('watts', 'cpu')"
lanescope query problems watts --format csv
echo "== counters of another day"
printf 'time,host,name,value\n2024-03-17T13:17:33+01:00,h1,watts,5\n' >watts.csv
lanescope import --quiet --name strange $folder/hosts-*-h1.msgpack watts.csv
lanescope query problems strange --format csv
echo "== counters of two hosts"
printf 'time,host,name,value\n1,n1,power,100\n1,n2,power,300\n2,n2,power,500\n1,n2,fan,7\n' >power.csv
lanescope import --quiet power.csv
lanescope query counters power --format csv
echo '{"traceEvents":[{"ph":"C","name":"x","pid":1,"ts":1,"args":{"x":1}},{"ph":"C","name":"x","pid":2,"ts":1,"args":{"x":3}},
	{"ph":"C","name":"y","pid":2,"ts":1,"args":{"y":5}}]}' >processes.json
lanescope import --quiet processes.json
lanescope query counters processes --format csv
