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

echo "== in one line, the odd ones in theirs"
lanescope timeline --alike --width 80 ranks.lanes
echo "== of a scope; of workers that have nothing in common"
lanescope timeline --alike --width 80 --scope 'range 0 .. 2.5ms' ranks.lanes
lanescope timeline --alike --width 80 --scope 'lanes 1*' ranks.lanes
lanescope timeline --alike --width 80 --height 2 four.lanes
echo "== two runs: what is odd in either stays in both"
ranks 64 20 11 >other.json
lanescope import --quiet -o other.lanes other.json
lanescope timeline --alike --width 80 ranks.lanes other.lanes
keys() { # what, keys
	printf '== %s: %s\n' "$1" "$2"
	printf '%s\n' "$2" >keys
	shift 2
	lanescope --keys keys --size 80x24 "$@" | sed '/^$/d'
}
keys "the key" "T U" ranks.lanes
keys "why one is odd" "T U j" ranks.lanes
keys "unfolded by Enter" "T U Enter" ranks.lanes
keys "a search goes in" "T U '/write' Enter n" ranks.lanes
keys "sorted there are no groups; in their order they are folded" "T U ]" ranks.lanes
keys "another scope, other lanes" "T U ':scope range 0 .. 2.5ms' Enter" ranks.lanes
keys "the same key shows all" "T U j U" ranks.lanes
keys "two runs, swapped" "A j B | U x" ranks.lanes other.lanes
# Two hosts of 8 threads, of which one has another name now and then; 64 k spans, so that tiles serve.
awk 'BEGIN { for (i = 0; i < 16; i++) for (k = 0; k < 4000; k++)
	printf "{\"id\":%d,\"name\":\"%s\",\"cat\":\"POSIX\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d,\"ph\":\"X\",\"args\":{\"hostname\":\"%s\"}}\n",
		k, i == 5 && k % 4 == 0 ? "stall" : "read", i, 1000 + k * 100 + i, 40 + i % 3, i < 8 ? "one" : "two" }' >hosts.pfw
lanescope import --quiet -o hosts.lanes hosts.pfw
lanescope timeline --alike --width 40 hosts.lanes
echo "== a host is what is alike and what is odd, cell by cell, whole and of a scope"
for scope in '' 'name = read' 'range 20ms .. 120ms'; do
	lanescope timeline --alike --width 40 ${scope:+--scope "$scope"} hosts.lanes --format csv >cells.csv
	lanescope timeline --width 40 ${scope:+--scope "$scope"} hosts.lanes --format csv >all.csv
	awk -F, -v scope="$scope" 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; file++; next }
		file == 1 && $at["row"] == "alike" { alike[$at["start"]] += $at["busy_ns"]; n++ }
		file == 1 && $at["row"] == "lane" { alike[$at["start"]] += $at["busy_ns"] }
		file == 2 && $at["row"] == "lane" { all[$at["start"]] += $at["busy_ns"] }
		END { for (i in all) if (all[i] - alike[i] > 8 || alike[i] - all[i] > 8) { print "cell " i ": " all[i] " is not " alike[i]; bad = 1 }
			if (!bad && n > 5) print "they add up: " (scope ? scope : "whole") }' cells.csv all.csv
done
