# All that comes of small Chrome traces, every table of the run.
. data/golden/contents
for file in phases streams gpu nested clang build path; do
	take chrome data/chrome/$file.json
done
