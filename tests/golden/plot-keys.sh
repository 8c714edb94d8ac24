# Charts in the explorer: from a table, of the rows that its filters leave; other kinds and columns; on from a bar, from a point of several rows;
# on small screens; written to files.
. data/golden/keys
lanescope import --quiet -o four.lanes data/golden/four.jsonl
kinds="':query task-by-kind' Enter"
tasks="':query task-times' Enter"
keys() { # keys, size
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	lanescope --keys keys --size "${2:-70x12}" four.lanes
}
keys "$kinds P"
keys "$kinds '&retr|sot' Enter P j"
keys "$kinds P 'p' 'y=n' Enter"
keys "$kinds P P j"
keys "$tasks P ':kind line' Enter ':x run_time' Enter ':log x' Enter l l"
keys "$tasks P p 'kind=cdf' Enter p 'series=kind' Enter j" 70x16
keys "$tasks P ':x kind' Enter ':series worker' Enter ':kind heatmap' Enter l j"
echo "what is no chart is told, and what stands stays"
keys "$kinds P ':kind line' Enter"
keys "$kinds P p 'z=1' Enter"
keys "$kinds P ':y nonsense' Enter"
echo "on from a bar, and back; of several rows to the first of them"
keys "$kinds P j Enter" | sed -n '1,4p'
keys "$kinds P j Enter Esc"
keys "$kinds P j T" | sed -n '2p'
keys "$tasks P ':x kind' Enter ':kind bars' Enter G Enter" | tail -4
echo "any size"
keys "$kinds P j 20x5 screen 3x2 screen 1x1" 40x8
echo "files"
keys "$kinds P ':save kinds.svg' Enter" | tail -1
keys "$kinds P ':save kinds.txt' Enter" | tail -1
keys "$kinds P ':save kinds.csv' Enter" | tail -1
keys "$kinds P ':save kinds.svg' Enter" | tail -1
keys "$kinds P ':save four.lanes' Enter" | tail -1
lanescope query task-by-kind four.lanes --plot -o same.svg
grep -c '<rect' kinds.svg
grep title kinds.svg | head -2
head -3 kinds.txt
head -2 kinds.csv | cut -c1-40
