# What the ending of a file's name says, for every command that writes one: each line is a command, each column an ending. The format
# that is written ("lanes", "svg" ...), "no" where the ending is refused and nothing is written.
cp data/golden/one.jsonl one.jsonl
lanescope import --quiet one.jsonl
lanescope import --quiet -o two.lanes data/golden/four.jsonl
endings='csv json jsonl md tsv txt svg lanes parquet xlsx DB JSON json.gz csv.gz html out d/'

kind() { # of a file, or of the first file in a folder
	[ -d "$1" ] && { echo folder; return; }
	case $(head -c 6 "$1" | tr -d '\0') in
	'SQLite') echo lanes ;;
	'<?xml'* | '<svg'*) echo svg ;;
	'{"disp'* | '{"trac'*) echo chrome ;;
	'[{"'* | '['*) echo json ;;
	'{"'*) echo jsonl ;;
	'|'*) echo md ;;
	*) if gzip -t "$1" 2>/dev/null; then echo gzip
	   elif head -1 "$1" | grep -q "$(printf '\t')"; then echo tsv
	   elif head -1 "$1" | grep -q '^[a-z_ ]*,'; then echo csv
	   else echo text; fi ;;
	esac
}
row() { # name, command ... with OUT where the file's name stands
	printf '%-12s' "$1"
	shift
	for ending in $endings; do
		rm -rf out-* made && mkdir made
		case $ending in d/) file=made/d/ ;; *) file=made/x.$ending ;; esac
		if lanescope "$@" -o "$file" >out-text 2>out-err; then
			for written in made/*; do :; done
			printf ' %s' "$ending=$(kind "$written")"
		elif [ -n "$(ls made)" ]; then
			printf ' %s' "$ending=LEFT"
		elif grep -q "$file" out-err && [ "$(wc -l <out-err)" -eq 1 ]; then
			printf ' %s' "$ending=no"
		else
			printf ' %s' "$ending=$(cat out-err)"
		fi
	done
	echo
}
row query query task-summary one.lanes
row diff diff task-by-kind one.lanes two.lanes
row sql sql one.lanes 'SELECT 1 AS one, 2 AS two'
row explain explain one.lanes two.lanes
row info info one.lanes
row runs runs .
row queries queries one.lanes
row timeline timeline one.lanes
row svg timeline one.lanes --svg
row chrome export one.lanes --to chrome
row csv export one.lanes --to csv
row import import --quiet one.jsonl
row preemption simulate preemption --minutes 5
row trace simulate trace --minutes 5
row checkpoint simulate checkpoint

echo '# what to do is said'
for call in 'query task-summary one.lanes' 'export one.lanes --to chrome' 'export one.lanes --to csv' 'timeline one.lanes --svg' \
	'import one.jsonl' 'simulate trace'; do
	lanescope $call -o x.parquet
done
lanescope simulate preemption --minutes 5 --log x.json
lanescope simulate trace -o -
lanescope export one.lanes --to csv -o -
lanescope timeline one.lanes --svg --format csv -o x.svg

echo '# what is asked for by name is written under any; folders and special files have no ending'
lanescope query task-summary one.lanes --format csv --limit 1 -o x.json && head -c 5 x.json && echo
mkdir x.db y.parquet && lanescope export one.lanes --to csv -o x.db >/dev/null 2>&1 && ls x.db | head -1
lanescope import --quiet -o y.parquet one.jsonl && ls y.parquet
lanescope import --quiet -o z.csv/ one.jsonl && ls z.csv
mkfifo pipe.svg && { head -c 2 pipe.svg >from-pipe & } && lanescope export one.lanes --to chrome -o pipe.svg
wait
cat from-pipe && echo
ls | grep '^x'
