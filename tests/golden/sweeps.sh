# Sweeps of simulate preemption: values from one to another, statistics over the seeds, a sweep as a run, what a simulated job did.
sweep() {
	lanescope simulate preemption --minutes 60 "$@"
}
echo "== values"
axes() {
	sweep "$@" --summary --format csv | cut -d, -f1
}
axes --p-preempt 0.1..0.5:5
axes --p-preempt 0.05,0.1..0.3:3,1
axes --depth 8..11
axes --depth 4..16:3
axes --reconfig 30s..2m:4
for value in 0.1..0.5 0.1..0.5: 0.1..0.5:1 0.5..0.1:3 ..0.5:3 0.1..:3 0.1..0.5:x 0.1..nan:3; do
	axes --p-preempt $value
done
axes --depth 8..10:9
axes --depth 10..8
axes --depth 1..99999999999
axes --depth 5,1..1000000
axes --reconfig 30s..2m
echo "== statistics"
figures() {
	sweep --seed 1-20 --depth 8 --format csv "$@" | cut -d, -f1-8
}
figures --summary
figures --stat mean,std,low,high,min
figures --stat p5,p25,p50,p75,p95,max,p5
sweep --seed 3 --stat mean,std,low,high,p50 --format csv | cut -d, -f1-8
figures --stat mean,mode
figures --stat ''
echo "== a sweep as a run"
sweep --seed 1-20 --p-preempt 0.1..0.3:3 --depth 8,16 -o sweep.lanes --summary >/dev/null
lanescope info sweep.lanes | sed -n '2,3p;7,9p'
lanescope query sweep-measures sweep
lanescope query sweep-measures sweep -p by=p_preempt -p measure='*_ms' --columns point,parameter,value,measure,mean --limit 3
lanescope query sweep-measures sweep -p by=nothing --limit 1
echo "the same figures as the table has:"
sweep --seed 1-20 --p-preempt 0.1..0.3:3 --depth 8,16 --stat mean,std,min,p5,p50,p95,max --format csv | cut -d, -f11-17 >table
lanescope query sweep-measures sweep --columns mean,std,min,p5,median,p95,max | paste -d, - table | awk -F, 'NR > 1 {
	for (i = 1; i < 8; i++) if ($i - $(i + 7) > 1e-12 || $(i + 7) - $i > 1e-12) wrong++ } END { print NR - 1 " points, " wrong + 0 " differ" }'
echo "what the time went into: the parts add up, and are the table's"
lanescope query sweep-times sweep -p by=p_preempt --columns point,value,others,state,mean,share
lanescope query sweep-times sweep --format csv | awk -F, 'NR > 1 { sum[$1] += $14; whole[$1] += $7 } END { for (point in sum) if (sum[point] < 0.999999 || sum[point] > 1.000001 || whole[point] != 3600000000000) wrong++; print length(sum) " points, " wrong + 0 " wrong" }'
sweep --seed 1-20 --p-preempt 0.1..0.3:3 --depth 8,16 --stat mean --format json | grep -o '"idle_ms": [0-9.]*' | sed 's/.* //' >table
lanescope query sweep-times sweep --format csv | awk -F, '$5 == "idle" { printf "%.3f\n", $7 / 1000000 }' | paste -d ' ' - table | awk '{ n++; if ($1 - $2 > 0.001 || $2 - $1 > 0.001) wrong++ } END { print n " idle times, " wrong + 0 " differ" }'
lanescope query sweep-times sweep -p by=p_preempt --plot --size 72x16
lanescope query sweep-measures sweep -p by=p_preempt --plot --size 72x12
sweep --seed 1-20 --p-preempt 0.1..0.3:3 --depth 8,16 -o sweep.lanes 2>&1 >/dev/null
sweep --seed 1-21 --p-preempt 0.1..0.3:3 --depth 8,16 -o sweep.lanes 2>&1 >/dev/null
sweep --seed 1-2 -o seeds.lanes >/dev/null
lanescope query sweep-measures seeds --columns point,parameter,value,seeds,mean,mean_low,mean_high
lanescope queries sweep --format csv | cut -d, -f1
echo screen >keys
lanescope --keys keys --size 80x12 sweep.lanes
sweep --seed 1-2 --log log.csv
echo "== what a job did"
sweep --seed 1 -o one.lanes >/dev/null
sweep --seed 2 -o two.lanes >/dev/null
lanescope query job-times one
lanescope diff job-times one two --measure time --format csv
lanescope --keys keys --size 80x12 one.lanes
echo "== times of day"
lanescope simulate trace -o made --start 2024-02-29T12:00:00Z --minutes 30 --seed 3
lanescope query preemption-changes made-node-trace.csv --columns at,clock,change --limit 2
