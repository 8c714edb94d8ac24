# Spot instance traces and a job's profile: the figures of the saved queries.
lanescope import --quiet -o trace.lanes data/preemption/small-8-*.csv
lanescope query preemption-summary --format json trace.lanes
lanescope query preemption-changes trace.lanes
lanescope query preemption-capacity trace.lanes
lanescope query problems --format csv trace.lanes | cut -d, -f1,2
mkdir each
lanescope import --quiet -o each data/preemption/events.csv data/preemption/lines.txt data/preemption/zone.json
lanescope query preemption-instances each/events.lanes
lanescope query preemption-summary each/zone.lanes --format json
echo "an instance does not move by a kind of row that is not known, and it is said once"
printf '%s\n' '[0, "add", {"nodes": ["a", "b"]}]' '[1000, "no-op", {"nodes": []}]' '[2000, "weird", {"nodes": ["b"]}]' '[3000, "weird", {}]' \
	'[4000, "migration", {}]' '[5000, "other", {}]' '[9000, "DONE", {}]' >kinds.txt
lanescope import --quiet kinds.txt
lanescope query preemption-instances kinds.lanes
lanescope query problems kinds.lanes | cut -d, -f1-4
lanescope import --quiet -o profile.lanes data/preemption/profile
echo "times of day without a zone are told"
printf 'timestamp,count\n2021-07-26T18:42:00Z,8\n2021-07-26T18:43:00Z,7\n' >zone.csv
printf 'timestamp,count\n2021-07-26T18:42:00,8\n2021-07-26T18:43:00,7\n' >local.csv
printf 'time,host,name,value\n2021-07-26 18:42:00,n1,power,8\n2021-07-26 18:43:00,n1,power,7\n' >power.csv
for trace in zone local power; do
	lanescope import --quiet $trace.csv && lanescope info $trace.lanes --format table | grep -E '^(started|times of day)'
done
lanescope sql power.lanes "SELECT scope, key, value FROM tags"
echo "only what can have an answer is offered"
lanescope queries trace.lanes | sed -n 's/^\(preemption-[a-z]*\),.*/\1/p'
lanescope queries each/events.lanes | sed -n 's/^\(preemption-[a-z]*\),.*/\1/p'
lanescope queries profile.lanes | sed -n 's/^\(preemption-[a-z]*\),.*/\1/p'
lanescope query preemption-profile profile.lanes
lanescope query preemption-accounting profile.lanes --format json
lanescope query preemption-rollbacks profile.lanes
echo "a log of probes goes back in time and repeats one: sorted, the later line is the state, and it is said"
lanescope import --quiet -o probes.lanes data/preemption/probes.txt
lanescope query problems probes.lanes --format csv
lanescope query preemption-capacity probes.lanes
lanescope info probes.lanes | sed -n '/^problems by kind/,$p'
echo "events in any order are those of the sorted trace, and it is said; a header, quotes and more columns are read"
printf '%s\n' 'oops' 'zone; ms; event; node' '"eu; west";9000;remove;n1' 'us;0;add;n1' 'us;5000;add;n2' 'us;12000;remove;n2' >us-east-1.csv
lanescope import --quiet us-east-1.csv
lanescope query problems us-east-1.lanes --format csv | cut -d, -f1-4
lanescope query preemption-instances us-east-1.lanes --format csv
lanescope query preemption-capacity us-east-1.lanes --format csv
lanescope sql us-east-1.lanes "SELECT time, name, json_extract(args, '$.zone') AS zone FROM event WHERE category = 'trace' ORDER BY time"
echo "of an AWS group's metrics what is in service is the cluster; what the last row takes at once was shut down"
mkdir asg
for metric in InService Pending; do
	printf '%s\n' time,count '2021-09-14 05:18:00,16.0' '2021-09-14T07:19:00+02:00,12.0' '2021-09-14 05:20:00,14.0' '2021-09-14 05:21:00,0.0' >asg/group-Group${metric}Instances.csv
done
lanescope import --quiet -o asg.lanes asg
lanescope query preemption-summary asg.lanes --format csv | cut -d, -f1-3,6-8,15-17,26,27
lanescope query preemption-changes asg.lanes --format csv -p 'pool=*InService*'
echo "one pool a side: they are compared, whatever the files are called"
lanescope diff preemption-summary each/events.lanes us-east-1.lanes --format csv --measure nodes_mean
lanescope diff preemption-summary each/events.lanes us-east-1.lanes --format csv --measure nodes_mean --key pool
