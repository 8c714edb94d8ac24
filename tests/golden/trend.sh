# A measure over the start of the runs, and over a tag: where it steps, and what noise is.
. data/golden/nightly
query() {
	lanescope query span-totals "$@" 2>&1
	echo "status $?"
}
echo "== over the start"
query runs --trend started --sort -self_step --limit 3 --format table
query runs --trend started --measure self,n --sort name,started --limit 9 --format csv
query runs --trend started --plot --ascii --size 80x16
echo "== over a tag; a series for each value of another"
query runs --trend half --measure mean --format md
lanescope tag runs/01.lanes runs/02.lanes runs/03.lanes mode=cold
query runs --trend started --by mode --measure mean --limit 1
query runs --trend half --by half --runs-where 'half = 1'
echo "== what does not fit"
query runs --trend halves
query runs --trend started --stat mean
query runs --trend started --pivot half
query runs --trend started --wide
query runs --trend started --measure name
