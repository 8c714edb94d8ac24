# Calls with what is seldom given: runs that are damaged or none among others, places that can't be written, options at their
# limits.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
call() {
	echo "== $*"
	lanescope "$@" >out 2>said
	status=$?
	head -n 8 out | cut -c1-150
	head -n 4 said
	echo "status $status"
}
mkdir none bad some
head -c 3000 four.lanes >bad/cut.lanes
cp bad/cut.lanes one.lanes some
echo "runs"
for command in "info" "sql --no-header" "runs" "query task-by-kind"; do
	call $command bad
	call $command none
	call $command bad/cut.lanes none
	call $command some
	call $command some four.lanes
	call $command some nosuch four.lanes
done
call sql some "SELECT count(*) FROM span"
call sql one.lanes four.lanes "SELECT count(*) AS n FROM span"
call sql one.lanes four.lanes "SELECT nosuch FROM span"
call sql one.lanes four.lanes "SELECT 1; SELECT 2"
head -c 1100000 /dev/zero | tr '\0' ' ' >long.sql
lanescope sql one.lanes <long.sql
echo "status $?"
echo "SELECT 3 AS three" | lanescope sql one.lanes --format csv
lanescope sql one.lanes </dev/null
echo "status $?"
echo "own queries in the explorer"
mkdir queries
printf '%s\n' '-- title: Mine' '-- column n count Numbers' 'SELECT 7 AS n' >queries/mine.sql
printf '%s\n' '-- title: Broken' '-- colum n' 'SELECT 7 AS n' >queries/broken.sql
echo "screen v '/mine' Enter Enter" >keys
lanescope --queries queries --keys keys --size 80x8 one.lanes
for size in 80 x24 80x 0x24 80x0 80x24x 99999x24; do
	call --keys keys --size $size one.lanes
done
call --keys nosuch one.lanes
echo "what can't be written"
ln -s /dev/full full.csv
for format in csv json md; do
	call sql one.lanes "SELECT * FROM span" --format $format -o full.csv
	call sql one.lanes "SELECT 1 AS n" --format $format -o nosuch/x
	call sql one.lanes "SELECT 1 AS n" --format $format -o none
done
lanescope sql one.lanes "SELECT * FROM span" >/dev/full
echo "status $?"
call export one.lanes --to csv -o full.csv
call export one.lanes --to csv -o nosuch/x
call export one.lanes --to chrome -o nosuch/x.json
call timeline one.lanes -o nosuch/x.svg
ls
echo "limits"
for rows in 0 1 -1 x 1.5 99999999999999999999; do
	call sql one.lanes "SELECT id FROM span ORDER BY id" --limit $rows --format csv
done
for n in 0 1 256 257 -1 x; do
	call import --quiet --dry-run --threads $n data/golden/one.jsonl
done
call timeline one.lanes --width 40 --from 1s --to 500ms
call timeline one.lanes --width 40 --from -1s
call timeline one.lanes --width 0
call timeline one.lanes --width 40 --ascii --from 3s
call timeline one.lanes --width 40 --ascii --lane nosuch
echo "simulations"
call simulate trace -o made --start yesterday
call simulate trace --minutes 5 -o made --start 2021-07-26T18:42:00
call simulate trace --minutes 5 -o made --start 2021-07-26T18:42:00Z
head -n 3 made*
call simulate trace -o made --start 2021-07-26T18:42:00Zx
call simulate preemption --minutes 5 --seed 1-3 --format csv
call simulate preemption --minutes 5 --seed 1 --seed 3-1
call simulate preemption --minutes 5,6 --depth 8,16 --format csv
call simulate preemption --minutes 5 -o run.lanes --seed 1
call simulate preemption --minutes 5 -o run.lanes --seed 2
call simulate preemption --minutes 5 -o run.lanes --seed 2
lanescope sql run.lanes "SELECT value FROM tags WHERE key = 'seed'" --format csv
call simulate preemption --like one.lanes
call simulate preemption --replay some
call simulate preemption --like none
