# Gates for scripts: is B worse than A by more than a share? Runs of 12 tasks of two kinds, whose noise is fixed.
run() { # NAME NOISE (percent) EFI (times as long) FILES ROUGH (each task by up to so many percent more or less)
	mkdir -p "$1"
	awk -v noise="$2" -v efi="$3" -v folder="$1" -v files="${4:-1}" -v rough="${5:-0}" 'BEGIN {
		at = 1000000000
		for (n = 1; n <= 12; n++) {
			kind = n % 4 ? "concat" : "efi"
			task = sprintf("%s:%064d", kind, n)
			planned = at
			started = planned + 1000000
			more = noise + rough * (n * 7 % 11 - 5) / 5
			at = started + int(100000000 * (1 + more / 100) * (kind == "efi" ? efi : 1))
			file = folder "/" folder (files > 1 ? "." n % files : "") ".jsonl"
			printf "{\"host\": \"controller\", \"task\": \"%s\", \"action\": \"taskPlanned\", \"worker\": \"worker0\", \"at\": %.0f}\n", task, planned >file
			printf "{\"host\": \"h0\", \"task\": \"%s\", \"action\": \"taskEnqueued\", \"worker\": \"worker0\", \"at\": %.0f}\n", task, planned >file
			printf "{\"host\": \"h0\", \"task\": \"%s\", \"action\": \"taskStarted\", \"worker\": \"worker0\", \"at\": %.0f}\n", task, started >file
			printf "{\"host\": \"h0\", \"task\": \"%s\", \"action\": \"taskFinished\", \"worker\": \"worker0\", \"at\": %.0f}\n", task, at >file
		}
	}'
	lanescope import --quiet --one -o "$1.lanes" "$1"
	rm -r "$1"
}
gate() { # the command without what it answers beside the gate
	echo "\$ lanescope $*"
	lanescope "$@" --quiet
	echo "exit $?"
}
i=0
for noise in 0 3 -2 1 4 -1; do
	i=$((i + 1))
	run "old$i" "$noise" 1
	run "same$i" "$((noise + 1))" 1
	run "new$i" "$((1 - noise))" 2
done
old="old1 old2 old3 old4 old5 old6"
same="same1 same2 same3 same4 same5 same6"
new="new1 new2 new3 new4 new5 new6"

echo "== makespans of groups"
# shellcheck disable=SC2086 # lists of runs
{
	gate explain --a $old --b $new --fail-over 5%
	gate explain --a $old --b $new --fail-over 50%
	gate explain --a $old --b $same --fail-over 0
	gate explain --a $new --b $old --fail-over 0

	echo "== measures: row by row, in sum"
	gate diff task-by-kind --a $old --b $new --fail-over 5%
	gate diff task-by-kind --a $old --b $new --fail-over 5% --measure total,n
	gate diff task-by-kind --a $old --b $new --fail-over 5% --measure total --total
	gate diff task-by-kind --a $old --b $new --fail-over 30% --measure total --total
	gate diff task-by-kind --a $old --b $same --fail-over 5%
	gate diff task-summary --a $old --b $new --fail-over 5% --measure mean
	lanescope diff task-by-kind --a $old --b $new --fail-over 5% --measure total --format table
	echo "exit $?"

	echo "== where less is worse"
	mkdir own
	cat >own/kind-rate.sql <<'SQL'
-- title: Tasks a second of a kind
-- format: cascade
-- column kind text What sort of task it is
-- column per_second real Tasks a second
-- column spread real Anything
-- key: kind
-- measure: per_second (higher is better)
SELECT s.text AS kind, 1e9 * count(*) / sum(finished - planned) AS per_second, 1.0 AS spread
FROM task LEFT JOIN string s ON s.id = task.kind GROUP BY 1
SQL
	gate diff kind-rate --queries own --a $old --b $new --fail-over 5%
	gate diff kind-rate --queries own --a $old --b $new --fail-over 60%
	gate diff kind-rate --queries own --a $new --b $old --fail-over 5%
	gate diff kind-rate --queries own --a $new --b $old --fail-over 5% --measure spread
}

echo "== too few runs to decide"
gate explain --a old1 old2 --b new1 new2 --fail-over 5%
gate explain --a old1 old2 --b new1 new2 --fail-over 5% --undecided=fail
gate explain --a old1 old2 --b new1 new2 --fail-over 5% --undecided=pass
gate explain --a old1 --b new1 new2 new3 --fail-over 5%
gate diff task-by-kind --a old1 old2 old3 old4 old5 --b new1 new2 new3 new4 new5 --fail-over 5%
gate diff task-by-kind --a old1 old2 old3 old4 old5 --b new1 new2 new3 new4 new5 --fail-over 5% --measure total,max,mean

echo "== the same run again is no other run"
cp new1.lanes copy.lanes
gate explain --a old1 old1 old1 old1 old1 --b new1 new1 copy.lanes new1 new1 --fail-over 5%
gate explain --a old1 old2 old3 old4 old5 --b new1 new2 new3 copy.lanes new4 --fail-over 5%
gate explain --a old1 old2 old3 old4 old5 --b new1 new2 new3 new4 copy.lanes new5 --fail-over 5%
gate diff task-by-kind --a old1 old1 --b new1 copy.lanes --fail-over 5%

