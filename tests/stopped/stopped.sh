#!/bin/sh
# Every command, stopped by SIGINT or SIGTERM in the middle of what it does: it ends soon, with 130 or 143, and leaves nothing half-written; killed, it leaves nothing that is taken for whole, and the next one clears up.
#
# environment: STOPPED_MOMENTS (3 of each command), STOPPED_KILLS (5 of each that writes), STOPPED_EVENTS (100000 in a trace),
# STOPPED_MS (1000: computed after the signal), LANESCOPE_NARROW=1: not at all, where it has run already
. "$(dirname "$0")/../tap.sh"
[ -z "${LANESCOPE_NARROW:-}" ] || skip_all "LANESCOPE_NARROW is set"
srcdir=${LANESCOPE_SRCDIR:-.}
build=${LANESCOPE_BUILDDIR:-.}
stopped=$build/tests/stopped/stopped
[ -x "$stopped" ] && [ -x "$build/bench/generate" ] && [ -x "$build/tests/stopped/older" ] || skip_all "no program $stopped"
case $LANESCOPE in */*) lanescope=$(cd "$(dirname "$LANESCOPE")" && pwd)/${LANESCOPE##*/} ;; *) lanescope=$LANESCOPE ;; esac
case $stopped in /*) ;; *) stopped=$PWD/$stopped ;; esac
events=${STOPPED_EVENTS:-100000}
moments=${STOPPED_MOMENTS:-3}
ms=${STOPPED_MS:-1000}

for seed in 1 2; do
	"$build/bench/generate" dftracer "$work/trace$seed" "$events" 2 old base $seed >/dev/null || exit 2
	"$LANESCOPE" import --quiet -o "$work/r$seed.lanes" "$work/trace$seed" || exit 2
	"$build/bench/generate" cascade "$work/c$seed.jsonl" 2 4 $seed $seed || exit 2
	"$LANESCOPE" import --quiet -o "$work/c$seed.lanes" "$work/c$seed.jsonl" || exit 2
done
"$LANESCOPE" tag "$work/c1.lanes" mode=scr note=before || exit 2
"$build/tests/stopped/older" "$work/r1.lanes" "$work/old.lanes" || exit 2
"$LANESCOPE" export "$work/r1.lanes" --to chrome -o "$work/r1.json" 2>/dev/null || exit 2
cp -r "$srcdir/tests/data/preemption" "$srcdir/tests/data/dataload" "$srcdir/tests/data/dasf" "$work/"
cd "$work" || exit 2
mkdir parts many
for nth in 1 2; do "$lanescope" import --quiet --part $nth/2 trace1 -o parts/ || exit 2; done
# Of two files one is in a run.
mkdir first later
for file in trace1/*; do [ -z "$(ls first)" ] && cp "$file" first/ || cp "$file" later/; done
"$lanescope" import --quiet first -o first.lanes || exit 2
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do ln "c$((1 + i % 2)).lanes" "many/$i.lanes"; done

cat >clear <<'END'
rm -rf out cache tagged
mkdir out tagged
ln -s ../c1.lanes tagged
cp c1.lanes.tags tagged
END
# Temporary files, run files and folders of tables that are not whole, tags neither of before nor as they are to be.
cat >whole <<'END'
[ -z "$(find out cache tagged -name '*.tmp' 2>/dev/null)" ] || { ls -A out tagged; exit 1; }
case $(grep -v identity tagged/c1.lanes.tags | tr '\n' ' ') in 'mode = scr note = before ' | 'mode = scr note = after nodes = 4 ') ;; *) exit 1 ;; esac
for run in out/*.lanes out/demo/*.lanes; do
	[ ! -e "$run" ] || "$LANESCOPE" verify "$run" >/dev/null || exit 1
done
for part in out/*.part; do # as made without a signal
	[ ! -e "$part" ] || cmp -s "$part" parts/trace1.1-of-2.part || exit 1
done
for folder in out/tables; do
	[ ! -d "$folder" ] || [ -e "$folder/INCOMPLETE" ] || [ -e "$folder/tasks.csv" ] || [ -e "$folder/index.csv" ] || exit 1
done
END
# What was killed is not there, or whole; who comes next clears up.
cat >next <<'END'
for run in out/*.lanes out/demo/*.lanes; do
	[ ! -e "$run" ] || "$LANESCOPE" verify "$run" >/dev/null || exit 1
	rm -f "$run"
done
"$@" >/dev/null 2>&1 || exit 1
exec sh ./whole
END
export LANESCOPE="$lanescope"

turn=0
# stop NAME [COMMAND...]: by one signal and the other in turns
stop() {
	stop_name=$1
	shift
	turn=$((turn + 1))
	[ $((turn % 2)) -eq 0 ] && stop_signal=15 || stop_signal=2
	"$stopped" -b 'sh ./clear' -a 'sh ./whole' $stop_signal "$moments" "$ms" "$lanescope" "$@" >said 2>&1
	stop_rc=$?
	sed 's/^/# /' said
	result $stop_rc "$stop_name is stopped"
}
# kill_and_repeat NAME COMMAND...
kill_and_repeat() {
	kill_name=$1
	shift
	"$stopped" -b 'sh ./clear' -a "sh ./next '$lanescope' $*" 9 "${STOPPED_KILLS:-5}" 100000 "$lanescope" "$@" >said 2>&1
	kill_rc=$?
	sed 's/^/# /' said
	result $kill_rc "$kill_name is killed"
}

stop 'import of dftracer' import -o out/x.lanes trace1
stop 'import of chrome' import -o out/x.lanes r1.json
stop 'import of cascade' import -o out/x.lanes c1.jsonl
stop 'import of preemption' import -o out/ preemption
stop 'import of dataload' import -o out/ dataload
stop 'import of dasf' import -o out/ dasf
stop 'import of a part' import --part 1/2 -o out/ trace1
stop merge merge -o out/x.lanes parts
stop 'merge of a run and later traces' merge -o out/x.lanes first.lanes later
stop 'merge --part' merge --part -o out/x.part parts/trace1.1-of-2.part
stop info info r1.lanes
stop runs runs .
stop 'runs of many' runs many
stop queries queries r1.lanes
stop query query io-summary r1.lanes
stop 'query of many' query task-summary many
stop 'query --all' query --all r1.lanes -o out/tables
stop sql sql r1.lanes 'SELECT name, count(*) FROM (SELECT * FROM span ORDER BY path, duration) GROUP BY name'
stop spans spans r1.lanes --format csv -o out/x.csv
stop 'spans by name' spans r1.lanes --by name,path --columns count,p50,p95
stop diff diff io-summary r1.lanes r2.lanes
stop explain explain c1.lanes c2.lanes
stop 'explain --part all' explain --part all c1.lanes c2.lanes
stop 'explain of spans' explain --part all r1.lanes r2.lanes
stop report report r1.lanes r2.lanes -o out/x.html
stop timeline timeline r1.lanes
stop 'timeline --svg' timeline r1.lanes --svg -o out/x.svg
stop verify verify r1.lanes
stop 'export to csv' export r1.lanes --to csv -o out/tables
stop 'export to chrome' export r1.lanes --to chrome -o out/x.json.gz
stop upgrade upgrade old.lanes -o out/x.lanes
stop tag tag tagged/c1.lanes note=after nodes=4
stop 'tag --into' tag r1.lanes nodes=4 --into out/x.lanes
stop simulate simulate checkpoint
stop 'simulate of a sweep' simulate preemption --seed 1-40 --p-preempt 0.1..0.5:5 -o out/x.lanes
stop demo demo out/demo
printf '%s\n' 'j Enter' T Esc v Enter Esc S '/' "'read'" Enter G >keys
stop '--keys' --keys keys r1.lanes r2.lanes
for signal in 2 15; do
	TERM=xterm-256color "$stopped" -p 'jTtvS/read' -b 'sh ./clear' -a 'sh ./whole' $signal "$moments" "$ms" "$lanescope" r1.lanes r2.lanes >said 2>&1
	rc=$?
	sed 's/^/# /' said
	result $rc "the explorer is stopped by $signal"
done

# What does not look whether it is to stop is ended all the same: one comparison of SQL that takes minutes.
slow="SELECT instr(replace(hex(zeroblob(2000000)), '00', 'aa'), replace(hex(zeroblob(1000000)), '00', 'aa') || 'b')"
timeout -k 10 -s TERM 1 "$lanescope" sql r1.lanes "$slow" >said 2>&1
[ $? = 124 ]
result $? "a step that does not end is ended"

# What is sorted in a file without a name is given back, however large it is, by a process of its own that ends, too.
sorts="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000000) SELECT i, hex(i * 7919) FROM n ORDER BY i * 7919 % 1000003, 2"
mkdir sorted
kept() { # bytes that some process still has of nameless files in the folder
	find /proc/[0-9]*/fd -lname "$PWD/sorted/*" -exec stat -Lc %s {} + 2>/dev/null | sort -n | tail -1
}
# Under nohup, HUP stops nothing.
hup=$(sh -c 'kill -HUP $$; echo' >/dev/null 2>&1 && echo || echo HUP)
for signal in $hup TERM PIPE; do
	TMPDIR=$PWD/sorted "$lanescope" sql c1.lanes "$sorts" --memory 64M --format csv >/dev/null 2>said &
	pid=$!
	until [ "$(kept || echo 0)" -ge 100000000 ] 2>/dev/null || ! kill -0 $pid 2>/dev/null; do sleep 0.1; done
	kill -$signal $pid
	wait $pid
	rc=$?
	for try in 1 2 3 4 5 6 7 8 9 10; do [ -z "$(kept)" ] || sleep 0.1; done
	[ $rc -gt 128 ] && [ -z "$(kept)" ]
	result $? "a sort of 100 MB is stopped by $signal, and its file goes (status $rc)"
