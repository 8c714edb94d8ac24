# A run file is never replaced by another run: other sources get another name, the same ones cost nothing.
mkdir one other
cp data/golden/one.jsonl one/t.jsonl
cp data/golden/four.jsonl other/t.jsonl
strip='s/; [0-9.]* [KM]*i*B in .*//'
inode() { ls -i "$1" | cut -d' ' -f1; }

echo '# the same sources again'
lanescope import one/t.jsonl | sed "$strip"
before=$(inode t.lanes)
lanescope import one/t.jsonl
echo "status $?"
lanescope import --quiet one/t.jsonl
[ "$before" = "$(inode t.lanes)" ] && echo 'the file is the same'

echo '# their content counts, not their times'
touch -d '2001-01-01' one/t.jsonl
lanescope import one/t.jsonl
cp one/t.jsonl copy.jsonl
lanescope import -o t.lanes copy.jsonl
cat one/t.jsonl | lanescope import --name t -

echo '# other sources'
lanescope import other/t.jsonl | sed "$strip"
lanescope import other/t.jsonl
[ "$before" = "$(inode t.lanes)" ] && echo 'the file is the same'
lanescope sql t.lanes --no-header 'SELECT name, spans FROM run'
cat data/cascade/multi.jsonl | lanescope import --name t - | sed "$strip"

echo '# with -o the name is the user'"'"'s'
lanescope import -o t.lanes other/t.jsonl
echo "status $?"
[ "$before" = "$(inode t.lanes)" ] && echo 'the file is the same'
lanescope import -o t.lanes - <other/t.jsonl
echo "status $?"
lanescope import -o t.lanes one/t.jsonl
lanescope import --force -o t.lanes other/t.jsonl | sed "$strip"
[ "$before" = "$(inode t.lanes)" ] || echo 'the file is another'
lanescope import -o . one/t.jsonl | sed "$strip"

echo '# a trace that grew is another run'
cp data/golden/one.jsonl grows.jsonl
lanescope import grows.jsonl | sed "$strip"
tail -1 grows.jsonl >>grows.jsonl
lanescope import grows.jsonl | sed "$strip"
lanescope import -o grows.lanes grows.jsonl
echo "status $?"

echo '# so is what was read with other options'
lanescope import --lenient -o grows.lanes grows.jsonl
lanescope import -o grows-2.lanes --lenient grows.jsonl
echo "status $?"

echo '# the order of the sources does not matter'
lanescope import --quiet -o both.lanes data/golden/base-0.pfw data/golden/base-1.pfw.gz
lanescope import -o both.lanes data/golden/base-1.pfw.gz data/golden/base-0.pfw
lanescope import -o both.lanes data/golden/base-1.pfw.gz
echo "status $?"

echo '# an empty file is replaced; what is no run is not'
: >empty.lanes
lanescope import -o empty.lanes one/t.jsonl | sed "$strip"
echo text >text.lanes
lanescope import -o text.lanes one/t.jsonl
lanescope import -o text.lanes --force one/t.jsonl
cat text.lanes

echo '# a damaged run file stays as well'
head -c 5000 empty.lanes >damaged.lanes
cp damaged.lanes damaged.copy
lanescope import -o damaged.lanes one/t.jsonl
cmp damaged.lanes damaged.copy && echo untouched
lanescope import -o damaged.lanes --force one/t.jsonl | sed "$strip"

echo '# simulations alike'
lanescope simulate preemption -o sim.lanes --minutes 60 >/dev/null
lanescope simulate preemption -o sim.lanes --minutes 60 2>&1 >/dev/null
lanescope simulate preemption -o sim.lanes --minutes 61 2>&1 >/dev/null
lanescope simulate preemption -o sim.lanes --minutes 61 --force >/dev/null && lanescope sql sim.lanes --no-header \
	"SELECT value FROM tags WHERE key = 'minutes'"

echo '# many at once: one name each, one run each'
mkdir many
for i in 1 2 3 4 5 6 7 8; do
	mkdir many/$i
	{ cat one/t.jsonl && head -$((i / 2 + 1)) one/t.jsonl; } >many/$i/m.jsonl
done
for i in 1 2 3 4 5 6 7 8; do
	lanescope import --quiet many/$i/m.jsonl 2>/dev/null &
done
wait
lanescope sql m*.lanes --no-header "SELECT count(*) FROM run" | wc -l
lanescope sql m*.lanes "SELECT identity FROM run" --no-header | cut -d, -f2 | sort -u | wc -l
ls -A | grep -c tmp
