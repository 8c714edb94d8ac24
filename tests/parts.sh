#!/bin/sh
# Parts of a run, made side by side and put together, are the run that one import of all its traces makes: to the last byte of the
# file, whatever the split, for every format, in one merge or in a tree of them. What is missing, twice, damaged or of another version
# is told by name, and nothing is written.
#
#   PARTS_SEED=N   other splits (default: 1)
#   PARTS_MANY=N   so many parts of as many files (default: 40)
#   PARTS_WIDE=1   all samples in 1 to 40 parts, in place of some in three splits
#   LANESCOPE_NARROW=1   none of them, as under sanitizers
lanescope=${LANESCOPE:-./lanescope}
case $lanescope in /*) ;; *) lanescope=$PWD/$lanescope ;; esac
samples=${LANESCOPE_SHARED:-}
[ -z "${LANESCOPE_NARROW:-}" ] || samples=
srcdir=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-parts.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
count=0 failed=0

ok() { # status, name
	count=$((count + 1))
	if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; failed=1; fi
}

random=${PARTS_SEED:-1}
choose() { # least most: prints the next number of the series
	random=$(((random * 1103515245 + 12345) % 2147483648))
	echo $(($1 + random / 65536 % ($2 - $1 + 1)))
}

# Every run of the traces in N parts, against what one import makes of them.
compare() { # name, parts, traces...
	name=$1 n=$2
	shift 2
	rm -rf "$work/whole" "$work/parts" "$work/merged"
	mkdir "$work/whole" "$work/parts" "$work/merged"
	"$lanescope" import --quiet "$@" -o "$work/whole/" >"$work/said" 2>&1 || :
	nth=1 bad=
	while [ $nth -le "$n" ]; do
		"$lanescope" import --quiet --part $nth/"$n" "$@" -o "$work/parts/" >"$work/said" 2>&1 || bad="part $nth: $(tail -n 1 "$work/said")"
		nth=$((nth + 1))
	done
	runs=0
	for run in "$work"/whole/*.lanes; do
		base=$(basename "$run" .lanes) runs=$((runs + 1))
		"$lanescope" merge --quiet "$work/parts/$base".[0-9]*-of-"$n".part -o "$work/merged/$base.lanes" >"$work/said" 2>&1 ||
			bad="$base: $(tail -n 1 "$work/said")"
		cmp -s "$run" "$work/merged/$base.lanes" || bad="${bad:-$base: another file}"
	done
	[ -z "$bad" ] || echo "# $bad"
	[ -z "$bad" ] && [ $runs -gt 0 ]
	ok $? "$name: in $n parts the same $runs runs, byte for byte"
}

"$lanescope" demo "$work/demo" >/dev/null 2>&1 || { echo "Bail out! no demo"; exit 1; }
for n in 1 $(choose 2 5) $(choose 6 40); do
	compare "the demo's traces" "$n" "$work/demo/traces"
done

for folder in cascade chrome dasf dataload dftracer golden preemption; do
	compare "our own $folder" "$(choose 2 4)" "$srcdir/tests/data/$folder"
done
if [ -d "$samples" ]; then
	for folder in "$samples"/dftracer/* "$samples"/cascade "$samples"/dasf "$samples"/dataload "$samples"/preemption "$samples"/chrome; do
		[ -d "$folder" ] || continue
		name=${folder#"$samples"/}
		case $name in dftracer/expected) continue ;; esac
		if [ -n "${PARTS_WIDE:-}" ]; then
			for n in 1 2 $(choose 3 12) $(choose 13 40); do compare "$name" "$n" "$folder"; done
		else
			case $name in chrome | preemption) compare "$name" 2 "$folder" ;; *) compare "$name" "$(choose 2 9)" "$folder" ;; esac
		fi
	done
else
	echo "# LANESCOPE_SHARED is not set, or LANESCOPE_NARROW is: splits of the demo's traces alone"
fi

# What is refused, on one job of several files.
traces=$work/demo/traces/loading
cd "$work" || exit 2
rm -rf parts whole merged
mkdir parts whole
"$lanescope" import --quiet "$traces" -o whole/ >/dev/null 2>&1
base=$(basename "$(ls whole/*.lanes | head -n 1)" .lanes)
for nth in 1 2 3; do "$lanescope" import --quiet --part $nth/3 "$traces" -o parts/ >/dev/null 2>&1; done

"$lanescope" merge --quiet --part parts/"$base".1-of-3.part parts/"$base".3-of-3.part -o some.part >said 2>&1 &&
	"$lanescope" merge --quiet some.part parts/"$base".2-of-3.part -o "$base".lanes >said 2>&1
cmp -s "$base".lanes whole/"$base".lanes
ok $? "a tree of merges makes the same file"
rm -f "$base".lanes

refused() { # words, name
	status=$?
	[ $status = 2 ] && grep -q -- "$1" said && [ ! -e new.lanes ]
	result=$?
	[ $result = 0 ] || sed 's/^/# /' said
	rm -f new.lanes
	ok $result "$2"
}
"$lanescope" merge parts/"$base".1-of-3.part parts/"$base".2-of-3.part -o new.lanes >said 2>&1
refused '1 of 3 parts is missing, the first is 3: lanescope import --part 3/3' "a part that is missing is told, and how to make it"
cp parts/"$base".2-of-3.part copy.part
"$lanescope" merge parts/"$base".*.part copy.part -o new.lanes >said 2>&1
refused 'copy.part: holds .*, and so does parts/' "a part that is there twice is told by name"
size=$(wc -c <copy.part)
printf 'X' | dd of=copy.part bs=1 seek=$((size - size / 3)) conv=notrunc 2>/dev/null
"$lanescope" merge parts/"$base".1-of-3.part copy.part parts/"$base".3-of-3.part -o new.lanes >said 2>&1
refused 'copy.part: .*damaged' "a damaged part is told by name"
head -c $((size / 2)) parts/"$base".2-of-3.part >copy.part
"$lanescope" merge parts/"$base".1-of-3.part copy.part parts/"$base".3-of-3.part -o new.lanes >said 2>&1
refused 'copy.part: is damaged, it has' "so is one that is cut"
: >copy.part
"$lanescope" merge parts/"$base".1-of-3.part copy.part parts/"$base".3-of-3.part -o new.lanes >said 2>&1
refused 'copy.part: is no part of a run, it is empty' "so is an empty file"
"$lanescope" merge --part whole/"$base".lanes -o new.lanes >said 2>&1
refused 'is a run already' "of a run file no part is made"
cp parts/"$base".2-of-3.part copy.part
printf '\000\000\000\143' | dd of=copy.part bs=1 seek=60 conv=notrunc 2>/dev/null
"$lanescope" merge parts/"$base".1-of-3.part copy.part parts/"$base".3-of-3.part -o new.lanes >said 2>&1
refused 'copy.part: is a part that another lanescope made (version 99' "one of another version, too"
"$lanescope" info parts/"$base".1-of-3.part >said 2>&1
refused 'is a part of a run: lanescope merge' "who opens a part as a run is told what it is"
"$lanescope" import --part 4/3 "$traces" -o parts/ >said 2>&1
refused 'give which of how many' "there is no part 4 of 3"
cat demo/traces/one-worker.jsonl | "$lanescope" import --part 1/2 - -o parts/ >said 2>&1
refused 'is read once only' "no part is made of what can be read once only"

"$lanescope" import --part 2/3 "$traces" -o parts/ >said 2>&1
grep -q 'holds this already' said
ok $? "a part that is there is left"
printf 'X' | dd of=parts/"$base".2-of-3.part bs=1 seek=$((size - size / 3)) conv=notrunc 2>/dev/null
"$lanescope" import --part 2/3 "$traces" -o parts/ >said 2>&1
! grep -q -e 'holds this already' -e ' in 0 ns' said && "$lanescope" merge --quiet parts -o "$base".lanes && cmp -s "$base".lanes whole/"$base".lanes
ok $? "a damaged one is made anew, and a folder stands for the parts in it"

# Runs that are whole become one where that is asked for: the run of one import of both.
mkdir two two/a two/b both
cp "$(find demo/traces/training -name '*.pfw*' | sort | sed -n 1p)" "$(find demo/traces/training -name '*.pfw*' | sort | sed -n 2p)" two/a/
cp "$(find demo/traces/training -name '*.pfw*' | sort | sed -n 3p)" two/b/
"$lanescope" import --quiet --part 1/2 --name a two/a -o both/ >said 2>&1
"$lanescope" import --quiet --part 2/2 --name a two/a -o both/ >said 2>&1
"$lanescope" import --quiet --part 1/1 --name b two/b -o both/ >said 2>&1
"$lanescope" import --quiet --part 1/1 two/a/* two/b/* --one --name later -o both/ >said 2>&1
"$lanescope" merge both/[ab].*.part -o new.lanes >said 2>&1
refused 'these are parts of 2 runs (a, b): give those of one, or --join' "parts of two runs are no run unless it is said"
"$lanescope" import --quiet --one two/a/* two/b/* -o two/one.lanes >said 2>&1
"$lanescope" merge --quiet --join both/[ab].*.part -o one.lanes >said 2>&1
cmp -s two/one.lanes one.lanes
ok $? "joined, they are the run of one import of all files"
"$lanescope" merge --quiet --join both/*.part -o twice.lanes >said 2>&1
for query in span-totals lane-totals; do "$lanescope" query $query twice.lanes --format csv 2>/dev/null; done >twice.csv
for query in span-totals lane-totals; do "$lanescope" query $query two/one.lanes --format csv 2>/dev/null; done >once.csv
cmp -s once.csv twice.csv && [ "$(wc -l <once.csv)" -gt 10 ]
ok $? "a source that is in two of them counts once"

# Records that stand in two files, which ids tell: they are compared again, where the files are there as they were.
mkdir again again/parts again/said again/traces
gzip -dcf "$(find demo/traces/training -name '*.pfw*' | sort | head -n 1)" >all.pfw
lines=$(wc -l <all.pfw)
head -n $((lines * 2 / 3)) all.pfw >again/traces/a.pfw
(head -n 1 all.pfw && tail -n +$((lines / 2)) all.pfw) >again/traces/b.pfw
for nth in 1 2; do "$lanescope" import --quiet --one --part $nth/2 again/traces -o again/parts/ >said 2>&1; done
"$lanescope" import --one again/traces -o again/one.lanes >again/said/one 2>&1
mkdir again/merged
"$lanescope" merge again/parts -o again/merged/one.lanes >again/said/merged 2>&1
cmp -s again/one.lanes again/merged/one.lanes && "$lanescope" query problems again/one.lanes 2>/dev/null | grep -q 'stand elsewhere too'
ok $? "records that stand in two parts count once"
rm again/traces/a.pfw
"$lanescope" merge again/parts -o again/gone.lanes >said 2>&1
"$lanescope" query problems again/gone.lanes 2>/dev/null | grep -q 'its files must be where the parts were made of them, unchanged'
ok $? "that they may count twice is told where the files are gone"

# Processes that are started here, and by a launcher that starts one, or all of them, or fails once.
jobs() { # name, words of import...
	name=$1
	shift
	rm -rf made
	"$lanescope" import --quiet "$traces" -o made/"$base".lanes "$@" >said 2>&1 && cmp -s made/"$base".lanes whole/"$base".lanes && [ "$(ls -A made)" = "$base.lanes" ]
	result=$?
	[ $result = 0 ] || sed 's/^/# /' said
	ok $result "$name: the same run, and nothing else is left"
}
mkdir made
jobs "three processes" --jobs 3
jobs "more processes than files" --jobs 40
cat >one <<'END'
#!/bin/sh
# one I COMMAND...: the second fails when it is first called
if [ "$1" = 2 ] && [ ! -e failed-once ]; then
	: >failed-once
	exit 1
fi
shift
exec "$@"
END
jobs "a launcher of one, which fails once" --jobs 3 --with 'sh one {i}'
[ -e failed-once ] && grep -q '2 of 3 parts are there' said
ok $? "what failed is told, and made once more"
cat >all <<'END'
#!/bin/sh
# all N COMMAND...: starts N
n=$1
shift
i=0
while [ $i -lt "$n" ]; do
	PMI_RANK=$i PMI_SIZE=$n "$@" &
	i=$((i + 1))
done
wait
END
jobs "a launcher of all" --jobs 3 --with 'sh all {n} {command} 2>said-there; true'
rm -rf made
"$lanescope" import "$traces" -o made/"$base".lanes --jobs 3 --with 'sh all 2' >said 2>&1
[ $? = 2 ] && grep -q 'PMI_RANK is .*, but PMI_SIZE is not 3' said && [ ! -e made/"$base".lanes ]
ok $? "a launcher that starts too few is told of it"
rm -rf made
"$lanescope" import "$traces" -o made/"$base".lanes --jobs 3 --with false >said 2>&1
[ $? = 2 ] && grep -q 'part 1 of 3 was not made in 2 attempts' said && [ -z "$(ls -A made)" ]
ok $? "one that starts nothing, too"
cat >killer <<'END'
#!/bin/sh
# killer I COMMAND...: the third ends who started it, once the others are done
if [ "$1" = 3 ]; then
	while [ "$(find made -name '*.part' ! -name '.*' | wc -l)" -lt 2 ]; do sleep 0.02; done
	kill -9 $PPID
	exit 1
fi
shift
exec "$@"
END
rm -rf made
"$lanescope" import --quiet "$traces" -o made/"$base".lanes --jobs 3 --with 'exec sh killer {i}' >said 2>&1
kept=$(find made -name '*.part' | wc -l)
"$lanescope" import --quiet "$traces" -o made/"$base".lanes --jobs 3 >said 2>&1
[ "$kept" = 2 ] && cmp -s made/"$base".lanes whole/"$base".lanes && [ "$(ls -A made)" = "$base.lanes" ]
result=$?
[ $result = 0 ] || sed 's/^/# /' said
ok $result "killed: the next call goes on from the $kept parts that are there"
odd='it'"'"'s "here" $HOME `ls` ;&'
rm -rf made "$odd"
mkdir "$odd" made
cp demo/traces/one-worker.jsonl "$odd/"
"$lanescope" import --quiet "$odd" -o "$odd/whole.lanes" --tag "note=$odd" >said 2>&1
"$lanescope" import --quiet "$odd" -o made/whole.lanes --tag "note=$odd" --jobs 2 --with 'LANESCOPE_JOB={i}' >said 2>&1 && cmp -s made/whole.lanes "$odd/whole.lanes"
result=$?
[ $result = 0 ] || sed 's/^/# /' said
ok $result "names and tags reach a launcher's shell as they are"
# What an import says of a run that is there, or that had to go elsewhere, jobs say, too.
rm -rf made
mkdir made
for how in '' '--jobs 2'; do
	rm -rf made/*
	"$lanescope" import --quiet demo/traces/one-worker.jsonl -o made/ $how >/dev/null 2>&1
	"$lanescope" import demo/traces/one-worker.jsonl -o made/ --tag site=here $how
	echo "status $?"
	"$lanescope" import --name one-worker demo/traces/one-host.jsonl -o made/ $how | sed 's/;.*//'
