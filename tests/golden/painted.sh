# What tables paint on the lanes of one run, and of two; from there to their rows and back.
mkdir runs
lanescope import --quiet -o runs/one.lanes data/golden/one.jsonl
lanescope import --quiet -o runs/four.lanes data/golden/four.jsonl
. data/golden/keys
keys "a cause: its stretches in both runs, the next, its row" 80x24 "X j T screen n screen Enter screen q Esc screen Esc screen" runs/one.lanes runs/four.lanes
keys "rows of a saved query: the selected one, the others, back to one" 80x24 "':query idle-gaps' Enter j T screen n n screen N screen Esc Enter screen" runs/four.lanes
keys "idle lanes, and the path, of both runs" 100x30 "X G Enter '/Busy and idle' Enter Enter T" runs/one.lanes runs/four.lanes
keys "without colours, in ASCII" 80x24 "~ X j T Esc screen" runs/one.lanes runs/four.lanes
keys "lanes without a stretch are hidden, and there again; A and B swapped" 80x24 "X j T Esc screen I screen I x screen" runs/one.lanes runs/four.lanes
keys "marks and paint: Esc takes one after the other" 80x24 "':query idle-gaps' Enter T Esc '/retrieve' Enter screen Esc screen Esc screen" runs/four.lanes
lanescope explain runs/one.lanes runs/four.lanes --part intervals -p of=path -p run=both --limit 4
lanescope explain runs/one.lanes runs/four.lanes --part intervals -p of=path -p run=c
