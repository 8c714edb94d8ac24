# Pipes and devices among what the explorer and the lists are given: said at once, never waited for.
lanescope import --quiet data/golden/one.jsonl
mkfifo pipe
echo screen >keys
lanescope --keys keys pipe one.lanes
lanescope --keys keys one.lanes pipe
lanescope --keys keys pipe
lanescope --keys keys /dev/null one.lanes
lanescope runs pipe one.lanes --format csv | cut -d, -f1
mv pipe pipe.lanes
lanescope --keys keys --size 80x8 pipe.lanes one.lanes
lanescope runs pipe.lanes
lanescope info pipe.lanes
lanescope --keys keys --size 80x8 .
lanescope runs . --format csv | cut -d, -f1
