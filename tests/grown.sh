#!/bin/sh
# A run file and what came later, parts or traces, become the run that one import of all their files makes: to the last byte of the file,
# whatever was there before, for every format, and without the traces of that unless ids say that records may stand twice, in one merge or in several. What has changed, is damaged,
# or keeps nothing that a merge could use is told by name, and nothing is written.
#
#   GROWN_SEED=N   other splits (default: 1)
#   LANESCOPE_NARROW=1   the demo's traces alone, as under sanitizers
lanescope=${LANESCOPE:-./lanescope}
case $lanescope in /*) ;; *) lanescope=$PWD/$lanescope ;; esac
samples=${LANESCOPE_SHARED:-}
[ -z "${LANESCOPE_NARROW:-}" ] || samples=
srcdir=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-grown.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
count=0 failed=0
cd "$work" || exit 2

ok() { # status, name
	count=$((count + 1))
	if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; failed=1; fi
}
told() { # status, name: with what was said where it failed
	[ "$1" = 0 ] || sed 's/^/# /' said
	ok "$1" "$2"
}

# Each run of the traces that has several files, as some of them and then the others; its traces lie elsewhere meanwhile.
random=${GROWN_SEED:-1}
grow() { # name, folder of traces
	rm -rf runs traces away
	mkdir runs
	cp -RL "$2" traces
	"$lanescope" import --quiet traces -o runs/ >said 2>&1
	bad='' n_runs=0 n_there=0
	for run in runs/*.lanes; do
		base=$(basename "$run" .lanes) random=$((random + 1))
		"$lanescope" sql "$run" 'SELECT path FROM source ORDER BY id' --format tsv 2>/dev/null | tail -n +2 >all
		[ "$(wc -l <all)" -gt 1 ] || continue
		rm -rf one merged old.lanes old new
		mkdir one merged
		awk -v seed=$random 'BEGIN { srand(seed) } { side = NR == 1 ? "old" : NR == 2 ? "new" : rand() < 0.5 ? "old" : "new"; print >side }' all
		tr '\n' '\0' <all | xargs -0 "$lanescope" import --quiet --one -o "one/$base.lanes" >said 2>&1
		tr '\n' '\0' <old | xargs -0 "$lanescope" import --quiet --one -o old.lanes >said 2>&1
		mkdir away
		tr '\n' '\0' <old | xargs -0 -I {} sh -c 'mkdir -p "away/$(dirname "$1")" && mv "$1" "away/$1"' - {}
		tr '\n' '\0' <new | xargs -0 "$lanescope" merge --quiet -o "merged/$base.lanes" old.lanes >said 2>&1
		merged=$?
		tr '\n' '\0' <old | xargs -0 -I {} mv away/{} {}
		if [ $merged != 0 ] && [ ! -e "merged/$base.lanes" ] && grep -q 'records may stand twice' said; then # to be compared again
			tr '\n' '\0' <new | xargs -0 "$lanescope" merge --quiet -o "merged/$base.lanes" old.lanes >said 2>&1
			merged=$? n_there=$((n_there + 1))
		fi
		[ $merged = 0 ] || bad="$base: $(tail -n 1 said)"
		rm -rf away
		n_runs=$((n_runs + 1))
		cmp -s "one/$base.lanes" "merged/$base.lanes" || bad="${bad:-$base: another file}"
	done
	[ -z "$bad" ] || echo "# $bad"
	[ -z "$bad" ] && [ $n_runs -gt 0 ]
	ok $? "$1: $n_runs runs, grown to the same file; $n_there with the old traces there"
}

"$lanescope" demo demo >/dev/null 2>&1 || { echo "Bail out! no demo"; exit 1; }
grow "the demo's traces" demo/traces
if [ -z "${LANESCOPE_NARROW:-}" ]; then
	for folder in chrome dasf dataload dftracer golden preemption; do
		grow "our own $folder" "$srcdir/tests/data/$folder"
	done
fi
if [ -d "$samples" ]; then
	for folder in dftracer/cm1_v105 dftracer/dist_v102 dftracer/dlio_v108 dasf dataload preemption; do
		[ ! -d "$samples/$folder" ] || grow "$folder" "$samples/$folder"
	done
else
	echo "# LANESCOPE_SHARED is not set, or LANESCOPE_NARROW is: no samples"
fi

# One folder, imported as people do.
traces=demo/traces/training
trace() { echo "$traces/trace-$1-of-16.pfw.gz"; }
mkdir whole grown parts
"$lanescope" import --quiet $traces -o whole/ >said 2>&1
"$lanescope" import --quiet "$(trace 0)" "$(trace 3)" "$(trace 4)" "$(trace 12)" -o first.lanes >said 2>&1
"$lanescope" merge --quiet first.lanes $traces -o grown/training.lanes >said 2>&1 && cmp -s whole/training.lanes grown/training.lanes
told $? "a folder with the old files and the new ones: each counts once, and it is the run of the folder"
"$lanescope" merge --quiet --threads 1 --memory 64MiB --force first.lanes $traces -o grown/training.lanes >said 2>&1 &&
	cmp -s whole/training.lanes grown/training.lanes
told $? "so it is on one core, with little memory"
"$lanescope" merge --quiet first.lanes "$(trace 1)" "$(trace 2)" -o second.lanes >said 2>&1 &&
	"$lanescope" import --quiet "$(trace 5)" "$(trace 6)" -o third.lanes >said 2>&1 &&
	for nth in 1 2 3; do
		"$lanescope" import --quiet --part $nth/3 "$(trace 7)" "$(trace 8)" "$(trace 9)" "$(trace 10)" "$(trace 11)" --name later -o parts/ >said 2>&1 || break
	done &&
	"$lanescope" merge --quiet --force second.lanes third.lanes parts "$(trace 13)" "$(trace 14)" "$(trace 15)" -o grown/training.lanes >said 2>&1 &&
	cmp -s whole/training.lanes grown/training.lanes
told $? "runs that grew before, parts and traces in one merge"
mkdir parts/whole
for nth in 1 2; do "$lanescope" import --quiet --part $nth/2 "$(trace 0)" "$(trace 1)" "$(trace 2)" -o parts/whole/ >said 2>&1; done
"$lanescope" merge --quiet parts/whole -o made.lanes >said 2>&1 && "$lanescope" merge --quiet --force made.lanes $traces -o grown/training.lanes >said 2>&1 &&
	cmp -s whole/training.lanes grown/training.lanes
told $? "a run that parts made"
"$lanescope" merge --quiet whole/training.lanes -o same.lanes >said 2>&1 &&
	"$lanescope" query span-totals same.lanes --format csv >same.csv 2>said && "$lanescope" query span-totals whole/training.lanes --format csv 2>said | cmp -s - same.csv
told $? "a run by itself stays what it is"

# Tags are those that the run has now.
"$lanescope" import --quiet --tag site=here --tag nodes=2 "$(trace 0)" -o tagged.lanes >said 2>&1
"$lanescope" tag --into retagged.lanes tagged.lanes nodes=4 >said 2>&1
"$lanescope" merge --quiet retagged.lanes "$(trace 1)" -o more.lanes >said 2>&1
[ "$("$lanescope" sql more.lanes "SELECT group_concat(key || '=' || value) FROM tags WHERE scope = 'given'" --format tsv 2>said | tail -n 1)" = site=here,nodes=4 ]
told $? "it has the tags of the old run, as they were changed"

# Hashes that another file tells, intervals, begins and ends, flows, clocks: what crosses files comes right (the splits above), and records
# that stand twice are compared again where the files are as they were.
mkdir again again/traces again/one again/merged
gzip -dcf "$(trace 0)" >all.pfw
lines=$(wc -l <all.pfw)
head -n $((lines * 2 / 3)) all.pfw >again/traces/a.pfw
(head -n 1 all.pfw && tail -n +$((lines / 2)) all.pfw) >again/traces/b.pfw
"$lanescope" import --quiet again/traces/a.pfw again/traces/b.pfw --one -o again/one/run.lanes >said 2>&1
"$lanescope" import --quiet --one again/traces/a.pfw -o again/a1.lanes >said 2>&1
"$lanescope" merge --quiet again/a1.lanes again/traces/b.pfw -o again/merged/run.lanes >said 2>&1
cmp -s again/one/run.lanes again/merged/run.lanes &&
	"$lanescope" query problems again/merged/run.lanes 2>/dev/null | grep -q 'stand elsewhere too'
told $? "records that stand in the old run and in a new file count once"

refused() { # words, name
	status=$?
	[ $status = 2 ] && grep -q -- "$1" said && [ ! -e new.lanes ] && ! ls .new.lanes* >/dev/null 2>&1
	result=$?
	told $result "$2"
	rm -f new.lanes
}
"$lanescope" merge again/merged/run.lanes "$(trace 1)" -o new.lanes >said 2>&1
refused 'run.lanes: does not keep what a merge needs' "a run with such records keeps nothing of its sources"
mv again/traces/a.pfw elsewhere.pfw
"$lanescope" merge again/a1.lanes again/traces/b.pfw -o new.lanes >said 2>&1
refused 'records may stand twice .* import all together' "where they can't be compared there is no run"
mv elsewhere.pfw again/traces/a.pfw
echo >>again/traces/a.pfw
"$lanescope" merge again/a1.lanes again/traces -o new.lanes >said 2>&1
refused 'again/traces/a.pfw: is another file than again/a1.lanes was imported of' "a source that has changed is told by name"
cp "$(trace 0)" copy.pfw.gz
"$lanescope" merge --quiet first.lanes copy.pfw.gz -o copied.lanes >said 2>&1 &&
	"$lanescope" query problems copied.lanes 2>/dev/null | grep -q 'copy.pfw.gz: holds the same as .*trace-0-of-16' &&
	[ "$("$lanescope" sql copied.lanes 'SELECT count(*) FROM source' --format tsv | tail -n 1)" = 4 ]
told $? "the same bytes under another name count once"
"$lanescope" merge first.lanes demo/traces/one-worker.jsonl -o new.lanes >said 2>&1
refused "can't be one run: their formats differ" "runs and traces of two formats are refused"
"$lanescope" merge first.lanes first.lanes -o new.lanes >said 2>&1
refused 'first.lanes: holds .*, and so does first.lanes: give each part once' "a run that is given twice, too"
"$lanescope" merge "$(trace 0)" -o new.lanes >said 2>&1
refused 'neither part nor run file' "traces alone are for import"
"$lanescope" merge nowhere.lanes "$(trace 0)" -o new.lanes >said 2>&1
refused 'nowhere.lanes: No such file' "a run that is not there is told"
cp first.lanes new.lanes
"$lanescope" merge --force new.lanes "$(trace 1)" -o new.lanes >said 2>&1
[ $? = 2 ] && grep -q 'is one of those that are merged' said && cmp -s first.lanes new.lanes
told $? "what is read is not replaced"
rm -f new.lanes
"$lanescope" import --quiet "$(trace 0)" -o other.lanes >said 2>&1
printf '\000\000\000\005' | dd of=other.lanes bs=1 seek=60 conv=notrunc 2>/dev/null
"$lanescope" merge other.lanes "$(trace 1)" -o new.lanes >said 2>&1
refused 'other.lanes: .*version 5' "a run file of an older version, too"

# Every byte of what is kept.
size=$(wc -c <first.lanes) at=5000 wrong=0 n=0
while [ $at -lt "$size" ]; do
	cp first.lanes bent.lanes
	printf 'X' | dd of=bent.lanes bs=1 seek=$at conv=notrunc 2>/dev/null
	"$lanescope" merge --quiet bent.lanes "$(trace 1)" -o new.lanes >said 2>&1
	case $? in
	0) "$lanescope" query span-totals new.lanes --format csv 2>/dev/null | cmp -s - bent.csv || [ ! -e bent.csv ] || wrong=$((wrong + 1)) ;;
	2) grep -q 'bent.lanes.*damaged' said || wrong=$((wrong + 1)); n=$((n + 1)) ;;
	*) wrong=$((wrong + 1)) ;;
	esac
	[ ! -e new.lanes ] || { [ -e bent.csv ] || "$lanescope" query span-totals new.lanes --format csv >bent.csv 2>/dev/null; }
	rm -f new.lanes
	at=$((at + size / 12))
done
[ $wrong = 0 ] && [ $n -gt 3 ]
told $? "damaged in $n of 12 places: told by name, and nothing is written; elsewhere the same answer"
cut=$((size / 2))
head -c $cut first.lanes >bent.lanes
"$lanescope" merge bent.lanes "$(trace 1)" -o new.lanes >said 2>&1
refused 'bent.lanes: is damaged, it has' "so is one that is cut"

echo "1..$count"
exit $failed
