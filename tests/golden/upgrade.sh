# What can't be upgraded, and why; a file that was is in tests/unit/test_upgrade.c.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope upgrade
echo "status $?"
lanescope upgrade four.lanes
echo "status $?"
lanescope upgrade four.lanes -o new.lanes
echo "status $?"
printf '\004' | dd of=four.lanes bs=1 seek=63 conv=notrunc 2>/dev/null
lanescope info four.lanes
echo "status $?"
lanescope upgrade four.lanes -o new.lanes
echo "status $?"
lanescope upgrade four.lanes -o four.lanes
echo "status $?"
printf '\003' | dd of=four.lanes bs=1 seek=63 conv=notrunc 2>/dev/null
lanescope upgrade four.lanes -o new.lanes
echo "status $?"
lanescope upgrade data/golden/four.jsonl -o new.lanes
echo "status $?"
lanescope upgrade --help
