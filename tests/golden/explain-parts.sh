# Every part of explain, on two runs of tasks and on two of input and output. A part that applies to neither needs runs of its own here.
data=data/golden
lanescope import --quiet --name one $data/one.jsonl
lanescope import --quiet --name four $data/four.jsonl
lanescope import --quiet --name base $data/base-*
lanescope import --quiet --name scr $data/scr-*
lanescope explain --parts --format tsv --no-header | cut -f1 | while read -r part; do
	echo "part $part"
	set --
	[ "$part" != indicators ] || set -- -p query=span-totals -p budget=1h
	[ "$part" != interference ] || set -- -p of='category = "task" OR name = "write"' -p while='category = "wait" OR name = "access"'
	lanescope explain one four --part "$part" --limit 4 --format table "$@"
	lanescope explain base scr --part "$part" --limit 4 --format table "$@"
done
