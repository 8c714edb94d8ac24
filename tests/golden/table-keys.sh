# Tables key by key: what each of their keys leaves on the screen.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
. data/golden/keys
export VISUAL=true
tasks="':query task-times' Enter"
printf '%s\n' '[{"name":"some words that are longer than a narrow screen is wide","ph":"X","pid":1,"tid":1,"ts":0,"dur":5},' \
	'{"name":"'"$(printf '%080d' 0)"'","ph":"X","pid":1,"tid":1,"ts":9,"dur":5}]' >words.json
lanescope import --quiet words.json
words="; 'SELECT name AS words, duration / 1.5 AS number, NULL AS none, id AS n FROM span ORDER BY id' Enter"
keys "a row of which nothing stands behind, in full" 60x10 "$words screen Enter screen q j Enter" words.lanes
keys "on a narrow screen" 40x10 "$words Enter screen q j Enter" words.lanes
keys "columns: right and left, to their ends" 60x9 "$tasks h h l screen l l l l l l l l l l l l l l screen h h" four.lanes
keys "columns are moved, hidden, shown" 80x9 "$tasks l l \$ screen \$ \$ ^ screen z z screen Z screen ':hide started' Enter ':show started' Enter" four.lanes
keys "all but one may be hidden" 60x8 "; 'SELECT 1 AS a, 2 AS b' Enter z z z screen l z h" four.lanes
keys "cells as wide as their texts, and back" 60x8 "$tasks _ screen _" four.lanes
keys "sorted by one column, by two, the other way" 90x10 "':query task-by-kind' Enter ] screen [ screen l ] h { screen } screen ':sort' Enter" four.lanes
keys "filters, one on top of the other, and off again" 90x9 "$tasks '&kind = concat' Enter '&total > 60ms' Enter screen \\ screen \\ \\" four.lanes
keys "rows are marked and gone through" 80x12 "':query task-by-kind' Enter m m j m screen g J screen J screen K screen Esc screen J" four.lanes
keys "how often values occur" 80x12 "$tasks l l F screen ] screen j Enter screen ':frequency worker' Enter" four.lanes
keys "how often numbers do, and nothing" 60x10 "; 'SELECT column1 AS n FROM (VALUES (1), (-1), (NULL), (-1), (2.5))' Enter F screen Enter" four.lanes
keys "search, on and back, around the ends" 80x9 "$tasks '/threshold' Enter screen n screen N N screen '/nothing' Enter" four.lanes
keys "a page down and up, the end and the begin" 80x9 "$tasks PgDn screen PgDn PgUp screen G screen k k PgUp g" four.lanes
keys "parameters are asked for and set" 80x9 "$tasks p 'kind=efi' Enter screen ':param worker=worker1' Enter screen ':param kind=' Enter screen ':param nosuch=1' Enter" four.lanes
keys "its SQL, and the SQL of what was typed" 80x12 "$tasks V screen q q ; 'SELECT count(*) AS n FROM span' Enter screen V" four.lanes
keys "errors of SQL, mended" 80x9 "; 'SELECT nosuch FROM span' Enter screen Esc screen R" four.lanes
keys "to the timeline and to the spans of a row" 90x12 "$tasks G T screen q S" four.lanes
keys "copied" 80x8 "':query task-by-kind' Enter y screen Y screen l z Y ; 'SELECT NULL AS nothing' Enter y" four.lanes
keys "of two runs: amounts, percent, ratios" 100x10 "D Enter screen % screen % screen % screen ] screen [" one.lanes four.lanes
keys "of two runs: by size, filtered, swapped" 100x10 "D Enter l ':sort -|total_delta|' Enter '&total_delta > 0' Enter screen x screen m screen Esc F" one.lanes four.lanes
keys "its SQL goes to an editor, which needs a terminal; parts of an explanation have none" 100x8 "D Enter E screen q q X G Enter j j Enter E" one.lanes four.lanes
keys "words that commands lack" 80x8 "$tasks ':filter' Enter screen Esc ':frequency' Enter screen q ':frequency nosuch' Enter screen ':frequency  kind ' Enter screen q ':frequency task' Enter screen q ':sort nosuch' Enter screen ':hide' Enter" four.lanes
keys "commands and columns are completed" 80x8 "$tasks ':sort wor' Tab screen Enter screen ':fil' Tab screen" four.lanes
constant="; 'SELECT column1 AS n, 7 AS seven, NULL AS blank, column2 AS some_other_number, 40 * 3 AS many, (SELECT min(name) FROM lane) AS least_lane, NULL AS void, 8 AS eight, 9 AS nine FROM (VALUES (1, 20), (2, 30))' Enter"
keys "columns of one value stand above the others, until all are to be seen; with room for all they never do" 60x8 "$constant screen ':columns-show' Enter l l screen ':columns-show' Enter screen 120x8" four.lanes
keys "one of them shown, sorted by, and all written to a file" 60x8 "$constant ':show seven' Enter screen ':hide seven' Enter ':sort eight' Enter screen ':export folded.csv' Enter" four.lanes
cat folded.csv
keys "one row stands upright: its columns are gone through, found, hidden, written as ever" 80x9 "':query task-summary' Enter '&stage = total' Enter screen ; 'SELECT 4 AS four, 1500 AS duration, NULL AS blank, (SELECT max(name) FROM span) AS longest_name_of_all' Enter screen j j j screen '/1.5' Enter screen k ':hide blank' Enter screen ':export upright.csv' Enter" four.lanes
cut -c1-60 upright.csv
keys "and more of them than lines" 60x8 "; 'SELECT 1 AS a, 2 AS b, 3 AS c, 4 AS d, 5 AS e, 6 AS f, 7 AS g, 8 AS h' Enter screen G screen k k screen g" four.lanes
