# Figures of charts are those of the tables, every point, bar and cell; of distributions tests/unit/test_chart.c adds up the counts.
lanescope demo demo >/dev/null 2>&1
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope simulate preemption --p-preempt 0.05,0.2,0.5 --seed 1-5 --minutes 60 -o sweep.lanes >/dev/null
figures() { # column, query, run, options
	column=$1
	shift
	lanescope query "$@" --plot --format svg | grep -o '<title>.*</title>' | sed 's/.*: //; s/<.*//; s/ (.*//; s/, [0-9]* rows$//' | sort >drawn
	[ "$4" != --y ] && [ "$5" != --y ] || set -- "$1" "$2" "$3" "$4"
	lanescope query "$@" --columns "$column" --format table --no-header --no-sum --no-pager 2>/dev/null | sed 's/^ *//; s/ *$//' | grep -vE '^(note:.*|-?)$' | sort >told
	printf '%s of %s: %s drawn, ' "$column" "$1" "$(wc -l <drawn)"
	if cmp -s drawn told; then echo "as told"; else
		echo "others told"
		diff drawn told | head -5
	fi
}
figures time checkpoint-time demo/training
figures median span-quantiles demo/training
figures busy_lanes span-over-time four --window 100ms
figures queue task-waiting four --window 100ms --y queue
figures running task-waiting four --window 100ms --y running
figures nodes preemption-capacity demo/spot-training
figures mean sweep-times sweep
figures mean sweep-measures sweep
figures completion_time trial-means demo/loading -p kind='baseline1'
figures completion_time trial-block-sizes demo/loading
figures tasks task-balance demo/pipeline
figures memory_mean worker-memory demo/pipeline
figures mean resource-times demo/pipeline -p counter=cpu
figures mean counter-times demo/pipeline -p name=cpu
