# What the timeline marks, how its lanes are put in order and folded, and what ran in a marked range.
mkdir runs
lanescope import --quiet -o runs data/golden/four.jsonl
lanescope import --quiet -o runs/gpu.lanes data/chrome/gpu.json
. data/golden/keys
keys "a row marks its spans, the first is selected, lanes without one are folded" 80x24 "j T screen n screen N N screen I screen I Esc" runs/four.lanes
keys "of a table: marked, listed, hidden on request" 80x24 "S '&duration > 100ms' Enter q v ':query span-totals' Enter T screen S screen q & Enter screen \\ screen" runs/four.lanes
keys "names that are searched for, and that there are none of" 80x24 "T '/retrieve' Enter screen '/nosuch' Enter screen '/^(' Enter" runs/four.lanes
keys "on a wide screen" 200x50 "j T" runs/four.lanes
keys "lanes by name, busy, first and last, and in order" 80x24 "T ] screen ] screen ] screen ] screen ] screen ':lanes last' Enter screen ':lanes size' Enter" runs/four.lanes
keys "idle lanes are hidden" 80x24 "T ':goto 2s' Enter w w w w screen I screen I screen" runs/four.lanes
keys "what ran in a range, in other groups and orders, of one lane" 80x24 "T m L L L L L L m screen Tab F screen ] ] screen r screen ':by arg.kind' Enter screen ':by nosuch' Enter" runs/four.lanes
keys "exactly its spans, as a table, and the range gone" 80x24 "T m L L L L L L m Tab j screen Enter screen q t screen q Esc screen" runs/four.lanes
keys "a group that no span is in" 80x24 "T '&nosuch' Enter m L m" runs/four.lanes
keys "what ran, on a wide screen" 200x50 "T m L L L L L L m Tab" runs/gpu.lanes
keys "written to a file" 80x24 "T m L L L L L L m Tab F e ^U 'area.csv' Enter" runs/four.lanes
cat area.csv
lanescope import --quiet -o runs/one.lanes data/golden/one.jsonl
keys "of two runs: what ran in both, of a lane and its counterpart, in other orders; the spans of the selected one" 80x24 "D | j m L L L m screen Tab ] ] screen r screen Enter screen q t screen q Tab @" runs/one.lanes runs/four.lanes
pair() { keys "$1" 80x24 "| $2" runs/one.lanes runs/four.lanes | grep -E '^==|^ (A|B) (one|four) |^ marked|of [0-9]+$|colour'; }
pair "counted in both, and gone through in the order of their axis, around the ends" "'/concat' Enter screen n n n screen n screen n screen N N N N N N"
pair "scaled to one length the order is another" "@ '/concat' Enter n n n screen n screen n screen n"
pair "by slowdown and as before" "! screen !"
