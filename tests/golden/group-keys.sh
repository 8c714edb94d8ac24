# Spans in groups and turned, key by key: where rows and cells lead, what is asked again, what is refused.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o gpu.lanes data/chrome/gpu.json
lanescope import --quiet -o sums.lanes data/dftracer/aggregated.pfw
. data/golden/keys
keys "by the selected column, by one more, to the spans of a group" 80x12 "S \\ l l l l F screen F 'name' Enter screen j Enter screen q S screen" gpu.lanes
keys "by a column of numbers, where some have none" 80x12 "S \\ ':group size' Enter screen Enter screen q j Enter" gpu.lanes
keys "by an argument, of what a filter leaves" 80x12 "S \\ '&category = kernel' Enter ':group arg.stream' Enter screen Enter" gpu.lanes
keys "start and arguments ask for more, an id has no groups" 80x9 "S \\ F screen '20us)' Enter screen j Enter" gpu.lanes
keys "what is wrong stays to be mended" 80x9 "S \\ ':group nmae' Enter screen Esc ':group name' Enter F 'nosuch' Enter screen Esc ':param columns=count,medain' Enter screen" gpu.lanes
keys "its columns" 80x10 "S \\ ':group category' Enter p screen Esc ':param columns=count,p50,max' Enter screen" gpu.lanes
keys "turned: rows by columns, a cell, a sum, what is too much" 80x12 "S \\ l l l l * screen 'name' Enter screen l l l Enter screen q h h Enter" gpu.lanes
keys "turned by a measure, again from there" 80x12 "S \\ ':pivot category by thread count' Enter screen * screen Esc ':param measure=self' Enter screen ':pivot name by category mean' Enter screen" gpu.lanes
keys "how a pivot is written" 80x8 "S \\ ':pivot name' Enter screen ':pivot by name' Enter screen ':pivot name by ' Enter" gpu.lanes
keys "any table turned: a cell keeps its rows" 80x12 "':query task-times' Enter ':pivot kind by worker' Enter screen l l Enter screen" four.lanes
keys "any table turned by a measure, and what can't be" 80x12 "':query task-by-kind' Enter ':pivot kind by n total' Enter screen q ':pivot kind by mean mean' Enter screen ':pivot kind by nosuch' Enter" four.lanes
keys "groups are exported as they are shown" 80x12 "S \\ ':group category' Enter ':export g.csv' Enter" gpu.lanes
cat g.csv
keys "in scope: the parts inside, of groups and of their spans" 80x12 "S \\ ':scope range 12us .. 30us' Enter ':group category' Enter screen Enter screen q ':pivot category by name' Enter screen l l l Enter" gpu.lanes
keys "words are completed" 80x8 "S \\ ':group arg.st' Tab screen ', catego' Tab Enter screen ':columns count,p50' Enter screen" gpu.lanes
keys "what is exported adds up to what stands below the list" 80x8 "S \\ '&duration > 1500ns' Enter ':export s.csv' Enter ':group name, lane_name' Enter ':export h.csv' Enter q" gpu.lanes
awk -F, 'NR > 1 { n++; sum += $2 } END { print n, sum }' s.csv
awk -F, 'NR > 1 { n += $3; sum += $4 } END { print n, sum }' h.csv
keys "records of many calls are said" 80x12 "S \\ ':group size,name' Enter screen Enter" sums.lanes
