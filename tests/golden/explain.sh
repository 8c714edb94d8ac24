# Why B took longer than A. First two pairs of runs with the totals of the study that the part stages comes from.
trace() { # NAME COMMUNICATION QUEUE RUN: 135 tasks whose stages add up to these
	awk -v sums="$2 $3 $4" 'BEGIN {
		split(sums, total, " ")
		split("retrieve concat mean threshold sot efi", kinds, " ")
		split("45 30 24 24 8 4", counts, " ")
		at = 16274000000000
		for (k = 1; k <= 6; k++)
			for (i = 1; i <= counts[k]; i++) {
				task = sprintf("%s:%064d", kinds[k], ++n)
				printf "{\"host\": \"controller\", \"task\": \"%s\", \"action\": \"taskPlanned\", \"worker\": \"worker0\", \"at\": %.0f}\n", task, at
				split("taskEnqueued taskStarted taskFinished", action, " ")
				for (s = 1; s <= 3; s++) {
					share = int(total[s] / 135)
					at += n == 135 ? total[s] - 134 * share : share
					printf "{\"host\": \"fiab\", \"task\": \"%s\", \"action\": \"%s\", \"worker\": \"worker0\", \"at\": %.0f}\n", task, action[s], at
				}
				at += 1000
			}
	}' >"$1.jsonl"
	lanescope import --quiet "$1.jsonl"
}
trace f1 10520000 1369000000 16450000000
trace f4 15250000 1906000000 26170000000
trace m4_1 120800000 1741000000 20370000000
trace m1_4 3256000000 1713000000 23520000000
lanescope explain f1 f4 --part stages --format table -p by=stage
lanescope explain f1 f4 --part stages --format table
lanescope explain m4_1 m1_4 --part stages --format table -p by=stage

# Every format, one part and several.
for format in table csv tsv json jsonl md; do
	lanescope explain m4_1 m1_4 --part stages -p by=stage --format $format
done 2>/dev/null
lanescope explain m4_1 m1_4 --part stages --part stages --limit 2 2>/dev/null
lanescope explain m4_1 m1_4 --part stages -o stages.md 2>/dev/null && head -2 stages.md
lanescope explain m4_1 m1_4 --part stages --sort stage --limit 1 --no-header 2>/dev/null

# Missing times, transfers, traces instead of runs.
data=data/golden
lanescope explain $data/one.jsonl $data/four.jsonl --part stages -p fold=20% --format table
lanescope explain $data/four.jsonl $data/broken.jsonl --part stages -p of=both -p by=stage --format table
lanescope import --quiet $data/hosts.jsonl $data/hosts.run2.jsonl $data/hosts-log.txt
lanescope explain hosts hosts.run2 --part stages -p by=stage --format table
lanescope explain hosts.run2 hosts-log --part stages -p of=transfer -p by=stage --format table

# Made-up runs.
lanescope demo >/dev/null
demo=home/cache/lanescope/demo
lanescope explain $demo/one-worker $demo/four-workers --part stages --format table
lanescope explain $demo/one-worker $demo/four-workers --part all 2>/dev/null | cut -d, -f1 | sort -u | grep -x -e part -e makespan -e stages
lanescope explain $demo/one-worker $demo/training --part io

# The gate.
lanescope explain f1 f4 --part stages -p by=stage --fail-over 50% >/dev/null
echo "exit $?"
lanescope explain f1 f4 --part stages -p by=stage --fail-over 60% >/dev/null
echo "exit $?"
lanescope explain --a f4 --b f1 m4_1 --part stages -p by=stage --fail-over 0 >/dev/null
echo "exit $?"
lanescope explain f1 f4 --fail-over=5apples
echo "exit $?"

# The summary: everything of every part, and it adds up.
lanescope explain f1 f4 --part all 2>/dev/null | head -2
lanescope explain f1 f4 --part all 2>/dev/null | awk -F, 'NR > 1 { if ($2 == "sum") { if ($1 in seen && sum[$1] != $(NF - 1)) print $1, "does not add up" } else { seen[$1]; sum[$1] += $(NF - 1) } }'
lanescope explain f1 f4 --part all --format table 2>/dev/null | grep -c '^stages'

# Groups.
trace f1b 10530000 1379000000 16460000000
trace f1c 10540000 1389000000 16470000000
trace f1d 10550000 1359000000 16440000000
trace f4b 15150000 1916000000 26070000000
trace f4c 15350000 1896000000 26270000000
trace f4d 15250000 1366000000 26170000000
lanescope explain --a f1 f1b f1c f1d --b f4 f4b f4c f4d --part indicators -p query=task-summary --limit 12 --format table
lanescope explain --a f1 f1b f1c --b=f4 f4b f4c f4d --part indicators -p query=task-summary --limit 2
lanescope explain f1 f4 --part indicators -p query=run --format table
lanescope explain --a f1 f1c f4 f4c --b f1b f1d f4b f4d --part indicators -p query=task-summary --limit 2 2>/dev/null
lanescope explain f1 f4 --part indicators -p query=task-by-kind -p budget=0

# A series.
lanescope explain f1 f4 m4_1 --limit 2
lanescope explain f1 f4 m4_1 f1b f4b -p of=makespan -p query=task-summary --limit 3
lanescope explain f1 f4 m4_1 -p of=nothing

# Mistakes.
lanescope explain f1 f4 --part stags 2>&1 | sed 's/, matched.*indicators/ ... indicators/'
lanescope explain f1 f4 --part nothing 2>&1 | cut -c1-65
lanescope explain f1 f4 --part io
lanescope explain f1 f4 --part stages -p b=stage
lanescope explain f1 f4 --part stages -p by=stage,stage,kind
lanescope explain f1 f4 --part stages -p of=everything
lanescope explain f1 f4 --part stages -p fold=many
lanescope explain f1 f4 -p fold=1%
lanescope explain f1
lanescope explain f1 f4 m4_1 --part stages
lanescope explain --a f1
lanescope explain f1 --a f1 --b f4
lanescope explain f1 nothing
lanescope explain --parts | cut -d, -f1 | grep -x -e stages -e io -e indicators
lanescope explain --parts f1 f4 | cut -d, -f1 | grep -x -e stages -e io -e indicators
echo "== what can't be answered is not listed: nothing that takes time, no input and output; it may be asked for something else"
parts() { lanescope explain --parts "$@" --format tsv --no-header | cut -f1 | grep -x -e sharing -e area -e path -e matched -e "io.*" -e indicators | tr "\n" " "; }
call() { echo "{\"id\":1,\"name\":\"$1\",\"cat\":\"$2\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":$3,\"ph\":\"X\",\"args\":{}}"; }
call compute TorchFramework 500 >compute.pfw
call get torch_reader 500 >reader.pfw
call read POSIX 0 >instant.pfw
for run in compute reader instant; do
	lanescope import --quiet $run.pfw
	echo "$run: $(parts $run $run)"
done
lanescope explain compute compute --part io -p by=operation -p filter='name = "compute"' 2>/dev/null
lanescope explain instant instant --part all --format csv 2>/dev/null | cut -d, -f1 | sort -u
echo end
