# Simulations: figures, sweeps, logs, run files, replays, made-up traces, the checkpoint model.
simulate='lanescope simulate'
$simulate preemption --format table
$simulate preemption --p-preempt 0.02,0.05 --seed 1-2 | cut -d, -f1-5
$simulate preemption --p-preempt 0.02,0.5 --depth 8,16 --seed 1-20 --summary --format table | cut -c1-80
$simulate preemption --minutes 60 --checkpoint-every 0,10m --format json | head -c 200
echo
$simulate preemption --minutes 30 --seed 3 --log log.csv -o one.lanes --wide | tail -1
head -5 log.csv
lanescope info one.lanes | head -9
lanescope sql one "SELECT name, kind FROM lanes WHERE id < 3"
lanescope sql one "SELECT name, sum(duration) / 1000000 AS ms FROM span WHERE category = 'job' GROUP BY name"
lanescope sql one "SELECT start / 1000000 AS ms, name, args FROM event WHERE category = 'decision' LIMIT 4"
lanescope sql one "SELECT key, value FROM tags WHERE scope = 'parameters' AND key LIKE 'p-%'"
# an instance's states are one life, and the lives last as long as the instances were there
$simulate preemption --minutes 60 --seed 3 -o lives.lanes --format json | sed 's/.*"inst_ms_active": \([0-9]*\), "inst_ms_standby": \([0-9]*\), "inst_ms_prep": \([0-9]*\).*/\1 \2 \3/' | awk '{ print $1 + $2 + $3 }'
lanescope query preemption-instances lives.lanes | awk -F, 'NR > 1 { sum += $6; lives += $3 } END { print sum / 1e6, lives, NR - 1 }'
lanescope query preemption-instances lives.lanes | grep -E 'instance (14|35),'
$simulate preemption --replay one.lanes --summary | cut -d, -f1-3
$simulate trace --minutes 300 --seed 2 -o made --start 2021-07-26T18:42:00Z
head -3 made-node-trace.csv made-terminate-trace.csv
lanescope import --quiet -o made.lanes made-*-trace.csv
$simulate preemption --like made.lanes --seed 1-5 --summary --no-header | cut -d, -f1
$simulate preemption --replay made.lanes | sed 's/.*,//'
$simulate checkpoint --format table
$simulate checkpoint --mtbf 6h --cost 90s --nodes 4 --exponent node --format table
$simulate checkpoint --node-mtbf 100h --nodes 2,8 --exponent doubling --format table
$simulate checkpoint --failures made.lanes --cost 89s --nodes 1 --exponent node | cut -d, -f7-
$simulate
echo "nothing: $?"
$simulate nothing
$simulate preemption --depth 0
echo "nonsense: $?"
$simulate preemption --seed 1,2 -o two.lanes
# one option that would be passed over in silence beside another is refused
$simulate preemption --replay one.lanes --p-preempt 0.5
$simulate preemption --replay one.lanes --like made.lanes
$simulate preemption --pool simulated
$simulate trace --depth 8 -o x
$simulate checkpoint --mtbf 6h --node-mtbf 100h
$simulate checkpoint --node-mtbf 100h --failures made.lanes
$simulate checkpoint -p name=x
# nobody gives a cost in nanoseconds
$simulate checkpoint --mtbf 6h --cost 90
$simulate checkpoint --mtbf 21600
$simulate preemption --help | grep -A1 'several values'
$simulate checkpoint --help | grep -A1 'needs its unit'
$simulate preemption --like missing
$simulate preemption --profile one.lanes
$simulate trace
$simulate checkpoint --cost 90s
$simulate checkpoint --pfs-rate 0
# trace NAME HOSTS: two processes a host checkpoint twice, each 40 s and 5 s more by host and process, of which 30 s are writes
trace() {
	echo "[" >"$1.pfw"
	id=0
	for host in $(seq "$2"); do
		for process in 1 2; do
			for step in 0 1; do
				id=$((id + 2))
				thread="\"pid\":\"$host$process\",\"tid\":\"$host$process\",\"ts\":\"$((1000000 + step * 90000000))\",\"ph\":\"X\""
				echo "{\"id\":\"$id\",\"name\":\"PyTorchCheckpointing.checkpoint\",\"cat\":\"checkpoint\",$thread,\"dur\":\"$((40000000 + host * 5000000 * process))\",\"args\":{\"hostname\":\"node$host\"}}"
				echo "{\"id\":\"$((id + 1))\",\"name\":\"write\",\"cat\":\"POSIX\",$thread,\"dur\":\"30000000\",\"args\":{\"hostname\":\"node$host\",\"fname\":\"/pfs/x.pt\"}}"
			done
		done
	done >>"$1.pfw"
	lanescope import --quiet "$1.pfw"
}
echo "measured: 2 x (40 + 10) s on one host, 2 x (40 + 20) s on two, 60 s of writes"
trace one-host 1
trace two-hosts 2
$simulate checkpoint one-host.lanes two-hosts.lanes --exponent node --nodes 1,2,4 -p 'pfs=/pfs/*' --format table
$simulate checkpoint two-hosts.lanes --exponent node --nodes 2 -p 'pfs=/pfs/*' -p 'name=write' | cut -d, -f6-
$simulate checkpoint two-hosts.lanes one-host.lanes --exponent both --nodes 3 -p 'pfs=/pfs/*' --mtbf 6h | cut -d, -f1-2,7-
$simulate checkpoint one-host.lanes --exponent node -p 'pfs=/pfs/*' --node-mtbf 6h --cost 90s | cut -d, -f1,7-
$simulate checkpoint one-host.lanes made.lanes
echo "of another format: $?"
$simulate checkpoint --help | head -9
echo "any of many pools can be chosen"
mkdir zones
for zone in $(seq 10 34); do
	printf '0,add,n0\n1000,add,n1\n%s000,remove,n0\n' "$zone" >zones/z$zone.csv
done
lanescope import --quiet --one -o zones.lanes zones/*.csv
$simulate preemption --replay zones.lanes --pool z34 --no-header | cut -d, -f1-5
$simulate preemption --replay zones.lanes
$simulate preemption --replay zones.lanes --pool z35
echo "a recorded run keeps the digest that the table shows"
$simulate preemption --minutes 30 --seed 3 --no-header -o kept.lanes | sed 's/.*,//'
lanescope sql kept --no-header "SELECT value FROM tags WHERE scope = 'results' AND key = 'digest'"
