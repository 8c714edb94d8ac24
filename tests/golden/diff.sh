# Differences of two runs.
trace=data/golden
lanescope import --quiet $trace/one.jsonl $trace/four.jsonl $trace/broken.jsonl
lanescope diff task-by-kind one four --format table
lanescope diff task-times one.lanes four.lanes --measure total --sort total_rel
lanescope diff task-times one four --measure total --key kind --limit 3
lanescope diff transfer-by-mode four broken --format table
lanescope diff task-times $trace/one.jsonl $trace/four.jsonl --measure run_time --limit 1
lanescope diff task-times one
lanescope diff task-times one four broken
lanescope diff task-times one four --measure totl
lanescope diff task-times one four --key nothing
lanescope diff tags one four
echo "nothing to subtract: $?"
echo "== calls that only B makes rank among the differences; a row of sums says what all come to"
call() { # name, duration, size
	echo "{\"id\":$((id = ${id:-0} + 1)),\"name\":\"$1\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":1,\"ts\":$((id * 1000)),\"dur\":$2,\"ph\":\"X\",\"args\":{\"ret\":$3,\"fname\":\"/p/$1\"}}"
}
{ call read 10 4096; call write 30 8192; call open 5 3; } >few.pfw
{ call read 20 4096; call write 30 8192; call fsync 50 0; } >more.pfw
lanescope import --quiet few.pfw
lanescope import --quiet more.pfw
lanescope diff call-counts few more --measure time,size --sum
lanescope diff function-size few more --format table --measure calls,mean,rate --sum
lanescope diff call-counts few more --measure time --rel-to b --format table
lanescope diff call-counts few more --rel-to c
lanescope query call-counts more --format table --sum --limit 1
lanescope query call-counts more --sum --no-sum
lanescope query path-time more --sum
lanescope query call-counts few more --sum
echo "== in tables by default; a key called sum is told from them in every format"
{ call sum 10 1; call sum 20 2; call write 30 8192; } >sum.pfw
lanescope import --quiet sum.pfw
lanescope query call-counts sum --format table
lanescope query call-counts sum --format table --no-sum
lanescope query call-counts sum --format md --sum
lanescope query call-counts sum --format json --sum
lanescope query call-counts sum few --format table --sort -time --limit 2
lanescope query call-counts sum few --wide --sum --format table
lanescope query call-counts sum --format table --limit 1 -o sum.txt && cat sum.txt
lanescope diff call-counts sum few --measure calls --format md --sum
lanescope query idle-gaps more -p least=30
lanescope query idle-gaps more -p least=0 --limit 1
echo "== below an empty answer stands what matches nothing"
lanescope query file-calls more -p path='*/nowhere/*'
lanescope query file-calls more -p path='*/read' -p file=write
lanescope query file-calls more -p path='/p/%' -p file=write
lanescope query file-calls more -p path='*/nowhere' -p file=nothing
lanescope query file-calls more -p path='*/read' --limit 1
lanescope query file-calls more -p path='*'
lanescope query idle-gaps more -p least=1h
lanescope query problems more
lanescope query task-times one -p kind=efi%
lanescope query task-times one -p kind='ef*' --format tsv | cut -f3-4
echo "== what the query is asked for comes first: its order, its first time, the first of --measure"
for query in function-size path-time 'call-counts --measure size,calls'; do
	lanescope diff $query few more --format csv | cut -d, -f1-4,7
done
echo "== people get a, b, delta and rel, programs every column; --columns chooses, what is sorted by need not be shown"
for format in md csv json; do
	lanescope diff call-counts few more --measure time --limit 1 --format $format
done 2>/dev/null
for columns in all delta,time_ratio 'calls_b, rel' ratio time_rati; do
	lanescope diff call-counts few more --measure time,calls --columns "$columns" --sort time_a --format table
done 2>&1 | grep -v note
lanescope diff call-counts few more --measure time --columns ratio --sum --format csv 2>/dev/null
