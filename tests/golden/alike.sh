# Lanes that are alike, and the odd ones: 64 ranks of which one ends late and one writes more, on two hosts' worth of processes.
ranks() { # ranks, late, writes more
	awk -v n="$1" -v late="$2" -v more="$3" 'BEGIN { print "["; for (i = 0; i < n; i++) for (k = 0; k < 4; k++)
		printf "%s{\"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"ts\": %d, \"dur\": %d, \"name\": \"%s\"}\n", i + k ? "," : "",
			i, k * 1000 + i % 7 + (i == late && k == 3 ? 1500 : 0), i == more && k == 1 ? 980 : 400, k % 2 ? "write" : "compute"; print "]" }'
}
ranks 64 37 11 >ranks.json
lanescope import --quiet -o ranks.lanes ranks.json
echo "== 62 alike, 2 odd, each by what"
lanescope query lanes-alike ranks.lanes
echo "== of a part of the run in which the late one does as the others"
lanescope query lanes-alike --scope 'range 0 .. 2.5ms' ranks.lanes
echo "== of some lanes"
lanescope query lanes-alike --scope 'lanes 1*' ranks.lanes
lanescope import --quiet -o four.lanes data/golden/four.jsonl
echo "== workers that have nothing in common"
lanescope query lanes-alike four.lanes
