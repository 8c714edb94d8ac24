# Where rows of tables lead: into another query with its parameters, a span, a window of the timeline; and what is said where
# nothing stands behind, nothing was answered, nothing fits. Own queries show what built-in ones don't do.
. data/golden/keys
said() { # keys, runs...: the first row, the selected one, the last one
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	shift
	lanescope --keys keys --size 100x12 "${@:-four.lanes}" | sed -n '1p;/^>/p;$p'
}
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
lanescope import --quiet -o base.lanes data/golden/base-0.pfw
tasks="':query task-times' Enter"
mkdir -p home/config/lanescope/queries
cd home/config/lanescope/queries || exit
printf '%s\n' '-- title: Leading on' '-- column length duration' '-- drill: led text=text number=number length=length real=real' \
	"SELECT 'a*b?c[d' AS text, 7 AS number, 1500 AS length, 2.5 AS real" >lead.sql
printf '%s\n' "-- title: Led" "-- param text text '*' As a pattern" "-- param number count 0 A number" \
	"-- param length duration 1ns A duration" "-- param real text '' A fraction" \
	"SELECT :text AS text, 'a*b?c[d' GLOB :text AS fits, 'axbyc[d' GLOB :text AS others, :number AS number, :length AS length, :real AS real" >led.sql
printf '%s\n' '-- title: Leading nowhere' '-- drill: nosuch' 'SELECT 1 AS n' >astray.sql
printf '%s\n' '-- title: One' '-- param least duration 1ms At least' 'SELECT :least AS n' >one.sql
printf '%s\n' '-- title: Quoted' '-- about: All of a header' "-- param who text 'it''s' {it's,you} Who" '-- param n count 3 How many' \
	'-- column n count Numbers' '-- column who text' '-- key: who' '-- measure: n (higher is better)' '-- sort: -n' '-- drill: one least=n' \
	'SELECT :n AS n, :who AS who' >quoted.sql
cd - >/dev/null || exit
echo "into another query"
keys "values become parameters, texts match themselves alone" 100x8 "':query lead' Enter Enter" four.lanes
said "':query astray' Enter Enter"
echo "to the timeline, by columns' names; which spans a row counted they do not say"
sql() { # SQL, keys
	said "; '$1' Enter $2"
}
sql "SELECT 500000000 AS start" T
sql "SELECT 500000000 AS start, 600000000 AS finish" T
sql "SELECT 500000000 AS start, 700000000 AS end" T
sql "SELECT 500000000 AS start, 200000000 AS duration" T
sql "SELECT -5 AS start, 9223372036854775807 AS end" T
sql "SELECT 9223372036854775807 AS start, 9223372036854775807 AS duration" T
sql "SELECT 500000000 AS start UNION ALL SELECT 2000000000" T
sql "SELECT 500000000 AS start UNION ALL SELECT 2000000000" Enter
sql "SELECT 0 AS start" T
sql "SELECT 5 AS lane" Enter
sql "SELECT 43 AS span" T
sql "SELECT 43 AS span" Enter
sql "SELECT id, start, duration FROM span WHERE id = 43" Enter
sql "SELECT 0.5 AS start" Enter
sql "SELECT 1 AS n" T
sql "SELECT 1 AS n" S
sql "SELECT 1 AS n LIMIT 0" T
sql "SELECT 1 AS n LIMIT 0" Enter
sql "SELECT 5 AS lane, 500000000 AS start, 600000000 AS finish" T
sql "SELECT 1 AS n" D
sql "SELECT 1 AS n" B
sql "SELECT 1 AS n" x
sql "SELECT 1 AS n" p
sql "SELECT 1 AS n" %
sql "SELECT 1 AS n" \\
sql "SELECT 1 AS n" Esc
echo "two runs"
said "':query task-by-kind' Enter D" four.lanes one.lanes
said "':query task-by-kind' Enter D" four.lanes
said "D Enter |" four.lanes one.lanes
said "X G Enter j j Enter %" four.lanes one.lanes
said "X G Enter j j Enter D" four.lanes one.lanes
said "X G Enter j j Enter V" four.lanes one.lanes
echo "parameters, searches, columns"
said "':query task-by-worker' Enter p"
said "':query one' Enter p"
said "':query one' Enter p ^U 'least=2s' Enter p"
said "$tasks '/threshold' Enter Esc n"
said "$tasks '&efi' Enter '/efi' Enter Esc Esc Esc"
said "$tasks F V"
keys "a header is written as it was read" 80x16 "':query quoted' Enter V" four.lanes
keys "hidden ones are shown again" 80x8 "$tasks l z z screen ':show' Enter" four.lanes
said "':query file-spans' Enter Esc ':sort name' Enter" base.lanes
said "':query file-spans' Enter Esc ':param path=*' Enter" base.lanes
echo "an order that is remembered, by a column that is gone"
keys "remembered" 80x8 "':query task-by-kind' Enter l l l ] q ':query task-by-kind' Enter" four.lanes
said "D Enter ':param show=percent' Enter ':sort total_rel' Enter q Enter" four.lanes one.lanes | head -n 2
said "D Enter ':param show=ratio' Enter ':sort -total_ratio' Enter q D Enter ':param show=ratio' Enter" four.lanes one.lanes
echo "differences: rows of one run alone are in order by what they have"
keys "by size" 120x10 "':query task-by-worker' Enter D ':sort -on_worker_mean_delta' Enter screen ':sort on_worker_mean_delta' Enter" four.lanes one.lanes
keys "by share" 120x10 "':query task-by-worker' Enter D % ':sort -on_worker_mean_rel' Enter screen ':sort on_worker_mean_rel' Enter" one.lanes four.lanes
keys "what is no choice" 100x8 "D Enter p ^U 'show=share' Enter" four.lanes one.lanes
keys "what is no share" 100x8 "D Enter p ^U 'threshold=much' Enter" four.lanes one.lanes
said "D Enter p ^U 'threshold=20%' Enter" four.lanes one.lanes
said "D Enter ':threshold 20%' Enter p" four.lanes one.lanes
said "D Enter x p" four.lanes one.lanes
