# Questions kept under a name: with other parameters, from SQL that was typed; where they stand then, what leads on from their
# rows, what is not written over.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
. data/golden/keys
queries=home/config/lanescope/queries
said() { # keys: the last row
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	lanescope --keys keys --size 110x9 four.lanes | tail -n 1
}
keys "a parameter's value becomes the default, the rest stays; it is among the questions at once" 80x12 "v ':query task-times' Enter p 'kind=efi' Enter ':save efi-times' Enter q '/efi-times' Enter screen Enter Enter" four.lanes
sed -n '/^-- title/p;/^-- param/p;/^-- drill/p' $queries/efi-times.sql
lanescope query efi-times four.lanes --no-header | cut -d, -f1-3
said "':query task-times' Enter ':save efi-times' Enter"
said "':query task-times' Enter ':save !efi-times All tasks' Enter"
sed -n '1,2p;/^-- param/p' $queries/efi-times.sql | cut -c1-70
said "':query task-times' Enter ':save task-times' Enter"
said "':query task-times' Enter ':save ../out' Enter"
said "':query task-times' Enter ':save' Enter"
said "':query task-times' Enter F ':save frequency' Enter"
keys "SQL" 80x10 "; 'SELECT name, start, duration AS length FROM span WHERE id < 3 ORDER BY id' Enter W 'firsts The first spans' Enter screen q ':query firsts' Enter" four.lanes
cat $queries/firsts.sql
said "; 'SELECT :x AS x, 1 AS y' Enter ':save x' Enter"
rm -rf $queries && printf x >$queries
said "':query task-times' Enter ':save two' Enter"
find home/config -type f
