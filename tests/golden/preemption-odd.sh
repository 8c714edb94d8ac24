# Spot instance traces and profiles of jobs with rows that are odd or wrong: read as far as they mean something, else named.
. data/golden/contents
take() { # run, file: from standard input; all that it says
	cat >"$2"
	lanescope import --quiet --format preemption --name "$1" -o "$1.lanes" "$2"
	lanescope query problems "$1.lanes" --format csv --no-header
	contents "$1.lanes"
}
events="SELECT time, lane_name, name, args FROM event ORDER BY id"

echo "== lines: arguments of every kind, the last of a name counts"
take lines lines.txt <<'END'
[0, "add", {"nodes": ["a"], "real": 1.5, "big": 99999999999999999999, "text": "x\"y", "deep": {"a": [1]}, "real": 2.5, "yes": true}]
[1000, "add", {"nodes": ["b"], "duration": -1}]
[2000, "add", {"nodes": ["c"], "duration": "soon"}]
[3000, "add", {"nodes": "d"}]
[4000, "add", {"nodes": ["e", 7]}]
[5000, "add", {"nodes": ["f"]}, 1]
[6000, "add", {"nodes": ["g"]} x
[7000, "add", {"nodes": ["h"]
[8000, "add", ["i"]]
[-1, "add", {"nodes": ["j"]}]
["9000", "add", {"nodes": ["k"]}]
[9000, 7, {"nodes": ["l"]}]
[1e30, "add", {"nodes": ["m"]}]
[10000, "remove", {"nodes": ["a"]}]
[11000, "no-op", {"interval": [1, 2]}]
[12000, "no-op", {"interval": [1, 2, 3, 4]}]
[13000, "no-op", {"interval": [1, "x", 3]}]
END
lanescope sql lines.lanes "$events"

echo "== intervals"
take intervals intervals.json <<'END'
[{"interval": [0, 3, 0], "duration": 60000, "more": null}, 7, [1, {"a": 2}], {"duration": 5}, {"interval": [3, 0, 9], "duration": 1},
{"interval": [2, 1, 1], "duration": 1000.5}, {"interval": [2, -1, 0]}, {"interval": [2, 0, 0], "duration": 9e15}, {"interval": [2, 0, 2], "duration": 9e12},
{"interval": [0, 0, 0]}]
END
lanescope sql intervals.lanes "SELECT start, duration, name, args FROM span ORDER BY start, id"
take broken broken.json <<'END'
[{"interval": [1, 0, 0], "duration": 60000}, {"interval": [1, 0, 0], "duration": 60000}, {"interval": [1, 0
END
take calm calm.json <<'END'
[{"interval": [5, 0, 0], "duration": 60000}, {"interval": [5, 0, 0], "duration": 60000}]
END
lanescope query preemption-capacity calm.lanes

echo "== a zone's points"
take zone zone.json <<'END'
{"other": {"a": [1]}, "list": [1, 2], "name": "z", "data": [0, 3, 0.25, 0.0, -1, 2.5e0, 9999999999999], "metadata": {"gap_seconds": -5, "gap_seconds": 60, "region": "r", "n": 4, "deep": {"a": 1}, "list": [1]}}
END
take points points.json <<'END'
{"metadata": {"gap_seconds": 60}, "other": {"a": [1]}, "list": [[1]], "data": [1, "x", 2, [3], {"a": 4}, null, 5]}
END
lanescope query preemption-capacity points.lanes
lanescope query preemption-capacity zone.lanes
lanescope sql zone.lanes "SELECT scope, key, value FROM tags WHERE key IN ('region', 'n', 'gap_seconds', 'deep') ORDER BY id"
take gapless gapless.json <<'END'
{"metadata": {"gap_seconds": 0}, "data": [0, 3]}
END
take cut cut.json <<'END'
{"metadata": {"gap_seconds": 60}, "data": [0, 3, 4
END
take wide wide.json <<'END'
{"metadata": {"gap_seconds": 4000000000}, "data": [1, 2, 3]}
END

echo "== bytes behind the trace are said"
take behind behind.json <<'END'
{"metadata": {"gap_seconds": 60}, "data": [1, 2]} {"data": [3]}
END
take behind-too behind-too.json <<'END'
[{"interval": [1, 0, 0], "duration": 60000}] x
END

echo "== events"
take events events.csv <<'END'
0,add,n0
1000,add,n1
2000,grow,n2
3000,add,
4000,remove
x,add,n3
-5,add,n4
5000,remove,n0,more
6000,remove,n1
END

echo "== a job's profile"
mkdir job
printf '%s\n' '{"pipe-depth": 2, "name": "x", "deep": {"a": {"b": 1}, "list": [1, {"c": 2}], "none": null}, "long": "'"$(head -c 5000 /dev/zero | tr '\0' y)"'", "nested": {"z": ["'"$(head -c 5000 /dev/zero | tr '\0' y)"'"]}, "last": true}' >job/exp-info.json
good() { for i in 1 2 3 4 5 6 7 8 9; do echo "$1$i$2"; done; }
{ good 2,100000000 .5,1000000010,2.25; printf '%s\n' 2,1000000000.5,1000000002.75,2.25 x,1000000003.5,1000000004,1 4,soon,1000000006,1 4,1000000008,1000000007,1 4,1000000009,1000000010,inf 4,1000000011,1000000012,1,more; } >job/reconfig.csv
{ good 100000000 ,1,11.5; printf '%s\n' 1000000005.5,1,11.5 never,2,11.25 1000000007,2,nan 1000000008,x,1 1000000009,3,10.5; } >job/train-loss-time.csv
printf '%s\n' 1000000045.25 >job/crash-time.txt
lanescope import --quiet --name job -o job.lanes job
lanescope query problems job.lanes --format csv --no-header
lanescope sql job.lanes "SELECT key, substr(value, 1, 20) AS value, length(value) AS n FROM tags ORDER BY id"
lanescope sql job.lanes "SELECT start, duration, name, args FROM span ORDER BY start"
lanescope sql job.lanes "SELECT time, name, value, args FROM counter ORDER BY time"
lanescope sql job.lanes "$events"
printf '{"pipe-depth": 1, "b": {"c": 2}, "d"' >job/exp-info.json
lanescope import --quiet --force --name job -o job.lanes job
lanescope query problems job.lanes --format csv --no-header | head -1
