# The estimate of a controller's iterations, where the trace does not record them: as good as the queries claim, on thirty made-up runs of
# generation 1 of which the truth is known: 135 tasks on two to seven workers, and a controller that plans in bursts when it hears of ends.
cat >run.awk <<'AWK'
function random() { state = (state * 16807) % 2147483647; return state / 2147483647 }
function mark(at, action, task, worker) {
	printf "%.0f\t{\"host\": \"%s\", \"worker\": \"worker%d\", \"task\": \"%s\", \"action\": \"%s\", \"at\": %.0f}\n", at, action == "taskPlanned" ? "controller" : "fiab", worker, "t" task, action, at
}
BEGIN {
	state = seed * 7919 + 1
	for (i = 0; i < 10; i++) random()
	n = 135; workers = 2 + seed % 6; now = 16274000000000
	for (i = 0; i < n; i++)
		for (k = 0; k < 2; k++)
			if (i >= 40 && random() < 0.7) before[i, k] = 1 + i - 20 - int(20 * random())
	for (w = 0; w < workers; w++) free[w] = 1
	for (left = n; left > 0;) {
		at = now
		for (w = 0; w < workers; w++) {
			for (i = 0; free[w] && i < n; i++) {
				if (planned[i] || (before[i, 0] && !done[before[i, 0] - 1]) || (before[i, 1] && !done[before[i, 1] - 1])) continue
				at += 30000 + int(20000 * random())
				mark(at, "taskPlanned", i, w)
				start = at + 300000 + int(400000 * random())
				mark(start - 100000, "taskEnqueued", i, w)
				mark(start, "taskStarted", i, w)
				finish[w] = start + 20000000 + int(400000000 * random() * random())
				mark(finish[w], "taskFinished", i, w)
				planned[i] = 1; free[w] = 0; task[w] = i
			}
		}
		next_at = 0
		for (w = 0; w < workers; w++) if (!free[w] && (!next_at || finish[w] < next_at)) next_at = finish[w]
		now = (next_at > at ? next_at : at) + 50000 + int(1000000 * random()) # the event is on its way, and others with it
		for (w = 0; w < workers; w++) if (!free[w] && finish[w] <= now - 50000) { free[w] = 1; done[task[w]] = 1; left-- }
		iterations++
	}
	print iterations > truth
}
AWK
seed=0
while [ $((seed += 1)) -le 30 ]; do
	awk -v seed=$seed -v truth=truth.$seed -f run.awk | sort -n | cut -f2 >seed-$seed.jsonl
	lanescope query controller-summary seed-$seed.jsonl --format csv --no-header 2>/dev/null | awk -F, -v truth="$(cat truth.$seed)" '{
		print ($1 > truth ? "too many" : $1 < 0.92 * truth ? "more than 8 % too few" : "at most 8 % too few") ", from " $2 }'
done | sort | uniq -c | sed 's/^ *//'
