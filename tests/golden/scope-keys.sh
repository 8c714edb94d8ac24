# The scope in the explorer: made by a range, a lane, a group, a row, a cell, a search, typed; words dropped, back and forth; views that
# ask again and keep what was selected; of two runs.
. data/golden/keys
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
lanescope import --quiet -o gpu.lanes data/chrome/gpu.json
keys "typed, seen, changed, dropped" 80x10 "i ':scope range 1s .. 3s; lanes worker0*' Enter screen ':scope' Enter screen ^U 'scope drop 1' Enter screen ':scope add name = x' Enter screen ':scope all' Enter" four.lanes
keys "typed wrong" 80x10 "i ':scope range' Enter screen ':scope lanes' Enter screen ':scope nosuch = 1' Enter screen ':scope drop' Enter screen ':scope range 1s ..' Enter ':scope drop 2' Enter screen ':scope drop x' Enter screen ':scope ra' Tab screen" four.lanes
keys "back and forth, and nothing before or behind" 80x10 "i < screen ':scope range 1s ..' Enter ':scope add lanes worker1' Enter - screen < screen < screen < screen > > screen > screen - - -" four.lanes
keys "a marked range of a timeline" 80x14 "T w w m L L L L L m + screen q i screen v '/by-kind' Enter Enter" four.lanes
keys "a lane, then a group" 80x14 "T j + screen - k k + screen" four.lanes
keys "what a search found" 80x14 "T '/efi' Enter + screen Esc S" four.lanes
keys "a name and a lane of the overview" 80x20 "i + screen - Tab Tab + screen - Tab Tab +" four.lanes
keys "a row of a table, a cell, a row without spans" 80x12 "':query task-by-worker' Enter + screen - C screen l l C screen ':query task-by-kind' Enter + screen" four.lanes
keys "a span, a cell of spans" 80x10 "S \\ j j + screen - l l l C screen + screen h h C" four.lanes
keys "the selection stays, views below ask again" 80x10 "':query task-by-kind' Enter j j screen ':scope range 1s .. 5s' Enter screen Enter - screen q" four.lanes
keys "nothing in scope" 80x10 "':query task-by-kind' Enter ':scope name = nosuch' Enter screen S screen q T" four.lanes
keys "words share the line" 60x8 "i ':scope range 1s .. 3s; lanes worker0*; category = task; name = efi; host = fiab' Enter screen 40x8 screen 200x10 screen" four.lanes
keys "digits by the length of a range" 100x8 "i ':scope range 1234567890ns .. 1234568000ns' Enter screen ':scope range 1ms .. 3ms' Enter screen ':scope range 2s ..' Enter screen" four.lanes
keys "two runs" 80x14 "':scope range 1s .. 3s' Enter D / 'kind' Enter Enter screen q q X screen q |" four.lanes one.lanes
keys "nothing of it in the list of runs without one, nor in help" 80x9 "screen ':scope range 1s ..' Enter screen ? screen" four.lanes
printf '%s\n' "R" >keys
lanescope --keys keys --size 80x8 --scope 'range 1s .. 2s' --scope 'lanes worker1' four.lanes
lanescope --keys keys --size 80x8 --scope 'range 1s' four.lanes
echo "a session keeps it"
printf '%s\n' "':scope range 1s .. 2s' Enter" >keys
lanescope --keys keys --size 80x8 --session session four.lanes | sed -n 2p
echo R >keys
lanescope --keys keys --size 80x8 --session session four.lanes | sed -n 2p
lanescope --keys keys --size 80x8 --session session --scope 'name = efi' four.lanes | sed -n 2p
printf 'scope = range\n' >session
lanescope --keys keys --size 80x8 --session session four.lanes
