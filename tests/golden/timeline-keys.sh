# The timeline key by key, and what the application does in every view: commands, messages, settings.
mkdir runs
lanescope import --quiet -o runs data/golden/one.jsonl data/golden/four.jsonl
lanescope import --quiet -o runs/gpu.lanes data/chrome/gpu.json
. data/golden/keys
keys "zoomed in and out around the cursor" 90x14 "T w w screen w w w screen s s screen f screen f" runs/four.lanes
keys "panned to both ends" 90x14 "T w w h screen l l l screen G screen g screen l l h" runs/four.lanes
keys "the cursor by cells, beyond the edges" 90x12 "T L L L screen H H H H screen w w L L H screen" runs/four.lanes
keys "up and down the lanes, by pages, to the ends" 90x12 "T j screen j j k screen PgDn screen PgUp screen" runs/four.lanes
keys "from span to span" 90x12 "T j . screen . . screen , screen f screen Enter" runs/four.lanes
keys "the first and the last span of a lane" 90x12 "T j j j . , screen G . screen" runs/four.lanes
keys "along inputs and outputs" 90x14 "T j . ) screen ) screen ( screen ( (" runs/four.lanes
keys "folded and unfolded" 90x14 "T o screen o screen O screen O screen j j o screen" runs/four.lanes
keys "a lane's nested spans" 90x16 "T O screen j o screen o screen" runs/gpu.lanes
keys "a range is marked and told about" 90x14 "T j l m screen L L L L L m screen f screen Esc screen" runs/four.lanes
keys "colours" 90x14 "T c screen c screen c screen c" runs/four.lanes
keys "all of the run in rows, and back" 90x16 "T u screen w w screen u" runs/four.lanes
keys "names are searched" 90x14 "T '/mean' Enter screen n screen n screen N screen '/nosuch' Enter" runs/four.lanes
keys "filtered, dropped, taken to the spans" 90x14 "T '&duration > 100ms' Enter screen S screen q \\ screen \\" runs/four.lanes
keys "the cells as a table" 90x10 "T t screen j j T" runs/four.lanes
keys "jumps and windows by command" 90x12 "T ':zoom 100ms 200ms' Enter screen ':jump 150ms' Enter screen ':colour category' Enter screen ':colour nosuch' Enter screen ':jump never' Enter" runs/four.lanes
keys "exported" 90x12 "T w ':export t.svg' Enter screen ':export t.csv' Enter screen ':export t.doc' Enter" runs/four.lanes
head -2 t.csv
grep -c '<rect' t.svg
keys "on screens of all sizes" 90x14 "T j . screen 40x8 screen 200x10 screen 60x40" runs/four.lanes
keys "against the other run" 90x14 "D | screen j screen @ screen w screen x screen q T" runs/one.lanes runs/four.lanes
echo "in every view"
keys "commands are completed, unknown ones named" 80x9 "':qu' Tab screen 'ta' Tab screen Tab screen Esc Esc ':nosuch' Enter screen ':query nosuch' Enter" runs/four.lanes
keys "what was said is kept" 80x9 "n ':nosuch' Enter ':messages' Enter screen q q" runs/four.lanes
keys "settings until the end" 80x9 "':set glyphs ascii' Enter screen ':set colours pink' Enter screen ':set nosuch 1' Enter screen ':set glyphs' Enter screen ':config' Enter" runs/four.lanes
keys "keys with another meaning" 80x9 "':map Z timeline' Enter Z screen q ':map Z nosuch' Enter screen ':map Nokey help' Enter screen ':map' Enter" runs/four.lanes
keys "runs marked by command" 80x9 "':mark a' Enter screen j ':mark b' Enter screen ':mark c' Enter" runs
keys "SQL by command, its history" 80x9 "':sql SELECT 41 + 1 AS n' Enter screen q : Up screen Up screen Down Down screen Esc" runs/four.lanes
keys "no key, no place, the end of the views" 80x9 "Z screen X screen B screen q q q" runs/four.lanes
keys "reloaded, drawn anew, glyphs, the mouse" 80x9 "R screen ^L ~ screen ~ M screen M" runs/four.lanes
keys "views on views, all left again" 80x9 "T S Enter v screen q screen q screen q screen q" runs/four.lanes
keys "a cause of a difference: where it shows most, on both" 80x20 "X j T screen q" runs/one.lanes runs/four.lanes
