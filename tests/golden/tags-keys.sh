# The explorer's list of runs by what they are tagged with.
mkdir runs
for nodes in 4 16; do
	for mode in base scr; do
		lanescope import --quiet --tag nodes=$nodes --tag mode=$mode -o runs/$mode-$nodes.lanes data/golden/one.jsonl
	done
done
lanescope tag runs/scr-4.lanes note='looked at'
. data/golden/keys
keys "shown where there is room, as columns of what is typed" 130x10 "screen ':sort -nodes,mode' Enter screen '&nodes > 4' Enter '&mode = scr' Enter screen \\ \\ ':group mode' Enter" runs
keys "an overview has them" 80x12 "j j j Enter" runs
keys "where there is little room, what all runs have in common goes; a measure as bars" 80x10 "screen P screen P screen ':bars nodes' Enter screen ':bars mode' Enter ':bars' Enter" runs
