# Runs that are tagged alike as one row, and the values of a tag as columns.
trace=data/golden
mkdir runs
n=0
for file in one four; do
	for mode in base scr; do
		n=$((n + 1))
		lanescope import --quiet --tag "lanes=$file" --tag mode=$mode --tag rep=$n -o runs/$n.lanes $trace/$file.jsonl
	done
done
lanescope import --quiet -o runs/io.lanes $trace/base-0.pfw
query() {
	lanescope query "$@" 2>&1
	echo "status $?"
}
echo "== alike by one tag, by two, all"
query task-by-kind runs --by lanes --measure total,n --limit 4
query task-by-kind runs --by lanes,mode --stat mean,std,min,max,n --measure total --limit 3 --sort mode,-total_mean
query task-by-kind runs --stat median --measure total --limit 2 --format json
query task-by-kind runs --by workers --stat sum --measure n --format table
echo "== turned"
query task-by-kind runs --by mode --pivot lanes --measure total --format md
query task-by-kind runs --pivot mode --measure total,n --limit 2
echo "== what does not fit"
query task-by-kind runs --by lane --measure total
query task-by-kind runs --by lanes --stat p50
query task-by-kind runs --by lanes --wide
query task-by-kind runs --by lanes --behind 1
query task-by-kind runs --measure total
query task-by-kind runs --by lanes --measure kind
