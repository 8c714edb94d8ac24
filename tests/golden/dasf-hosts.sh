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
