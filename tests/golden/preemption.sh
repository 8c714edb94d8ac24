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
