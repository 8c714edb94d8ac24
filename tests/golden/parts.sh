# A file that holds several runs, one behind the other.
trace=data/golden/four.jsonl
is_part() { # name, number, the run that it is
	lanescope query task-times "$1-$2" --format csv >one.csv
	lanescope query task-times "$3" --format csv >two.csv
	cmp one.csv two.csv && echo "part $2 is $3"
}
sed 's/"at": 16/"at": 17/' $trace >later.jsonl
cat $trace later.jsonl >both.jsonl
lanescope import --dry-run both.jsonl
lanescope import --quiet both.jsonl
lanescope import --quiet $trace
lanescope import --quiet later.jsonl
is_part both 1 four
is_part both 2 later
echo "== broken off, and begun again"
head -50 $trace | cat - later.jsonl >again.jsonl
lanescope import --dry-run again.jsonl
head -50 $trace >first.jsonl
lanescope import --quiet again.jsonl
lanescope import --quiet first.jsonl
is_part again 1 first
is_part again 2 later
echo "== the same twice"
cat $trace $trace >same.jsonl
lanescope import --quiet same.jsonl
lanescope query problems same --format csv --limit 1
echo "== as one"
lanescope import --quiet --one --name one both.jsonl
lanescope query problems one --format csv --limit 1
lanescope import --quiet --name input - <both.jsonl
lanescope query problems input --format csv --limit 1
lanescope import -o both.lanes both.jsonl
echo "== split by kind"
cat data/golden/four.jsonl >kinds.jsonl
printf '%s\n' '{"action": "controllerReport", "actDuration": "10", "waitDuration": "20", "actionsTransmit": "1", "eventsTransmited": "1", "busyWorkers": "1", "at": 16274564727999}' >>kinds.jsonl
lanescope import --quiet kinds.jsonl
grep '"action": "task' kinds.jsonl >X.tasks.jsonl
grep '"action": "transmit' kinds.jsonl >X.datasets.jsonl
grep '"action": "controller' kinds.jsonl >X.controller.jsonl
lanescope import --dry-run X.*
lanescope import --quiet X.*
for query in $(lanescope queries kinds --format csv --no-header | cut -d, -f1); do
	case $query in problems | file-spans) continue ;; span-longest | lane-totals | idle-by-lane | idle-gaps) columns='s/,[^,]*$//' ;; *) columns= ;; esac
	lanescope query $query kinds --format csv 2>&1 | sed "$columns" >one.csv
	lanescope query $query X --format csv 2>&1 | sed "$columns" >two.csv
	cmp -s one.csv two.csv || { echo "$query differs"; diff one.csv two.csv | head -12; }
done
echo "== again: each part is held by its own file"
lanescope import both.jsonl
lanescope import --quiet both.jsonl && lanescope sql both-1 both-2 'SELECT identity FROM run' --no-header --format csv | cut -d, -f2 | sort -u | wc -l
ls both*.lanes
echo "== read on the way, twice"
for turn in cold warm; do
	lanescope sql both.jsonl 'SELECT count(*), (SELECT grouping FROM run) FROM task' --no-header --format csv
	find home/cache -name 'both*.lanes' | wc -l
done
echo "== each part where the whole was read before, and the other way round"
cp both.jsonl whole.jsonl
lanescope import --quiet --one whole.jsonl
lanescope import --quiet -o . whole.jsonl && ls whole*.lanes
lanescope import --quiet --one whole.jsonl && ls whole*.lanes
lanescope import --quiet --one --name whole-1 whole.jsonl
