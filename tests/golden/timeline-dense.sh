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
