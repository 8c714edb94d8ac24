# So many records of many calls that none is shown by itself: their calls' time as a share of the interval, in each mode of colours.
# A record each ms and name; writes take half of it, reads a tenth and, from the fourth second on, 0.8.
awk 'BEGIN {
	print "["
	for (i = 0; i < 5000; i++) {
		record("write", i, 500, "/p/lustre/out")
		record("read", i, i < 4000 ? 100 : 800, "/l/ssd/in")
	}
}
function record(name, ms, us, path) {
	printf "{\"id\":%d,\"name\":\"%s\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,\"ts\":%.0f,\"dur\":%d,\"ph\":\"C\",\"args\":{\"dft_cnt\":10,\"dur_sum\":%d,\"dur_min\":1,\"dur_max\":%d,\"fname\":\"%s\"}}\n",
		++n, name, 1744611912000000 + 1000 * ms, us / 10, us, us, path
}' >dense.pfw
lanescope import --quiet dense.pfw
cells() { lanescope timeline dense --width 30 --format csv "$@" | cut -d, -f1,2,5- | uniq -c | sed 's/^ *//'; }
for colour in category name class status; do
	echo "== by $colour"
	cells --colour $colour
	cells --depth --colour $colour | tail -n +2
	lanescope timeline dense --width 60 --colour $colour --ascii
	echo "few"
	cells --from 3990ms --to 4010ms --colour $colour
done
echo "== what does not divide evenly is rounded once, whatever the colours"
awk 'BEGIN {
	for (i = 0; i < 40; i++) {
		us = i % 2 ? 333 : 777
		printf "{\"id\":%d,\"name\":\"%s\",\"cat\":\"POSIX\",\"pid\":7,\"tid\":7,\"ts\":%.0f,\"dur\":%d,\"ph\":\"C\",\"args\":{\"dft_cnt\":10,\"dur_sum\":%d,\"dur_min\":1,\"dur_max\":%d}}\n",
			i + 1, i % 2 ? "read" : "write", 1744611912000000 + 1000 * int(i / 2), us / 10, us, us
	}
}' >odd.pfw
lanescope import --quiet odd.pfw
for colour in category name class status; do
	lanescope timeline odd --width 30 --from 10ms --to 10.003ms --colour $colour --format csv | cut -d, -f1,3-7 >$colour.csv
	cmp category.csv $colour.csv
done
cat category.csv
for colour in category name class status; do
	lanescope timeline odd --width 37 --from 10.0003ms --to 13.7007ms --colour $colour --format csv | cut -d, -f1,3-7 >$colour.csv
	cmp category.csv $colour.csv
done
cat category.csv
