# Rows as people have them: traces named after regions, profiles out of order and with more columns, lines above a trace.
echo "the number of a region is no size of a group, in a trace of counts"
printf '%s\n' timestamp,count 2021-07-26T23:40:00Z,4 2021-07-26T23:50:00Z,9 2021-07-27T00:10:00Z,7 >us-east-1.csv
printf '%s\n' timestamp,count 2021-07-26T23:40:00Z,4 2021-07-26T23:50:00Z,9 >ap-southeast-2a.csv
printf '%s\n' timestamp,count 2021-07-26T23:40:00Z,4 2021-07-26T23:50:00Z,9 >full-8.csv
echo '{"metadata": {"gap_seconds": 60}, "data": [4, 9, 7]}' >eu-west-3.json
for file in us-east-1.csv ap-southeast-2a.csv eu-west-3.json full-8.csv; do
	lanescope import --quiet "$file"
	run=${file%.*}.lanes
	lanescope query preemption-summary "$run" --format csv | cut -d, -f1,3,29-31
	lanescope query problems "$run" --format csv | cut -d, -f1,4
done
echo "rows of a profile in any order: told, and the figures are those of the ordered one; columns that we don't know are kept"
for order in ordered mixed; do
	mkdir $order
	case $order in
	ordered) lines='1 2 3 4 5 6' ;;
	*) lines='4 1 6 3 2 5' ;;
	esac
	for line in $lines; do
		sed -n "${line}p" <<-'ROWS' >>$order/train-loss-time.csv
			1000000010.5,1,11.5
			1000000012.0,2,11.25
			1000000014.0,3,11.0
			1000000040.0,2,11.25
			1000000044.0,3,11.0
			1000000048.0,4,10.5
		ROWS
		sed -n "${line}p" <<-'ROWS' >>$order/reconfig.csv
			2,1000000000.5,1000000002.75,2.25
			4,1000000020.0,1000000025.5,5.5
			2,1000000030.0,1000000034.5,4.5
		ROWS
	done
	lanescope import --quiet -o $order.lanes $order
	lanescope query problems $order.lanes --format csv
	lanescope query preemption-accounting $order.lanes --format csv >$order.accounting
	lanescope query preemption-rollbacks $order.lanes --format csv >$order.rollbacks
done
cat ordered.accounting ordered.rollbacks
cmp ordered.accounting mixed.accounting
cmp ordered.rollbacks mixed.rollbacks
mkdir more
printf '%s\n' ,timestamp,step,loss,dt,rate '0,1000000005.5,1,11.5,2001-09-09 01:47:00,fast' >more/dt_tlt.csv
printf '%s\n' ,ws,start,end,elapsed,dt_start,dt_end,why '0,2,1000000000.5,1000000002.75,2.25,2001-09-09 01:47:00,2001-09-09 01:47:00,joined' \
	>more/dt_reconfig.csv
lanescope import --quiet -o more.lanes more
lanescope sql more.lanes "SELECT args FROM span"
lanescope sql more.lanes "SELECT value, args FROM counter"
lanescope query problems more.lanes --format csv
echo "lines above a trace are passed over and told; a log's first row may stand far behind"
{
	echo 'Warning: no device'
	echo '{"traceEvents":[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1}]}'
} >above.json
awk 'BEGIN { for (i = 0; i < 3000; i++) print "2025-04-11 12:00:00 INFO other.logger: line " i " of those above" }' >far.txt
cat data/golden/hosts-log.txt >>far.txt
lanescope import --quiet above.json far.txt
lanescope query problems above.lanes --format csv
lanescope sql above.lanes 'SELECT name, duration FROM span'
lanescope info far.lanes | sed -n 's/^format  *//p'
echo "what communicates is a pattern as all others are"
lanescope query gpu-overlap --help | grep communication
echo "a row of sums adds neither means nor what several rows share"
lanescope query flow-times data/chrome/gpu.json --sum --format csv
lanescope query launch-delay data/chrome/gpu.json --sum --format csv
lanescope query preemption-rollbacks ordered.lanes --sum --format csv