echo "== one run a side"
gate explain old1 new1 --fail-over 5%
gate explain old1 new1 --fail-over 50%
gate diff task-by-kind old1 new1 --fail-over 5%
gate diff task-by-kind old1 old3 --fail-over 5%
echo "= of which some noise is known by the tasks of both"
run rough 2 1 1 10
run rougher 30 1 1 10
gate explain old1 rough --fail-over 0
gate explain old1 rough --fail-over 0 --undecided=fail
gate explain old1 rough --fail-over 5%
gate explain old1 rougher --fail-over 5%
lanescope explain old1 new1 --fail-over 5% --part stages -p by=kind 2>&1
echo "exit $?"

echo "== an answer, judged by a baseline"
gate query task-by-kind new1 --baseline old1 --fail-over 5%
lanescope query task-by-kind new1 --baseline old1 --fail-over 5% --measure total
echo "exit $?"
lanescope query task-by-kind same1 same2 same3 same4 same5 same6 --baseline old1 --baseline old2 --baseline old3 --baseline old4 --baseline old5 --baseline old6 --fail-over 5% --format table --limit 2
echo "exit $?"
lanescope query task-by-kind new1 new2 --baseline old1 --fail-over 5% --undecided fail --wide --limit 2
echo "exit $?"

echo "== not comparable"
run half 0 1 2
run whole 0 1 4
run most 0 1 12
run all 0 1 11
gate explain whole half --fail-over 1000%
gate explain half whole --fail-over 1000%
gate explain most all --fail-over 5%
gate diff task-by-kind whole half --fail-over 1000%
lanescope import --quiet --name io data/golden/base-0.pfw
gate explain old1 io --fail-over 5%
gate diff task-by-kind old1 io --fail-over 5%
lanescope diff task-by-kind old1 io --fail-over 5%
echo "exit $?"
lanescope query task-by-kind io --baseline old1 --fail-over 5%
echo "exit $?"
lanescope diff task-by-kind old1 io
echo "exit $?"
gate diff transfer-by-mode old1 new1 --fail-over 5%
ranks() { # NAME RANK...: a call of each
	name=$1
	shift
	for rank; do
		echo '{"id":1,"name":"PR","cat":"dftracer","pid":'"$rank"',"tid":1,"ph":"M","args":{"name":"rank","value":"'"$rank"'"}}'
		echo '{"id":2,"name":"read","cat":"POSIX","pid":'"$rank"',"tid":1,"ts":100,"dur":5,"ph":"X","args":{"ret":10}}'
	done >"$name.pfw"
	lanescope import --quiet "$name.pfw"
}
ranks two 6 7
ranks three 6 7 8
gate diff call-counts two three --fail-over 1000% --measure time
gate diff call-counts two two --fail-over 0 --measure time

echo "== rows of one side only: what adds up was 0, all else can't be compared"
echo '{"id":1,"name":"read","cat":"POSIX","pid":6,"tid":1,"ts":100,"dur":5,"ph":"X","args":{"ret":10}}' >few.pfw
{
	cat few.pfw
	echo '{"id":2,"name":"write","cat":"POSIX","pid":6,"tid":1,"ts":110,"dur":9,"ph":"X","args":{"ret":10}}'
} >more.pfw
lanescope import --quiet few.pfw
lanescope import --quiet more.pfw
gate diff call-counts few more --fail-over 5% --measure time
gate diff call-counts more few --fail-over 5% --measure time
gate diff call-counts few more --fail-over 5% --measure time --total
gate diff call-counts few more --fail-over 5% --measure time,name
gate diff function-size few more --fail-over 5% --measure mean
for i in 1 2 3 4; do
	sed "s/100/10$i/" more.pfw >more$i.pfw
done
sed 's/100/109/' few.pfw >few1.pfw
gate diff function-size --a few.pfw more1.pfw more2.pfw more3.pfw more4.pfw --b more.pfw more1.pfw more2.pfw more3.pfw few1.pfw --fail-over 5% --measure mean
echo '{"id":1,"name":"re\u001b[31mad","cat":"POSIX","pid":6,"tid":1,"ts":100,"dur":5,"ph":"X","args":{"ret":10}}' >odd.pfw
gate diff call-counts few.pfw odd.pfw --fail-over 5% --measure time --key name

echo "== mistakes"
gate explain old1 new1
gate explain old1 new1 new2 --fail-over 5%
lanescope explain old1 new1 --undecided=fail
lanescope explain old1 new1 --fail-over 5% --undecided=maybe
lanescope diff task-by-kind old1 new1 --fail-over -5%
lanescope diff task-by-kind old1 new1 --total
lanescope diff task-by-kind old1 new1 --fail-over 5% --measure max --total
lanescope diff task-by-kind old1 new1 --fail-over 5% --measure kind
lanescope diff task-by-kind old1 --a new1
lanescope diff task-by-kind --a new1 --fail-over 5%
lanescope diff task-by-kind --a new1 --b nothing --fail-over 5%
lanescope query task-by-kind old1 --fail-over 5%
lanescope query task-by-kind old1 --baseline new1
lanescope query task-by-kind old1 --measure total
lanescope query task-by-kind old1 --baseline nothing --fail-over 5%
