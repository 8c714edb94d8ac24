# Walks, in as few keys as they say, from two runs or one trace to an answer.
trace=data/golden
lanescope import --quiet -o one.lanes $trace/one.jsonl
lanescope import --quiet -o four.lanes $trace/four.jsonl
lanescope import --quiet -o gpu.lanes data/chrome/gpu.json
walk() { # what, keys, runs...
	printf '== %s: %s\n' "$1" "$2"
	printf '%s\n' "$2" >keys
	shift 2
	lanescope --keys keys --size 100x20 "$@"
}
walk "which kinds of tasks got slower" "D Enter" one.lanes four.lanes
walk "the largest differences first, whichever way they go" "D Enter x l l l ]" one.lanes four.lanes
walk "what got least first, in percent" "D Enter l l l [ %" one.lanes four.lanes
walk "and when" "D Enter |" one.lanes four.lanes
walk "the slowest of them, and its partner" "D Enter S l ] =" one.lanes four.lanes
walk "and where, in the slower run" "D Enter T" one.lanes four.lanes
walk "and its spans, with the filter taken off" "D Enter T Esc" one.lanes four.lanes
walk "where the longest of a kind ran" "':query task-by-kind' Enter T" four.lanes
walk "where a task ran" "':query task-times' Enter G T" four.lanes
walk "where a worker's tasks ran" "':query task-by-worker' Enter j T" four.lanes
walk "where a stream was idle" "':query idle-gaps' Enter T" gpu.lanes
walk "the tasks of one kind, in run A" "D Enter =" one.lanes four.lanes
walk "and swapped, since rows lead into B" "D Enter x Enter" one.lanes four.lanes
walk "what only A has leads into A" "D '/Tasks by worker' Enter Enter Enter" four.lanes one.lanes
walk "why a GPU's streams were idle" "2" gpu.lanes
walk "why four workers took longer" "X" one.lanes four.lanes
walk "a part of it" "X G Enter j Enter" one.lanes four.lanes
walk "its tasks" "X G Enter j Enter Enter" one.lanes four.lanes
walk "the spans of one" "X G Enter j Enter Enter Enter" one.lanes four.lanes
walk "and back" "X G Enter j Enter Enter Enter q q q" one.lanes four.lanes
walk "the critical path, piece by piece" "X G Enter j j j j j Enter Enter" one.lanes four.lanes
walk "both timelines there" "X G Enter j j j j j Enter Enter |" one.lanes four.lanes
walk "and back to the piece" "X G Enter j j j j j Enter Enter | q" one.lanes four.lanes
walk "the longest gap of a device, and what the host did in it, by name" "v '/Idle gaps' Enter Enter '&lane ~ GPU' Enter T Tab" gpu.lanes
lanescope import --quiet -o ranks.lanes data/golden/base-0.pfw data/golden/base-1.pfw.gz
walk "the straggling rank, and the files that it was in" "T [ g m G m r ':by path' Enter" ranks.lanes
# One lane of many ends late: the order by last end brings it to the top, selected, wherever it stands in the run.
straggle() { # lanes, the late one
	awk -v n="$1" -v late="$2" 'BEGIN { print "["; for (i = 0; i < n; i++) for (k = 0; k < 4; k++)
		printf "%s{\"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %d, \"dur\": %d, \"name\": \"%s\"}\n", i + k ? "," : "",
			i / 8, i, k * 1000 + i % 7, i == late && k == 3 ? 2900 : 900, k % 2 ? "write" : "compute"; print "]" }' >straggler.json
	lanescope import --quiet --force -o straggler.lanes straggler.json
	printf 'T [ g\n' >keys
	printf '== the straggler of %s lanes, process %s: T [ g\n' "$1" "$(($2 / 8))"
	lanescope --keys keys --size 80x24 straggler.lanes | sed -n '1p;5,7p'
}
straggle 64 37
straggle 10000 5005
