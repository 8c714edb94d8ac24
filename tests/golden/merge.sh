# A run in parts: what is said of them, and of what is missing; that the run is the same is in tests/parts.sh.
mkdir parts
for part in 1/2 2/2; do
	lanescope import --part $part --name base data/golden/base-0.pfw data/golden/base-1.pfw.gz -o parts/ | sed 's/; .*//'
	echo "status $?"
done
ls parts
lanescope merge parts/base.1-of-2.part -o base.lanes
echo "status $?"
lanescope merge parts -o base.lanes | sed 's/; .*//'
echo "status $?"
lanescope query span-totals base.lanes | head -4
lanescope merge parts -o base.lanes
echo "status $?"
lanescope merge parts/base.1-of-2.part parts/base.1-of-2.part -o other.lanes
echo "status $?"
lanescope import --quiet --part 1/1 --name four data/golden/four.jsonl -o parts/
lanescope merge parts -o other.lanes
echo "status $?"
lanescope merge --join parts -o other.lanes
echo "status $?"
lanescope merge
echo "status $?"
lanescope merge parts
echo "status $?"
lanescope merge --help
