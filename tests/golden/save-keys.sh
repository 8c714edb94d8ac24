# What views write into files: every format, of rows, of a list of spans, of a timeline; what may be written over, what is left
# when it fails.
umask 027
mkdir runs
lanescope import --quiet -o runs data/golden/one.jsonl data/golden/four.jsonl
four=runs/four.lanes table="':query task-by-kind' Enter"
said() { # keys, runs...: the last row
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	shift
	lanescope --keys keys --size 100x9 "${@:-$four}" | tail -n 1
}
first() { # of each file
	for file; do
		printf '%s: ' "$file"
		wc -l <"$file"
		head -n 3 "$file" | cut -c1-150
	done
}
for format in csv tsv json jsonl md txt; do
	said "$table ':export table.$format' Enter"
	said "S ':export spans.$format' Enter"
done
first table.csv table.tsv table.json table.jsonl table.md table.txt
first spans.tsv spans.json spans.jsonl spans.md spans.txt
echo "all spans, filtered ones, in the order seen; rows and columns as shown"
said "S \\ e ^U 'all.csv' Enter"
said "S \\ e ^U 'all.md' Enter"
wc -l <all.csv
wc -l <all.md
said "S \\ '&category = task' Enter ':sort -duration' Enter ':export sorted.csv' Enter"
head -n 3 sorted.csv | cut -d, -f1-5
said "$table '&n > 1' Enter l z ] ':export shown.csv' Enter"
said "$table '&n > 1' Enter l z ] ':export shown.json' Enter"
cat shown.csv shown.json
said "; 'SELECT 1.5 AS r, NULL AS n, name FROM span LIMIT 0' Enter ':export none.csv' Enter"
said "; 'SELECT 1.5 AS r, NULL AS n, name FROM span LIMIT 1' Enter ':export one.json' Enter"
cat none.csv one.json
echo "texts that a spreadsheet computes, as they are, and safe: by a setting, by an option; of rows, a list of spans, a timeline"
printf '[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"=lane"}},\n{"name":"=1+1","ph":"X","ts":0,"dur":1,"pid":1,"tid":1,"args":{}}]\n' >hostile.json
lanescope import --quiet -o runs hostile.json
names="; 'SELECT name, -1 AS m FROM span' Enter"
said "$names ':export as-is.csv' Enter" runs/hostile.lanes
said "':set safe-csv on' Enter $names ':export set.csv' Enter" runs/hostile.lanes
said "$names ':export option.tsv' Enter" --safe-csv runs/hostile.lanes
said "$names ':export option.json' Enter" --safe-csv runs/hostile.lanes
said "S ':export list.csv' Enter" --safe-csv runs/hostile.lanes
said "T e ^U 'cells.csv' Enter" --safe-csv runs/hostile.lanes
cat as-is.csv set.csv option.tsv option.json
grep -o "'=[^,]*" list.csv
grep -o "'=[^,]*" cells.csv | sort -u
rm runs/hostile.lanes as-is.csv set.csv option.tsv option.json list.csv cells.csv hostile.json
echo "what is asked for, and asked again"
said "$table e"
said "$table e Enter"
said "$table e Enter"
said "$table e Enter Enter"
said "$table e Enter Esc"
said "; 'SELECT 2 AS n' Enter e Enter"
said "S e Enter"
said "S e ^U ' ' Enter"
said "S e ^U '! ' Enter"
said "S e ^U '~/home.csv' Enter"
said "S e ^U '~' Enter"
said "S e ^U 'x.CSV' Enter"
said "S e ^U 'a.dir/x' Enter"
said "S e ^U 'csv' Enter"
said "D Enter e" $four runs/one.lanes
said "| e" $four runs/one.lanes
ls -- *.CSV *-*.csv home
echo "runs are never written over"
cp $four run.csv
said "S e ^U '!run.csv' Enter" run.csv
said "D Enter e ^U '!run.csv' Enter" $four run.csv
cmp $four run.csv
echo "permissions stay, new files have those of the mask"
stat -c %a table.csv spans.json
chmod 604 table.csv
chmod 666 spans.json
said "$table ':export !table.csv' Enter"
said "S ':export  !  spans.json ' Enter"
stat -c %a table.csv spans.json
echo "links lead to what is written; a folder, a place that is not there, a full disk"
echo before >target.csv
ln -s target.csv link.csv
ln -s /dev/full full.csv
ln -s /dev/full full.md
mkdir folder.csv
said "S e ^U '!link.csv' Enter"
ls -l link.csv | sed 's/.* link/link/'
wc -l <target.csv
said "S e ^U '!folder.csv' Enter"
said "S e ^U 'nosuch/x.csv' Enter"
said "S e ^U '!full.csv' Enter"
said "S e ^U '!full.md' Enter"
said "$table e ^U '!full.csv' Enter"
said "$table e ^U '!full.md' Enter"
echo "a timeline"
ln -s /dev/full full.txt
ln -s /dev/full full.svg
for format in csv tsv json jsonl md txt svg; do
	said "T e ^U 't.$format' Enter"
done
said "T e Enter"
first t.csv t.json t.md
head -n 3 t.txt
cmp t.txt timeline.txt
grep -c '<rect' t.svg
cp t.svg before.svg
said "T e ^U 't.svg' Enter"
said "T e ^U 't.svg' Enter Enter"
cmp t.svg before.svg
said "T w e ^U 't.svg' Enter Enter"
cmp -s t.svg before.svg && echo "not what is shown"
said "T e ^U 't.gif' Enter"
said "T e ^U Enter"
said "T e ^U 'nosuch/t.svg' Enter"
said "T e ^U '!full.txt' Enter"
said "T e ^U '!full.csv' Enter"
said "T e ^U '!full.svg' Enter"
said "T e ^U '!run.csv' Enter" run.csv
echo "nothing is left beside"
ls
