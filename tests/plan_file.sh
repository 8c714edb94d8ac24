#!/bin/sh
# A plan that is made once: who makes a part by it looks at no other file than the part's, and makes the same part to the last byte; what
# has changed since is told by name, and nothing is written.
. "$(dirname "$0")/tap.sh"
case $LANESCOPE in */*) LANESCOPE=$(cd "$(dirname "$LANESCOPE")" && pwd)/${LANESCOPE##*/} ;; esac
"$LANESCOPE" demo "$work/demo" >/dev/null 2>&1 || { echo "Bail out! no demo"; exit 1; }
cd "$work" || exit 2
mv demo/traces traces

said() { # words, name: the last command failed and said so
	status=$?
	[ $status = 2 ] && grep -q -- "$1" out
	status=$?
	[ $status = 0 ] || sed 's/^/# /' out
	result $status "$2"
}
compare() { # name, parts, words of import...
	name=$1 n=$2
	shift 2
	rm -rf own by
	"$LANESCOPE" import --quiet --plan it.plan "$@" >out 2>&1
	for nth in $(seq "$n"); do
		"$LANESCOPE" import --quiet --part "$nth/$n" "$@" -o own/ >out 2>&1
		"$LANESCOPE" import --quiet --part "$nth/$n" --plan it.plan -o by/ >out 2>&1 || sed 's/^/# /' out
	done
	diff -r own by >out && [ "$(ls by | wc -l)" -gt "$((n - 1))" ]
	status=$?
	[ $status = 0 ] || sed 's/^/# /' out
	result $status "$name: $(ls by | wc -l) parts, the same to the last byte"
}
compare "all of the demo's traces" 3 traces
compare "with options of the runs" 2 traces/training traces/spot --name mine --tag site=here --tag nodes=4 --lenient
compare "a format that is said, a run of all" 2 traces/one-host.jsonl traces/two-hosts.jsonl --format cascade --one
printf 'not a trace\n' >traces/training/zz.pfw
compare "a folder with what can't be read" 3 traces/training
rm traces/training/zz.pfw

# Each part holds a file, the first the largest one: no other is there any more when it is made.
mkdir few
cp traces/one-*.jsonl traces/two-hosts.jsonl few/
"$LANESCOPE" import --quiet --one --plan few.plan few && "$LANESCOPE" import --quiet --one --part 1/3 few -o own/
largest=$(ls -S few | head -n 1)
find few -type f ! -name "$largest" -exec rm {} +
"$LANESCOPE" import --quiet --part 1/3 --plan few.plan -o by/ >out 2>&1 && cmp own/few.1-of-3.part by/few.1-of-3.part
result $? "a part needs no other file than its own"
"$LANESCOPE" import --quiet --part 2/3 --plan few.plan -o by/ >out 2>&1
said 'few/.*jsonl: is not there as it was when the plan was made' "what is gone is told by name"
[ ! -e by/few.2-of-3.part ]
result $? "and nothing is written"
mkdir elsewhere
(cd elsewhere && exec "$LANESCOPE" import --quiet --part 1/3 --plan ../few.plan -o by/) >out 2>&1
said "few/$largest: is not there .*or the plan was made in another folder: make the plan again" "paths are those of the folder of the plan"
touch few/"$largest"
"$LANESCOPE" import --quiet --force --part 1/3 --plan few.plan -o by/ >out 2>&1
said "few/$largest: has changed since the plan was made" "so is what has changed"

# Plans that are none.
flip() { # byte
	cp it.plan flipped.plan
	byte=$(od -An -tu1 -j "$1" -N 1 it.plan)
	printf "\\$(printf %o $((byte ^ 1)))" | dd of=flipped.plan bs=1 seek="$1" conv=notrunc 2>/dev/null
}
size=$(wc -c <it.plan)
for at in 17 $((size / 2)) $((size - 1)); do
	flip $at
	"$LANESCOPE" import --part 1/2 --plan flipped.plan -o by/ >out 2>&1
	said 'flipped.plan: is damaged: make the plan again' "a bit at $at is told"
done
head -c $((size - 5)) it.plan >flipped.plan
"$LANESCOPE" import --part 1/2 --plan flipped.plan -o by/ >out 2>&1
said 'flipped.plan: is damaged' "a plan that is cut, too"
flip 15
"$LANESCOPE" import --part 1/2 --plan flipped.plan -o by/ >out 2>&1
said 'flipped.plan: is no plan that this lanescope made' "one of another version"
"$LANESCOPE" import --part 1/2 --plan traces/one-host.jsonl -o by/ >out 2>&1
said 'one-host.jsonl: is no plan' "a trace is none"
"$LANESCOPE" import --part 1/2 --plan missing.plan -o by/ >out 2>&1
said 'missing.plan: No such file' "one that is not there"
cp traces/one-host.jsonl trace.jsonl
"$LANESCOPE" import --plan trace.jsonl traces >out 2>&1
said 'trace.jsonl: is there already, and no plan' "a plan takes the place of no trace" && cmp trace.jsonl traces/one-host.jsonl
result $? "which is as it was"
"$LANESCOPE" import --plan it.plan traces >out 2>/dev/null && grep -qx 'it.plan: 11 runs, 145 files' out
result $? "of another plan it does"
cat traces/one-host.jsonl | "$LANESCOPE" import --plan once.plan - >out 2>&1
said 'is read once only' "there is no plan of what can be read once only"
[ ! -e once.plan ]
result $? "and none is written"
for wrong in '--plan x.plan traces -o x' '--plan x.plan traces --jobs 2' '--plan it.plan --part 1/2 traces' '--plan it.plan --part 1/2 --name x' '--part 1/2'; do
	"$LANESCOPE" import $wrong >out 2>&1
	[ $? = 2 ] && grep -q -- '--help' out && [ ! -e x.plan ]
	result $? "refused: $wrong: $(tail -n 1 out | cut -c 1-80)"
done

# Parts under names of their own.
for nth in 1 2; do "$LANESCOPE" import --quiet --part $nth/2 traces/training -o "$nth.part"; done
"$LANESCOPE" merge --quiet 1.part 2.part -o merged.lanes >out 2>&1 && "$LANESCOPE" import --quiet traces/training -o run.lanes &&
	"$LANESCOPE" query span-totals merged.lanes --format csv >merged.csv 2>/dev/null && "$LANESCOPE" query span-totals run.lanes --format csv >run.csv 2>/dev/null && cmp merged.csv run.csv
status=$?
[ $status = 0 ] || sed 's/^/# /' out
result $status "parts that are called as one likes are parts of one run"

# Jobs are handed the plan.
cat >log <<'END'
#!/bin/sh
echo "$*" >>commands
shift
exec "$@"
END
"$LANESCOPE" import --quiet traces/training -o jobs.lanes --jobs 2 --with 'sh log {i}' >out 2>&1 && [ "$(grep -c -- '--plan jobs.parts/plan' commands)" = 2 ] && ! grep -q traces commands && [ ! -e jobs.parts ]
status=$?
[ $status = 0 ] || sed 's/^/# /' out commands
result $status "jobs are handed the plan, not the traces"
echo "1..$count"
exit $failed
