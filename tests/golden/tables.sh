# Tables of the explorer, as keys make them: sorted, filtered, marked, counted, exported; and where their rows lead.
trace=data/golden
lanescope import --quiet $trace/one.jsonl $trace/four.jsonl
shows() { # size, run, keys
	printf '== %s: %s\n' "$1" "$3"
	printf '%s\n' "$3" >keys
	lanescope --keys keys --size "$1" "$2" | grep -v '^ \(Enter open\|q back\)' # the line of keys is not the matter here
}
shows 80x24 four.lanes "':query task-by-kind' Enter"
shows 120x14 four.lanes "':query task-by-kind' Enter m j m l ] { '&n > 1' Enter"
shows 80x12 four.lanes "':query task-times' Enter l l F"
shows 80x12 four.lanes "':query task-times' Enter l l F j Enter"
shows 80x12 four.lanes "':query task-times' Enter p 'worker=worker1' Enter ] '/ret' Enter"
shows 60x12 four.lanes "':query task-by-kind' Enter z z l l \$ ~"
shows 80x12 four.lanes "':query task-by-kind' Enter V"
shows 80x12 four.lanes "':sql SELECT nam FROM span' Enter"
# What is refused is in the prompt again, the cursor where the error is: ^K drops what follows it.
shows 80x8 four.lanes "; 'SELECT kind, count(*) AS n FROM task GROUP BY 1 ORDER BY 2 descc' Enter"
shows 80x8 four.lanes "; 'SELECT kind, count(*) AS n FROM task GROUP BY 1 ORDER BY 2 descc' Enter ^K 'DESC' Enter"
shows 80x8 four.lanes "; 'nonsense' Enter Esc"
shows 80x12 four.lanes "':query task-by-kind' Enter [ ':hide total' Enter ':export kinds.tsv' Enter"
cat kinds.tsv
shows 80x12 four.lanes "':query task-by-kind' Enter ':export kinds.tsv' Enter"
# Names that no line can hold: their spans are found all the same.
awk 'BEGIN {
	printf "[\n"
	n = split("a\\u0000b|a|two\\nlines|quo\\u0027te \\\" \\\\ back|\\u001b[2J", names, "|")
	for (i = 1; i <= n; i++) printf "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d,\"name\":\"%s\"},\n", i * 10, i, names[i]
	for (i = 0; i < 100000; i++) long = long "x"
	printf "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":90,\"dur\":1,\"name\":\"%s\"}]\n", long
}' >odd.json
lanescope import --quiet odd.json
names="':query span-totals' Enter ':sort name' Enter"
shows 80x8 odd.lanes "$names Enter"
shows 80x8 odd.lanes "$names j j Enter"
shows 80x8 odd.lanes "$names j j j Enter"
shows 80x8 odd.lanes "$names j j j j Enter"
shows 80x8 odd.lanes "$names G Enter"
shows 80x8 odd.lanes "$names F j Enter"
shows 80x8 odd.lanes "$names G Enter Enter Enter" # the whole of a value that is cut
