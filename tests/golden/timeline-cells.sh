# Cells of so many spans that none is shown by itself: what each mode of colours, each depth and a filter sum up, by hand reckoned.
# Lane 1 writes 10 us of each 20, of which it reads 4, every fourth of the writes fails, and all from 60 ms on; lane 2 trains
# all the time, which fails as well, and checks in the last fifth.
awk 'BEGIN {
	for (i = 0; i < 4000; i++) {
		call("write", 1, 20 * i, 10, i % 4 && i < 3000 ? 100 : -1, "/p/lustre/out")
		call("read", 1, 20 * i + 2, 4, 7, "/l/ssd/in")
	}
	call("train", 2, 0, 200000, -1, "")
	call("check", 2, 160000, 40000, 0, "")
}
function call(name, tid, ts, dur, ret, path) {
	printf "{\"id\":%d,\"name\":\"%s\",\"cat\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"ph\":\"X\",\"args\":{\"ret\":%d%s}}\n", ++n, name,
		name == "read" ? "APP" : tid == 1 ? "POSIX" : "CPU", tid, ts, dur, ret, path ? ",\"fname\":\"" path "\"" : ""
}' >cells.pfw
lanescope import --quiet cells.pfw
# Line, share of time, calls, what most of it is and how long, of cells alike beside each other.
cells() { lanescope timeline cells --width 30 --format csv "$@" | cut -d, -f1,2,5- | uniq -c | sed 's/^ *//'; }
for colour in category name class status; do
	echo "== by $colour"
	cells --to 80ms --colour $colour
	echo "of a depth each"
	cells --to 80ms --depth --colour $colour
	lanescope timeline cells --width 60 --depth --colour $colour --ascii
done
echo "== a part of it, where calls are cut"
cells --from 7us --to 65.004ms --depth --colour name
echo "== lanes of a name"
cells --to 80ms --colour name --lanes '*/1'
echo "== cells at the end, where the trace has no more"
cells --from 150ms --to 200ms --depth --colour status
