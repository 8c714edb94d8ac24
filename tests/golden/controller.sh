# The controller: estimated, reported, measured.
trace=data/golden
lanescope import --quiet $trace/*.jsonl $trace/hosts-log.txt
lanescope query controller-summary hosts.lanes hosts.run2.lanes hosts-log.lanes --wide --format table
for run in hosts hosts.run2 hosts-log; do
	lanescope query controller-events $run
	lanescope query controller-phases $run --format table
done
lanescope query microtraces hosts-log
