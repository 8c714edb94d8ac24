# Groups of runs and series. Tasks of three kinds on two workers; every run is noisy of its own, and as a whole.
run() { # NAME SEED RUN_FACTOR EFI_FACTOR [TASKS]
	awk -v seed="$2" -v whole="$3" -v efi="$4" -v n="${5:-90}" '
	function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
	function line(host, task, action, at) {
		printf "{\"host\": \"%s\", \"task\": \"%s\", \"action\": \"%s\", \"worker\": \"worker%d\", \"at\": %.0f}\n", host, task, action, w, at
	}
	BEGIN {
		split("retrieve mean efi", kinds, " ")
		split("30 60 90", ms, " ")
		for (i = 0; i < 10; i++) draw()
		for (i = 1; i <= n; i++) {
			k = 1 + i % 3; w = free[0] <= free[1] ? 0 : 1
			task = sprintf("%s(%d, 0):%064d", kinds[k], i, i)
			at = free[w] + 1e6 * (0.5 + draw())
			took = ms[k] * 1e6 * whole * (k == 3 ? efi : 1) * exp(0.06 * (draw() + draw() - 1))
			line("controller", task, "taskPlanned", 1e12 + at)
			line("fiab", task, "taskEnqueued", 1e12 + at + 1e5)
			line("fiab", task, "taskStarted", 1e12 + at + 3e5)
			line("fiab", task, "taskFinished", 1e12 + at + 3e5 + took)
			free[w] = at + 3e5 + took
		}
	}' >"$1.jsonl"
	lanescope import --quiet "$1.jsonl"
}
run a1 11 1.00 1; run a2 12 1.02 1; run a3 13 0.98 1; run a4 14 1.01 1
run b1 21 1.01 1.3; run b2 22 0.99 1.3; run b3 23 1.00 1.3
run c1 31 1.02 1; run c2 32 0.98 1; run c3 33 1.00 1; run c4 34 1.00 1

echo == the verdict of two groups: a kind, and nothing
lanescope explain --a a1 a2 a3 a4 --b b1 b2 b3 --format table
lanescope explain --a a1 a2 a3 a4 --b c1 c2 c3 c4 --format table

echo == one run may be slow as a whole, where its group says that runs are
run d1 41 1.06 1; run d2 42 0.95 1; run d3 43 1.05 1; run d4 44 0.94 1; run e1 51 1.05 1; run e2 52 1.04 1
lanescope explain d2 d1 2>&1 | head -1
lanescope explain --a d1 d2 d3 d4 --b e1 e2 2>&1 | head -1

echo == parts: means over the runs, which add up to the means of the sums
lanescope explain --a a1 a2 a3 a4 --b b1 b2 b3 --part all --limit 3 --format table
for part in stages sharing area area-effects path replay matched contention; do
	lanescope explain --a a1 a2 a3 a4 --b b1 b2 b3 --part $part 2>/dev/null | awk -F, -v part=$part '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "delta") d = i; next }
		$1 == "sum" { print part, sum == $d ? "adds up to" : "does not add up to", $d; next }
		{ sum += $d }'
done
for run in a1 a2 a3 a4 b1 b2 b3; do lanescope sql $run "SELECT max(finished) - min(planned) FROM task" --no-header; done |
	awk '{ sum[NR <= 4] += $1 } END { printf "the mean makespans: %.0f %.0f\n", sum[1] / 4, sum[0] / 3 }'
lanescope explain --a a1 a2 a3 a4 --b b1 b2 b3 --part matched --format table 2>/dev/null
lanescope explain --a a1 a2 a3 a4 --b b1 b2 b3 --part matched-tasks --sort task --limit 2 2>/dev/null
lanescope explain --a a1 a2 --b b1 b2 b3 --part sharing -p fold=100% 2>/dev/null

echo == parts whose rows are of one run or pair
lanescope explain --a a1 a2 --b b1 b2 b3 --part schedule-lanes 2>/dev/null
lanescope explain --a a1 --b b1 b2 --part path-steps -p shortest=120ms 2>/dev/null | cut -d, -f1,4-6

echo == series
lanescope explain a1 a2 b1 b2 b3 --format table
run f1 61 1.0 1; run f2 62 1.1 1; run f3 63 1.2 1; run f4 64 1.3 1; run f5 65 1.4 1
lanescope explain f1 f2 f3 f4 f5 --format table
lanescope explain a1 b1 b2 --part sharing --limit 1
lanescope explain a1 b1 b2 --part causes --format table
lanescope explain a1 b1 b2 --part all --limit 1 2>/dev/null | cut -d, -f1-3 | grep -e sharing -e makespan
lanescope explain a1 --part series
lanescope explain a1 b1 --part series
lanescope explain --a a1 a2 --b b1 --part series

echo == notes of many runs are one line a fact
for i in 1 2 3 4 5 6 7 8 9; do cp a1.lanes g$i.lanes; done
lanescope explain --a g1 g2 g3 g4 g5 --b g6 g7 g8 g9 --part path --limit 1 2>&1 >/dev/null | sed 's/pieces;.*inputs/pieces; ... inputs/'
lanescope explain --a a1 a2 --b b1 b2 b3 --part matched 2>&1 >/dev/null
