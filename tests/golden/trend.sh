# A measure over the start of the runs, and over a tag: where it steps, and what noise is.
mkdir runs
awk 'BEGIN {
	noise = 7
	for (i = 1; i <= 14; i++) {
		file = sprintf("runs/%02d.json", i)
		at = 0
		print "[" > file
		for (k = 0; k < 6; k++) {
			noise = (noise * 1103 + 12345) % 65536
			time = 1000 + int(noise * 60 / 65536) + (k % 2 == 0 && i > 8 ? 300 : 0)
			printf "%s{\"name\":\"%s\",\"cat\":\"io\",\"ph\":\"X\",\"ts\":%d%06d,\"dur\":%d,\"pid\":1,\"tid\":1}\n", \
				k ? "," : "", k % 2 ? "write" : "read", 1762000000 + i * 86400, at, time > file
			at += time + 10
		}
		print "]" > file
		close(file)
	}
}'
for n in 01 02 03 04 05 06 07 08 09 10 11 12 13 14; do
	lanescope import --quiet --tag "half=$((1$n / 108 + 1))" -o "runs/$n.lanes" "runs/$n.json"
done
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
