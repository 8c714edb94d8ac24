# Traces named where runs are expected: imported once, again when they change; folders of them.
trace=data/golden
cp $trace/one.jsonl $trace/four.jsonl .
lanescope query task-summary one.jsonl --limit 1
find home/cache -name '*.lanes' | wc -l
lanescope query task-summary one.jsonl --limit 1 --no-header
find home/cache -name '*.lanes' | wc -l
head -n 60 $trace/one.jsonl >one.jsonl
lanescope query task-summary one.jsonl --limit 1 --no-header
find home/cache -name '*.lanes' | wc -l
lanescope query task-summary one.jsonl four.jsonl --limit 1 --sort -n
mkdir traces && cp $trace/base-* traces && lanescope query checkpoint-time traces
mkdir runs && lanescope import --quiet -o runs $trace/one.jsonl $trace/four.jsonl && lanescope query task-summary runs --no-header | cut -d, -f1-3 | head -3
lanescope query task-summary - <one.jsonl
lanescope query task-summary runs runs --no-header | cut -d, -f1 | uniq
echo "# a run of an older version is imported again from its trace; where there is none, that is asked for"
cached=$(find home/cache -name 'four.lanes')
printf '\001' | dd of="$cached" bs=1 seek=63 conv=notrunc 2>/dev/null
lanescope info "$cached" 2>&1 | sed "s/[0-9a-f]\{16\}/HASH/"
lanescope query task-summary four.jsonl --no-header --limit 1
lanescope info "$cached" --format csv | head -2
printf '\001' | dd of=runs/one.lanes bs=1 seek=63 conv=notrunc 2>/dev/null
lanescope runs runs --format csv | cut -d, -f1-2
echo "# many programs that find the cache empty all answer, and one run is kept"
rm -rf home/cache answers && mkdir answers
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
	lanescope query task-summary four.jsonl >answers/$i 2>&1 || echo "status $?" >>answers/$i &
done
wait
cat answers/1 | head -2
for file in answers/*; do cmp "$file" answers/1; done
find home/cache -name '*.lanes' | wc -l
find home/cache -name '*.tmp' | wc -l
echo "# the explorer imports the smallest traces first"
rm -rf home/cache && echo q >keys
for i in 1 2 3 4 5 6 7 8; do cat $trace/four.jsonl; done >large.jsonl
lanescope --keys keys --size 80x8 large.jsonl one.jsonl >/dev/null
find home/cache -name '*.lanes' -printf '%T@ %f\n' | sort -n | cut -d' ' -f2
