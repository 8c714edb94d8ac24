# Every page of a run file: whole, with a wrong bit, lost, cut; what is no run file.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
mkdir whole
cp four.lanes one.lanes whole
lanescope verify whole
echo "status $?"
cp four.lanes flipped.lanes
printf '\377' | dd of=flipped.lanes bs=1 seek=$((4096 * 6 + 4000)) conv=notrunc 2>/dev/null
cp four.lanes lost.lanes
dd if=/dev/zero of=lost.lanes bs=4096 seek=6 count=1 conv=notrunc 2>/dev/null
head -c 20000 four.lanes >cut.lanes
lanescope verify --format csv flipped four.lanes lost cut data/golden/four.jsonl missing
echo "status $?"
lanescope verify
echo "status $?"
# What is damaged is told by whatever comes to it.
for run in flipped lost; do
	lanescope export --to csv -o all $run.lanes
	echo "status $?"
	rm -rf all
done
lanescope verify --help