done
if [ "$events" -ge 1000000 ]; then
	many=$moments moments=4 # it takes a minute
	stop 'sql that sorts GBs' sql r1.lanes "SELECT s.name, s.start, n.value FROM json_each('[1,2,3,4,5,6,7,8,9,10]') n CROSS JOIN span s ORDER BY s.start % 1000 * n.value, s.name"
	moments=$many
fi

# Those that end it at once leave no more behind, and have their own statuses, too.
for signal in 1 3 10 13 24; do
	"$stopped" -b 'sh ./clear' -a 'sh ./whole' $signal "$moments" "$ms" "$lanescope" import -o out/x.lanes trace1 >said 2>&1
	rc=$?
	sed 's/^/# /' said
	result $rc "import is ended by $signal"
done

kill_and_repeat import import -o out/x.lanes trace1
kill_and_repeat 'import of a part' import --part 1/2 -o out/ trace1
kill_and_repeat merge merge -o out/x.lanes parts
kill_and_repeat 'merge of a run and later traces' merge -o out/x.lanes first.lanes later
kill_and_repeat 'merge --part' merge --part -o out/x.part parts/trace1.1-of-2.part
kill_and_repeat 'export to csv' export r1.lanes --to csv -o out/tables
kill_and_repeat 'query --all' query --all r1.lanes -o out/tables
kill_and_repeat 'export to chrome' export r1.lanes --to chrome -o out/x.json.gz
kill_and_repeat upgrade upgrade old.lanes -o out/x.lanes
kill_and_repeat tag tag tagged/c1.lanes note=after nodes=4
kill_and_repeat 'tag --into' tag r1.lanes nodes=4 --into out/x.lanes
kill_and_repeat 'simulate of a sweep' simulate preemption --seed 1-40 --p-preempt 0.1..0.5:5 -o out/x.lanes
kill_and_repeat report report c1.lanes c2.lanes -o out/x.html
kill_and_repeat 'timeline --svg' timeline r1.lanes --svg -o out/x.svg
kill_and_repeat demo demo out/demo
# Without memory: as much as it takes, and ever less.
memory() {
	for kilobytes in 1000000 400000 200000 120000 100000 80000 60000 50000 40000 35000 30000; do
		sh ./clear
		(ulimit -v "$kilobytes" && exec "$lanescope" "$@") >said 2>&1
		case $? in 0 | 2 | 127) ;; *) cat said && return 1 ;; esac
		sh ./whole || return 1
	done
}
if (ulimit -v 1000000 && "$lanescope" --version) >/dev/null 2>&1; then
	memory import --threads 2 -o out/x.lanes trace1
	result $? 'import without memory leaves nothing'
	memory export r1.lanes --to csv -o out/tables
	result $? 'export without memory leaves nothing'
fi
echo "1..$count"
exit $failed
