# Runs put side by side: where measures that are alternatives rank them differently, and what was not recorded alike.
# $1 run, then a call each: process:thread:file:start:duration:size
run() {
	name=$1
	shift
	for call; do
		echo "$call"
	done | awk -F: '{ printf "{\"id\":%d,\"name\":\"write\",\"cat\":\"POSIX\",\"pid\":%s,\"tid\":%s,\"ts\":%d,\"dur\":%s,\"ph\":\"X\",\"args\":{\"ret\":%s,\"fname\":\"/p/%s\"}}\n", \
		NR, $1, $2, 1000 + $4, $5, $6, $3 }' >"$name.pfw"
	lanescope import --quiet "$name.pfw"
}
notes() { lanescope "$@" --limit 0 --no-header; }
by() { notes query path-time "$@" | grep 'rank differently'; }

echo "== two threads at once: long by process, short by thread and by the clock"
run both 1:1:x:0:30:8 1:2:x:0:30:8
run one 1:1:x:0:40:8
notes query path-time both one
notes query path-time one both --wide
notes query path-time both one -p by=host,process
echo "== runs of one figure stand as equals; one alone, and a run without the row, say nothing"
run same 1:1:x:100:40:8
run none 1:1:y:0:1:0
by one both same
by both
by one same
by none both one -p path=/p/x
by none one -p path=/p/x
lanescope query path-time both one --key nothing
echo "== more than six runs: two that disagree are named, and who records the same stands together"
for i in 1 2 3 4; do run "w$i" "1:1:x:0:3$i:8"; done
notes query path-time w1 w2 w3 w4 same both
notes query path-time w1 w2 w3 w4 same both one
notes query path-time both same w1 w2 both w4 one -p path=/p/x
by w1 w2 w3 w4 one same none

echo "== keys of each type, several rows and sets, rows of which one run lacks a figure"
mkdir more
cat >more/ranks.sql <<'END'
-- title: Ranks
-- column path text
-- column number count
-- column half real
-- column shown text
-- column x duration
-- column y size
-- column z count
-- key: path, number, half
-- measure: x, y, z
-- alternatives: x, y; y, z; shown, x; z, x, y
SELECT path, CAST(substr(path, 5) AS INTEGER) AS number, CAST(substr(path, 5) AS INTEGER) / 2.0 AS half, 'text' AS shown,
  duration AS x, nullif(size, 0) AS y, 7 AS z FROM span ORDER BY path;
END
ranks() { notes query ranks --queries more "$@" 2>&1 | grep -v 'runs differ'; }
run p 1:1:r3:0:10:80 1:1:r5:100:10:90 1:1:r6:200:30:8 1:1:r7:300:5:0
run q 1:1:r3:0:20:80 1:1:r5:100:20:80 1:1:r6:200:40:7 1:1:r7:300:4:9
ranks p q
ranks q p --key half
ranks p q --key number,path
ranks none q p --key number
echo "== of those that are equal by the one, the largest by the other counts"
run a 1:1:r1:0:10:80
run b 1:1:r1:0:10:90
run c 1:1:r1:0:20:85
ranks a b
ranks a b c
ranks b a c
ranks a b c a c a c
