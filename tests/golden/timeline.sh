# The timeline without the explorer: as text, as rows, as SVG.
lanescope import --quiet data/golden/four.jsonl
lanescope timeline four --width 80
lanescope timeline four --width 60 --ascii --lanes worker --depth
lanescope timeline four --from 100ms --to 200ms --width 70 --height 2 --colour category
lanescope timeline four --width 50 --counters --from 100ms --to 400ms --format csv | head -20
lanescope timeline four --width 40 --lanes '*0' --limit 3 --format json
lanescope timeline four --width 40 --lanes '*0' --limit 3 --format md
lanescope timeline four --width 40 -o four.svg && grep -c '<rect' four.svg && head -c 4 four.svg && echo
lanescope timeline four --width 40 -o four.txt && cat four.txt
lanescope timeline four --width 40 --limit 2 -o four.tsv && cat four.tsv
lanescope timeline four --from 10s --to 5s
lanescope timeline four --width 5
lanescope timeline four --from never
lanescope timeline four --colour slowdown
lanescope timeline
echo "== two runs over each other"
lanescope import --quiet -o single.lanes data/golden/one.jsonl
lanescope timeline single four --width 80
lanescope timeline single four --width 80 --from 300ms --to 900ms --colour slowdown --ascii --depth
lanescope timeline single four --width 80 --scope 'lanes worker0;range 300ms..900ms'
lanescope timeline single four --width 40 --limit 3 --format csv
lanescope timeline single four --width 40 -o two.svg && grep -o '>\(A\|B\) [^<]*<' two.svg
lanescope timeline single four four
echo "== a lane's cells add up to the same beside the other run as alone"
busy() { # run: a lane's busy time, largest first
	awk -F, -v run="$1" 'NR > 1 && (run == "" || $NF == run) { busy[$1] += $5 } END { for (lane in busy) printf "%s %d\n", lane, busy[lane] }' | sort
}
for width in 40 77 100; do
	lanescope timeline single four --width $width --format csv >both.csv
	lanescope timeline single --width $width --format csv | busy "" >a
	lanescope timeline four --width $width --format csv | busy "" >b
	busy A <both.csv | cmp - a && busy B <both.csv | cmp - b && echo "$width: the same"
done
echo "== sums that leave 64 bits, and one record of many calls with bytes: lanes are drawn all the same"
awk 'BEGIN {
	for (i = 0; i < 2000; i++)
		printf "{\"id\":%d,\"name\":\"write\",\"cat\":\"POSIX\",\"pid\":%d,\"tid\":1,\"ts\":%d,\"dur\":1000000000000000,\"ph\":\"X\",\"args\":{\"hostname\":\"h\"}}\n", i, i % 2, i
}' >long.pfw
echo '{"id":1,"name":"write","cat":"POSIX","pid":1,"tid":1,"ts":1000000,"ph":3,"args":{"dft_cnt":3,"dur_sum":480,"dur_min":60,"dur_max":370,"ret_sum":1184266}}' >one.pfw
lanescope import --quiet long.pfw
lanescope import --quiet one.pfw
lanescope timeline long.lanes --width 90
lanescope timeline one.lanes --width 80
