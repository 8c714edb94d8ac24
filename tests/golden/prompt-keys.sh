# What Tab offers in prompts: commands and what goes behind them, columns, parameters, files, words of SQL. Of each screen the
# last row is shown, which holds the prompt, and where there is something to choose the row above it.
mkdir runs
lanescope import --quiet -o runs data/golden/one.jsonl data/golden/four.jsonl
mkdir -p out/sub home/there
touch out/one.csv out/other.csv out/.hidden here.csv home/there/at-home.csv
four=runs/four.lanes
tab() { # keys, runs...
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	shift
	lanescope --keys keys --size 80x9 "${@:-$four}" | tail -n 1
}
offers() { # the same with the offers
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	shift
	lanescope --keys keys --size 80x9 "${@:-$four}" | tail -n 2
}
words() { # the words offered, in order
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	lanescope --keys keys --size 300x9 $four | tail -n 2 | head -n 1 | tr -s ' ' '\n' | sort | tr '\n' ' '
	echo
}
table="':query task-times' Enter"
echo "commands, everywhere"
offers ": Tab"
offers "':que' Tab"
offers "':query task-b' Tab Tab Tab"
offers "':query task-b' Tab S-Tab"
tab "':query task-b' Tab Tab Esc"
tab "':query task-b' Tab Tab Tab Tab Tab Tab"
tab "':query task-by' Tab Tab Enter V"
offers "':set ' Tab"
tab "':set m' Tab ' off' Enter M"
tab "':set g' Tab Tab"
offers "':set key.sort' Tab"
tab "':set key.column-h' Tab"
offers "':map Z sort-add' Tab"
tab "':map Z agg' Tab"
echo "the one chosen is in sight"
for at in 'Tab Tab' 'Tab Tab Tab Tab Tab Tab Tab' S-Tab; do
	printf '%s\n' "40x9 ':set key.s' Tab $at" >keys
	lanescope --keys keys $four | tail -n 2 >shown
	head -n 1 shown | grep -oE " $(sed -n 's/:set //p' shown)( |\$)"
done
printf '%s\n' "60x9 ':query ' Tab Tab Tab Tab Tab Tab Tab Tab Tab" >keys
lanescope --keys keys $four | tail -n 2
echo "runs to compare, what has no words"
offers "':mark ' Tab Tab"
tab "':mark ' Tab S-Tab Enter"
tab "':nosuch x' Tab"
tab "':sql SEL' Tab"
echo "tables"
offers "$table ':' Tab"
tab "$table ':hi' Tab ' ki' Tab"
offers "$table ':sort t' Tab"
offers "$table ':sort -t' Tab Tab"
offers "$table ':sort total,t' Tab Tab"
tab "$table ':param wo' Tab"
tab "$table ':param worker=worker1' Enter ':param wo' Tab"
offers "$table '&t' Tab Tab"
tab "$table '&kind = t' Tab"
offers "$table p ^U Tab"
offers "D Enter p ^U 'show=' Tab Tab Tab" $four runs/one.lanes
tab "D Enter ':param show=d' Tab" $four runs/one.lanes
echo "spans"
tab "S ':jum' Tab"
tab "S ':fil' Tab"
offers "S ':sort ' Tab"
offers "S ':sort s' Tab"
tab "S ':filter j' Tab"
offers "S ':sort -s' Tab"
tab "S ':sort -du' Tab"
tab "S '&cl' Tab"
offers "S '&not (dur' Tab Tab"
tab "S '&size > 1 and lan' Tab"
tab "S '/ef' Tab"
echo "a timeline"
tab "T ':ran' Tab"
tab "T ':got' Tab"
tab "T ':lan' Tab ' worker3' Tab"
offers "T ':lane worker0 ' Tab"
offers "T ':colour ' Tab"
tab "T ':colour sl' Tab"
tab "T ':goto 1' Tab"
words "T & Tab"
words "T '&dur' Tab"
tab "T '/me' Tab"
words "T / Tab"
echo "files"
offers "S e ^U 'out/' Tab"
offers "S e ^U 'out/o' Tab Tab"
tab "S e ^U '!out/on' Tab"
tab "S e ^U '!her' Tab"
tab "S e ^U 'her' Tab"
tab "S e ^U 'out/.h' Tab"
tab "S e ^U '~/there/' Tab"
tab "S e ^U 'nosuch/' Tab"
tab "$table e ^U 'out/s' Tab"
offers "$table ':export out/' Tab"
tab "$table ':export !her' Tab"
tab "S ':export out/on' Tab"
echo "more than bytes are typed"
tab "S '/é' Enter"
echo "SQL"
tab "; 'SELECT lane_n' Tab"
tab "; 'SELECT id, na' Tab"
tab "; 'sel' Tab"
tab "; 'SEL' Tab ' DIST' Tab"
tab "; 'SELECT x FROM nosuch' Tab"
echo "SQL that is refused is mended where it is wrong, or at its end"
tab "; 'SELECT nosuch FROM span' Enter Z"
tab "; 'SELECT 1 + FROM span' Enter Z"
tab "; 'DELETE FROM span' Enter Z"
tab "; 'SELECT 1; SELECT 2' Enter Z"
tab "; 'SELECT abs(-9223372036854775807 - 1)' Enter Z"
