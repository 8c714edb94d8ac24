# All that comes of small task traces, every table of the run.
. data/golden/contents
for file in data/cascade/*; do
	take cascade "$file"
done
