# Lists key by key: runs, overviews, queries, spans, one span, differences to ask for, texts, help.
mkdir runs
lanescope import --quiet -o runs data/golden/one.jsonl data/golden/four.jsonl
lanescope import --quiet -o runs data/golden/base-0.pfw
lanescope import --quiet -o runs/gpu.lanes data/chrome/gpu.json
. data/golden/keys
keys "runs: down, up, the ends" 80x9 "j j screen G screen j k k screen g k" runs
keys "runs: marks are set, moved, swapped" 80x9 "A screen j B screen x screen A screen B" runs
keys "runs: in other orders, with the selection kept; back to the first" 80x9 "G ] screen ] ] screen ] screen ] ] ] screen ] screen [" runs
keys "runs: filtered; what nothing matches; filters dropped by key and Esc" 80x10 "G '&lanes >= 3' Enter screen '&zzz' Enter screen \\ screen Esc screen '&nosuch > 3' Enter" runs
keys "runs: counted by a column, and from a count to its runs" 80x10 "F screen Enter screen j j Enter screen \\ F ^U Tab screen ^U 'nosuch' Enter" runs
keys "runs: typed" 80x10 "':sort -records' Enter screen ':filter run ~ ^f' Enter screen ':group dialect' Enter" runs
keys "runs: what they are, where there is room" 110x18 "" runs
mkdir plain && lanescope import --quiet -o plain data/dasf/phases.msgpack data/dataload/exp1
keys "runs: of many dialects and of no lanes, in both widths" 110x9 "screen 80x9" plain
keys "runs: search goes around" 80x9 "'/g' screen Enter n screen n screen N screen '/nosuch' Enter" runs
keys "runs: straight into a run, and back" 80x10 "j v screen q j T screen q S screen q ^P screen q D" runs
keys "runs: an overview, and the one of the next" 80x10 "Enter screen q j i" runs
keys "the last q asks, in a script if that was wanted" 80x8 "':set ask-to-leave on' Enter i q q screen j screen q Esc screen q q screen" runs
keys "an overview: from list to list" 80x20 "Tab screen Tab screen Tab Tab S-Tab screen S-Tab Down Down screen Up Enter" runs/four.lanes
keys "an overview: its lists lead on" 80x20 "1 screen q 2 screen q 3 screen q 9" runs/gpu.lanes
keys "an overview: on its sides" 80x12 "Right screen G screen g screen Left PgDn" runs/four.lanes
keys "an overview: on small screens" 40x12 "screen 40x8 screen 200x9 screen 30x30" runs/four.lanes
keys "an overview: one step there, one step back" 80x10 "S q screen T q screen v q screen Enter q" runs/four.lanes
keys "queries: searched, with their SQL, asked" 80x12 "v screen j j screen '/worker' Enter screen V screen q Enter" runs/four.lanes
keys "queries: the ends, and those of another format" 80x10 "v G screen k PgUp screen g" runs/base-0.lanes
keys "queries: a parameter that has no default is asked for" 80x10 "v '/file-spans' Enter Enter screen '*' Enter screen p 'rows=many' Enter" runs/base-0.lanes
keys "spans: columns moved, hidden, sorted" 100x9 "S \\ l \$ screen ^ z screen Z ] screen [ screen ':sort' Enter" runs/four.lanes
keys "spans: to their ends and back" 100x9 "S \\ G screen k PgUp screen g PgDn screen l l l l l l l screen h" runs/four.lanes
keys "spans: filters come and go" 100x9 "S \\ '&duration > 50ms' Enter '&^retr' Enter screen \\ screen Esc screen \\" runs/four.lanes
keys "spans: searched" 100x9 "S \\ '/efi' Enter screen n screen N screen '/nosuch' Enter" runs/four.lanes
keys "spans: copied, jumped in, exported" 100x9 "S \\ y screen Y screen ':jump 250ms' Enter screen ':jump 0%' Enter screen ':export s.csv' Enter" runs/four.lanes
wc -l s.csv
head -3 s.csv | cut -c1-120
keys "spans: into one, the timeline, and back to the place" 100x12 "S \\ j j j Enter screen q screen T screen q" runs/four.lanes
printf '%s' '{"traceEvents":[{"name":"load","ph":"C","pid":2,"ts":0,"args":{"v":3}}]}' >counter.json
lanescope import --quiet counter.json
keys "spans: to a row, by a filter, a search left where it began" 100x8 "S \\ ':jump 5' Enter screen ':filter duration > 50ms' Enter screen ':jump 0' Enter screen '& ' Enter '/mean' screen Esc" runs/four.lanes
keys "spans: by an argument; a search goes back to the order of time" 100x9 "S \\ ':sort -arg.kind' Enter screen G screen '/efi' Enter screen q S" runs/four.lanes
keys "spans: by what they can't be sorted" 100x8 "S \\ l l l l l l ] screen ':sort lane' Enter" runs/four.lanes
keys "rows that no spans stand behind" 80x10 "Enter screen Tab Enter screen S screen \\ T screen y" counter.lanes
printf '%s' '{"traceEvents":[{"name":"a","ph":"X","pid":1,"tid":1,"ts":0,"dur":3,"args":{"the_name_of_an_argument_that_is_longer_than_its_column":"its value"}}]}' >argument.json
lanescope import --quiet argument.json
keys "one span: long names leave a gap before values" 60x14 "S Enter" argument.lanes
keys "one span: its rows lead on" 80x24 "S \\ '&category = task' Enter Enter screen j j j screen y screen G Enter" runs/four.lanes
keys "one span: along its flows" 80x20 "S \\ '&category = kernel' Enter Enter ) screen ( screen ) (" runs/gpu.lanes
keys "one span: searched" 80x12 "S \\ Enter '/lane' Enter screen n screen PgDn screen g" runs/gpu.lanes
keys "differences: asked for, swapped, their parts" 80x14 "D screen j j screen x screen '/io' Enter screen x q X screen G Enter screen j j Enter" runs/one.lanes runs/four.lanes
keys "differences: of runs that answer nothing alike" 80x10 "D screen Enter" runs/four.lanes runs/gpu.lanes
keys "an explanation: its parts" 90x16 "X screen G Enter screen G screen k Enter screen q q x" runs/one.lanes runs/four.lanes
keys "problems of a run that has none" 80x9 "^P" runs/four.lanes
keys "a text: to all its sides" 60x9 "v V screen l screen l l h screen G screen PgUp g '/FROM' Enter screen n" runs/four.lanes
keys "a text: copied; only SQL is edited" 80x9 "':nosuch' Enter ':messages' Enter y screen E screen '/zzz' Enter" runs/four.lanes
keys "help: of this view, searched, to its end" 80x12 "v Enter ? '/column' Enter screen n n screen G screen PgUp screen g q" runs/four.lanes
keys "manual: a page, down, to the right, copied, searched; a word that is none" 70x11 "':help record' Enter j screen '/profile(' Enter screen l l screen h y screen ':help record' Tab screen Esc Esc ':help makspan' Enter" runs/four.lanes
keys "manual: in a width that is small, and what there is" 40x8 "':help task-summary' Enter screen G screen q ':help contents' Enter" runs/four.lanes
keys "help: of runs, spans, a timeline" 80x10 "? screen q j S ? screen q q T ?" runs
keys "queries: what one is asked with stands at the foot" 80x24 "v '/file-spans' Enter" runs/four.lanes
