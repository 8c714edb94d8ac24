# What a simulation learns from recorded runs: times of a job's profile, chances of a trace, its instances.
simulate='lanescope simulate preemption --no-header'
# learnt NAMES OPTION...: these parameters of a simulation with the options
learnt() {
	names=$1
	shift
	$simulate "$@" -o learnt.lanes >/dev/null && lanescope sql learnt.lanes --no-header \
		"SELECT key, value FROM tags WHERE scope = 'parameters' AND key IN ($names)"
	rm -f learnt.lanes
}
cp -r data/preemption/profile profile
chmod -R u+w profile
# iterations of 3, 4 and 8 s on two instances, of 1 and 2 s on four, of no time on eight; times that can be none are left out
for row in 2,1,3 2,2,4 2,3,8 4,4,1 4,5,2 8,6,0 0,7,5 2,8,-1 1000001,9,5 4,10,1000000; do
	echo "$row" | awk -F, '{ printf "%d,%d,1000000003.0,1000000005.5,%s.0,0.25,2.5\n", $1, $2, $3 }'
done >profile/loop_times_0.csv
lanescope import --quiet -o profile.lanes profile
echo "the first reconfiguration is the start, of the others the mean; of checkpoints those of the first rank"
learnt "'reconfig', 'checkpoint', 'iter 2', 'iter 4', 'iter 8', 'trace'" --profile profile.lanes
echo "what a profile lacks is named"
for file in reconfig async-checkpoint_0 loop_times_0; do
	mkdir part
	cp profile/*.csv profile/*.txt part
	rm "part/$file.csv" part/async-checkpoint_3.csv
	lanescope import --quiet -o part.lanes part
	$simulate --profile part.lanes
	rm -r part part.lanes
done
echo "one reconfiguration is only the start"
mkdir part
cp profile/*.csv part
head -1 profile/reconfig.csv >part/reconfig.csv
lanescope import --quiet -o part.lanes part
$simulate --profile part.lanes
# counts NAME TIME:COUNT...: a trace of counts of instances, times in ms
counts() {
	name=$1
	shift
	for count; do
		echo "${count%:*},${count#*:}"
	done >"$name-node-trace.csv"
	lanescope import --quiet -o "$name.lanes" "$name-node-trace.csv"
}
chances="'p-preempt', 'preempt-mean', 'preempt-std', 'p-add', 'add-mean', 'add-std', 'p-big', 'big-hi'"
echo "rises of 2, 4, 10, 11 and 40, falls of 6 and 1, in ten minutes: three regular additions, two big ones, two preemptions"
counts some 0:10 60000:12 120000:16 180000:26 240000:37 300000:31 360000:71 480000:70 600000:70
learnt "$chances" --like some.lanes
echo "without rises or falls the chances are none"
counts flat 0:10 60000:10
learnt "$chances" --like flat.lanes
counts once 0:10
$simulate --like once.lanes
$simulate --replay once.lanes
$simulate --like profile.lanes
$simulate --replay profile.lanes
echo "what happened is replayed: the first count is there from the start"
$simulate --replay some.lanes --depth 5 --format json | tr , '\n' | grep -E 'duration|"(preempt|add)'
learnt "'trace'" --replay some.lanes
lanescope import --quiet -o names.lanes data/preemption/events.csv
$simulate --replay names.lanes --depth 1 --format json | tr , '\n' | grep -E 'duration|"(preempt|add)'
