# The verdict on the runs of the demo: the answer, and the first two lines of its table.
lanescope demo >made
cd "$XDG_CACHE_HOME/lanescope/demo" || exit
for pair in "one-worker four-workers" "four-workers one-worker" "one-worker training"; do
	lanescope explain $pair --format table >table 2>notes
	head -1 notes
	head -2 table
done
for format in csv json; do
	lanescope explain one-worker four-workers --part causes --format $format 2>/dev/null
done
lanescope explain one-worker one-worker 2>&1 >table | head -1
