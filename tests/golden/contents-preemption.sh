# All that comes of small spot instance traces, each form, and of a job's profile, every table of the run.
. data/golden/contents
for file in data/preemption/*.*; do
	take preemption "$file"
done
take preemption data/preemption/small-8-*
take preemption data/preemption/profile