done >said 2>&1
[ "$(sed -n 1,5p said)" = "$(sed -n 6,10p said)" ] && grep -q 'was imported with other tags' said && grep -q 'holds another run: this one is made/one-worker-2.lanes' said
result=$?
[ $result = 0 ] || sed 's/^/# /' said
ok $result "runs that are there, or go elsewhere, are told by jobs as by one process"
for wrong in '--jobs 0' '--jobs x' '--with srun' '--jobs 2 --part 1/2' '--part /2'; do
	"$lanescope" import "$traces" -o new.lanes $wrong >said 2>&1
	[ $? = 2 ] && [ ! -e new.lanes ]
	ok $? "refused: $wrong: $(tail -n 1 said | cut -c 1-100)"
done

# Many parts of many files: each is as large as what it holds, and few files are open at once.
many=${PARTS_MANY:-40}
make_files() { # folder, n
	mkdir "$1"
	awk -v folder="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) { file = folder "/trace-" i ".pfw"
		printf "[\n{\"id\":0,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":%d,\"tid\":1,\"ts\":%d,\"dur\":5,\"ph\":\"X\",\"args\":{\"fname\":\"/f%d\"}}\n", i, 1000 + i, i >file
		close(file) } }'
}
make_files many "$many"
make_files plenty 900
"$lanescope" import --quiet many -o whole/ >said 2>&1
rm -rf parts && mkdir parts
i=1
while [ $i -le "$many" ]; do "$lanescope" import --quiet --part $i/"$many" many -o parts/ >said 2>&1 || break; i=$((i + 1)); done
(ulimit -n 64 && "$lanescope" merge --quiet parts -o many.lanes) >said 2>&1
cmp -s whole/many.lanes many.lanes
result=$?
[ $result = 0 ] || sed 's/^/# /' said
ok $result "$many parts of $many files become one run with 64 open files at most"
"$lanescope" import --quiet --part 7/900 plenty -o parts/ >said 2>&1
size=$(cat parts/plenty.7-of-900.part | wc -c)
[ "$size" -gt 0 ] && [ "$size" -le 16384 ]
ok $? "a part of a plan of hundreds of files is no larger for it"

# What is amiss with the files is the whole run's, so of each part --strict tells it; what a part is not is a run, which info could show.
cp -R "$srcdir/tests/data/dataload/exp1/ours" ours
: >"$(find ours -name processing_time.npy | sort | tail -n 1)"
statuses=
for nth in 1 2; do
	"$lanescope" import --strict --part $nth/2 ours -o ours-$nth.part >said 2>&1
	statuses="$statuses $?"
	grep -q 'lanescope info' said && statuses="$statuses, info is named"
done
[ "$statuses" = ' 3 3' ] || echo "# $statuses"
[ "$statuses" = ' 3 3' ]
ok $? "a file that can't be read is told by --strict of each part"

echo "1..$count"
exit $failed
