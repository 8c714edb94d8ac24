#!/bin/sh
# Proves that a change of the program's inside leaves its answers as they were, byte for byte.
#
#   tests/same.sh [--samples FOLDER] [--renames FILE] [--quick] [--only KIND] [--jobs N] [--plan] OLD NEW
#
# OLD and NEW are two builds of lanescope. Both import every trace of the folder of samples (LANESCOPE_SHARED; without one: nothing
# of it), of tests/data and of the demo, then both carry out one plan of commands, each on the runs that it imported itself.
# What a command writes to standard output and standard error, the files it makes and its exit status must be the same. The plan:
#
#   import     summaries, dry runs, and the run files themselves, byte by byte (one thread, so that their blocks lie alike)
#   tables     every table and view, and the virtual tables, of each run
#   sql        sums by one and more dimensions, filters, pages, overlaps, gaps, pairs
#   facts      info, runs, the list of queries that fit
#   query      every saved query that fits, as CSV and in one more format in turn; with other parameters; stacked and side by side
#   diff       every query that fits both runs of a pair
#   explain    every part, of each pair: CSV, JSON and tables
#   timeline   widths, windows, colours, depths, counters, SVG, rows of cells
#   chrome     Chrome traces
#   simulate   simulations, made-up traces, checkpoints
#   help       all help, the saved queries' texts, completions
#   errors     wrong calls
#   screens    the explorer, by scripts of keys: views of one run and of two, on 80x24 and on 120x35
#
# Each difference is printed with its command and the first lines that differ; the table at the end counts by kind what was compared,
# what differs, and how many of OLD's commands ended with a status that is not 0 (a plan of which all fail proves little). Exit
# status: 0 all the same, 1 a difference, 2 nothing could be compared.
#
#   --samples FOLDER  instead of LANESCOPE_SHARED
#   --renames FILE    what was renamed on purpose: a sed script for OLD's output, and for the commands that NEW is given
#   --quick           few runs, but of every format and with every kind of command
#   --only KIND       this part of the plan alone (repeatable)
#   --jobs N          so many at once (2)
#   --plan            print the plan and end
#
# All of it takes 13 minutes of processor time, --quick two; --only is what to use while working on one thing.
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
samples=${LANESCOPE_SHARED:-}
renames= quick= only= jobs=2 show=

usage() {
	echo "usage: same.sh [--samples FOLDER] [--renames FILE] [--quick] [--only KIND] [--jobs N] [--plan] OLD NEW" >&2
	exit 2
}
absolute() {
	case $1 in
	/*) echo "$1" ;;
	*) echo "$PWD/$1" ;;
	esac
}
while [ $# -gt 0 ]; do
	case $1 in
	--samples) samples=$2 && shift ;;
	--renames) renames=$(absolute "$2") && shift ;;
	--only) only="$only $2" && shift ;;
	--jobs) jobs=$2 && shift ;;
	--quick) quick=yes ;;
	--plan) show=yes ;;
	-*) usage ;;
	*) break ;;
	esac
	shift
done
[ $# -eq 2 ] || usage
for program; do
	[ -x "$program" ] && [ ! -d "$program" ] || { echo "same.sh: $program is no program" >&2; exit 2; }
done
[ -z "$renames" ] || [ -r "$renames" ] || { echo "same.sh: cannot read $renames" >&2; exit 2; }
old=$(absolute "$1")
new=$(absolute "$2")

work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-same.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
workers=
trap 'kill $workers 2>/dev/null; wait; exit 2' HUP INT TERM
LC_ALL=C.UTF-8 TZ=UTC0 TERM=dumb PAGER= EDITOR=true VISUAL= COLUMNS=
export LC_ALL TZ TERM PAGER EDITOR VISUAL
unset COLUMNS LANESCOPE_CACHE LANESCOPE_PAGER LANESCOPE_PATH LANESCOPE_THREADS XDG_DATA_HOME
for side in old new; do
	mkdir -p "$work/$side/bin"
	eval "ln -s \"\$$side\" \"$work/$side/bin/lanescope\""
	# What the samples are called is the same for both, and so is the time at which each was changed: both read the same files.
	ln -s "$here/data" "$work/$side/data"
	[ -z "$samples" ] || ln -s "$(cd "$samples" && pwd)" "$work/$side/samples" || exit 2
done

# answer SIDE NUMBER JOB COMMAND: into $work/SIDE.JOB.out and .err; $T is a folder of its own, which is home, cache and state, too.
answer() {
	(
		cd "$work/$1" || exit 2
		T=t$2
		case $4 in
		*\$T*) mkdir "$T" ;;
		esac
		PATH=$PWD/bin:$PATH HOME=$PWD/$T XDG_CACHE_HOME=$PWD/$T/cache XDG_CONFIG_HOME=$PWD/$T/config XDG_STATE_HOME=$PWD/$T/state
		export PATH HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME
		eval "$4" >"$work/$1.$3.out" 2>"$work/$1.$3.err" </dev/null
		status=$?
		[ ! -e "$HOME" ] || rm -rf "$HOME"
		exit $status
	)
}

# The folders of the two sides have names of their own, which a few answers tell.
level() { # job
	for side in old new; do
		for stream in out err; do
			LC_ALL=C sed -i "s|$work/[on][le][dw]|WORK|g" "$work/$side.$1.$stream"
		done
	done
}
alike() { # job
	cmp -s "$work/old.$1.out" "$work/new.$1.out" && cmp -s "$work/old.$1.err" "$work/new.$1.err"
}

# compare KIND NUMBER JOB COMMAND: prints what differs, adds a line to the tally.
compare() {
	answer old "$2" "$3" "$4"
	status=$?
	command=$4
	if [ -n "$renames" ]; then
		sed -i -f "$renames" "$work/old.$3.out" "$work/old.$3.err"
		command=$(printf '%s\n' "$4" | sed -f "$renames")
	fi
	answer new "$2" "$3" "$command"
	new_status=$?
	alike "$3" || level "$3"
	same=same
	if [ $status -ne $new_status ] || ! alike "$3"; then
		same=differs
		{
			printf '%s: %s\n' "$1" "$command"
			[ $status -eq $new_status ] || echo "    exit status $status, now $new_status"
			for stream in out err; do
				diff "$work/old.$3.$stream" "$work/new.$3.$stream" | head -12 | cut -c1-300 | sed 's/^/    /'
			done
		} >"$work/difference.$3"
		cat "$work/difference.$3"
	fi
	echo "$1 $same $status" >>"$work/tally.$3"
}

# --- imports, which all else needs

import() { # side
	PATH=$work/$1/bin:$PATH
	cd "$work/$1" || exit 2
	HOME=$PWD/home XDG_CACHE_HOME=$PWD/home/cache XDG_CONFIG_HOME=$PWD/home/config
	export PATH HOME XDG_CACHE_HOME XDG_CONFIG_HOME
	status=0
	{
		for from in samples ../demo data; do
			[ -e "$from" ] || continue
			echo "-- $from"
			# Links lead where the traces are: a run tells the paths that it was given.
			lanescope import --threads 1 -o "r/${from##*/}/" "$(cd "$from" && pwd -P)"
			echo "-- exit status $?"
		done
		echo "-- each file"
		lanescope import --threads 1 --each -o r/each/ "$(cd data && pwd -P)"
		echo "-- exit status $?"
	} >"../$1.import" 2>&1
	sed -i -e 's/ in [0-9.]* [mu]*s\([;]\|$\)/ in TIME\1/' "../$1.import"
}

mkdir "$work/home" "$work/demo"
(
	HOME=$work/home XDG_CACHE_HOME=$work/home XDG_CONFIG_HOME=$work/home
	export HOME XDG_CACHE_HOME XDG_CONFIG_HOME
	"$old" demo >/dev/null 2>&1
) </dev/null
mv "$work/home/lanescope/demo/traces"/* "$work/demo" || exit 2
(import old) &
(import new) &
wait
compared_import() {
	[ -z "$renames" ] || sed -i -f "$renames" "$work/old.import"
	if cmp -s "$work/old.import" "$work/new.import"; then
		echo "import same 0"
	else
		echo "import differs 0"
		echo "import: what imports say" >&3
		diff "$work/old.import" "$work/new.import" | head -40 | cut -c1-300 | sed 's/^/    /' >&3
	fi
	for file in $(cd "$work" && find old/r new/r -name '*.lanes' | sed 's|^[a-z]*/||' | sort -u); do
		if cmp "$work/old/$file" "$work/new/$file" >"$work/cmp" 2>&1; then
			echo "import same 0"
		else
			echo "import differs 0"
			echo "import: the run file $file" >&3
			sed -e "s|$work/||g" -e 's/^/    /' "$work/cmp" >&3
		fi
	done
}

# --- the plan: a line a command, "KIND COMMAND"

plan() { # kind, command; blank where a kind is not asked for
	case "$only " in
	" " | *" $1 "*) printf '%s %s\n' "$1" "$2" ;;
	esac
}
ask_old() {
	(cd "$work/old" && HOME=$work/home XDG_CACHE_HOME=$work/home XDG_CONFIG_HOME=$work/home "$old" "$@" 2>/dev/null </dev/null)
}
fitting() { # run: its queries
	ask_old queries "$1" --format csv --no-header | cut -d, -f1
}
turn=0
# Statements are many: of a run that is not looked at closely every other one is asked.
plan_sql() { # run, statement, options
	turn=$((turn + 1))
	case " $close " in
	*" $1 "*) ;;
	*) [ $((turn % 2)) -eq 0 ] || return 0 ;;
	esac
	plan sql "lanescope sql $1 \"$2\"${3:+ $3}"
}
keys() { # run..., script
	runs=$1
	[ $# -eq 2 ] || runs="$1 $2"
	shift $(($# - 1))
	turn=$((turn + 1))
	case $quick$((turn % 2)) in
	yes0) sizes=80x24 ;;
	yes1) sizes=120x35 ;;
	*) sizes="80x24 120x35" ;;
	esac
	for size in $sizes; do
		plan screens "printf '%s\\n' \"$1\" >\$T/keys; lanescope --keys \$T/keys --size $size $runs"
	done
}
spell() { # query: the options that it needs
	case $1 in
	file-spans) echo " -p file='*'" ;;
	esac
}

plan_run() { # run, its number, its length
	run=$1
	plan facts "lanescope info $run --format table"
	plan facts "lanescope info $run --format json"
	plan facts "lanescope queries $run --format csv"
	plan tables "lanescope export $run --to csv -o \$T/x; cd \$T/x && for f in *; do echo == \$f; cat \$f; done"
	[ $(($2 % 7)) -ne 0 ] || plan tables "lanescope export $run --to jsonl -o \$T/x; cd \$T/x && for f in *; do echo == \$f; cat \$f; done"
	plan tables "for t in source string argument lane task transfer dependency capacity preemption trial tag problem span_total work_total block tile capacity_state span_flows; do lanescope sql $run \"SELECT * FROM \$t\" || exit; done"
	plan_sql "$run" "SELECT * FROM capacity_sums(2, 'node')"
	plan_sql "$run" "SELECT * FROM preemption_sums(2)"
	plan tables "lanescope sql $run 'SELECT c.*, length(d.bytes), hex(substr(d.bytes, 1, 64)) FROM block_column c LEFT JOIN block_data d ON d.id = c.data' && lanescope sql $run 'SELECT sample, name, count(*), sum(value), min(value), max(value) FROM sample_value GROUP BY sample, name'"
	sums="n, rows, summed, start_min, finish_max, unfinished_n, unfinished_sum, dur_sum, dur_min, dur_max, dur_sumsq, self_sum, size_n, size_sum"
	spread="dur_std, dur_p25, dur_p50, dur_p99, self_std, self_p50, self_p90, size_std, size_p75, size_p95"
	for by in "''" name category path 'basename name' dirname class size duration self depth calls unfinished lane_name 'host process thread' 'kind category' "start(1s) name" "time(100ms)" "pattern(''[0-9]+'',''N'')" "arg.kind arg.step"; do
		columns=$(echo "$by" | sed -e "s/''$//" -e 's/([^)]*)//' -e 's/arg.kind arg.step/arg1, arg2/' -e 's/,* /, /g' -e 's/.$/&,/')
		by=$(echo "$by" | sed -e "s/^''$//" -e 's/ /,/g')
		plan_sql "$run" "SELECT $columns $sums FROM span_sums('$by')"
		case $by in
		time*) ;;
		*) plan_sql "$run" "SELECT $columns $spread FROM span_sums('$by', 'depth < 3')" ;;
		esac
	done
	for filter in 'duration > 1ms' "name LIKE ''%a%''" "category REGEXP ''^[A-Pa-p]'' AND NOT duration < 10us OR depth = 0" 'size IS NOT NULL AND size BETWEEN 1 AND 4KiB' 'thread IN (1, 2, 3) OR self > 50us' 'unfinished = 1'; do
		plan_sql "$run" "SELECT name, n, dur_sum, dur_std, dur_p50, self_p99, size_sum FROM span_sums('name', '$filter')"
		plan_sql "$run" "SELECT * FROM span_page('$filter', '-duration,start', 3, 20)"
		plan_sql "$run" "SELECT level, lane_name, host, process, n, rows, summed, dur_sum, size_n, size_sum, busy, hidden, threads, processes FROM span_busy('lane_name;host,process', '$filter', 'depth = 0')"
	done
	plan_sql "$run" "SELECT name, lane_name, n, start_min FROM event_sums('name,lane_name')"
	plan_sql "$run" "SELECT host, name, n, value_sum, value_min, value_max, value_devsq, value_std, value_p50, value_p90 FROM counter_sums('host,name')"
	plan_sql "$run" "SELECT * FROM event_page('', '-time', 0, 50)"
	plan_sql "$run" "SELECT * FROM counter_page('', '-value,time', 0, 50)"
	plan_sql "$run" "SELECT * FROM span_gaps('', 1, 30)"
	plan_sql "$run" "SELECT * FROM task_sums LIMIT 200"
	plan_sql "$run" "SELECT * FROM task_levels('10ms') LIMIT 200"
	plan_sql "$run" "SELECT s.id, t.* FROM sample s CROSS JOIN sample_sums(s.id, 1, 0.9) t ORDER BY 1"
	plan_sql "$run" "SELECT * FROM span_gaps_within('process', 'depth > 0', 1, 30)"
	plan_sql "$run" "SELECT * FROM span_idle('depth = 0', '1us')"
	plan_sql "$run" "SELECT * FROM span_overlap('1s', 'depth = 0', 'depth > 0')"
	plan_sql "$run" "SELECT * FROM span_pair_sums('name,cause', '1us', 'name', 'depth = 0', 'depth = 1')"
	plan_sql "$run" "SELECT * FROM span_pairs('name', 'depth = 0', 'depth = 1') LIMIT 200"
	plan_sql "$run" "SELECT lane_name, name, count(*), sum(duration), max(duration), median(duration), quantile(self, 0.9), stddev(duration), union_ns(start, duration) FROM span WHERE duration > 1000 GROUP BY 1, 2" "--format json"
	plan_sql "$run" "SELECT * FROM span WHERE start BETWEEN $(($3 / 4)) AND $(($3 / 2)) ORDER BY duration DESC, id LIMIT 60" "--format table"
	n=$2
	for query in $(fitting "$run"); do
		n=$((n + 1))
		plan query "lanescope query $query$(spell "$query") $run --format csv"
		set -- table json jsonl md tsv
		shift $((n % 5))
		plan query "lanescope query $query$(spell "$query") $run --format $1"
	done
	set -- "$run" "$n" "$(ask_old sql "$run" --no-header 'SELECT duration_ns FROM run')"
	for options in "" "--width 60 --ascii" "--width 150 --height 60" "--width 200 --depth --counters" "--colour name" "--colour category --depth" "--colour class" "--colour status" \
		"--from $((${3:-0} / 3)) --to $((${3:-0} / 2))" "--from $((${3:-0} / 10 * 7)) --to $((${3:-0} / 10 * 7 + ${3:-0} / 200 + 2)) --depth --width 133" "--lanes 0" "--svg" "--svg --depth --counters --width 180 --colour name" \
		"--format csv" "--format json --depth --counters --width 40" "--format table --colour name --width 30"; do
		plan timeline "lanescope timeline $run $options"
	done
	plan chrome "lanescope export $run --to chrome"
	plan chrome "lanescope export $run --to chrome --from $((${3:-0} / 4)) --to $((${3:-0} / 2))"
	keys "$run" "screen j screen Tab screen j Tab screen Tab j screen ~ screen"
	keys "$run" "v screen j j screen Enter screen q ^P screen Enter screen q q ? screen"
	keys "$run" "T screen O screen w w screen l l screen c screen c screen c screen f f u screen ? screen"
	keys "$run" "S screen \\\\ screen l l ] screen Enter screen"
}

# A run looked at closely: what each kind of table, the timeline, spans and prompts make of keys.
plan_close() { # run
	for query in $(fitting "$1"); do
		keys "$1" "v ':query $query' Enter screen l l ] screen h [ } screen m j m j m screen J K F screen Enter screen q q z screen ^ \$ Z _ screen V screen q Enter screen"
	done
	keys "$1" "v / 'io' Enter screen n N screen G screen V screen q ':query task-times' Enter screen"
	keys "$1" "1 & 'a' Enter screen & 'n > 2' Enter screen & 'bogus >' Enter screen Esc \\\\ screen Esc"
	keys "$1" "2 / 'e' Enter screen n screen N screen ':sort -n' Enter screen ':hide n' Enter screen ':show' Enter screen p screen Esc"
	keys "$1" "3 screen T screen q S screen q ':frequency name' Enter screen Y y screen"
	keys "$1" "1 ':export t.csv' Enter screen ':export' Enter screen"
	for digit in 4 5 6 7 8 9; do
		keys "$1" "$digit screen Enter screen Enter screen q q screen"
	done
	keys "$1" "S \\\\ ':sort -duration' Enter screen j Enter screen ) screen ( screen ) Enter screen q q & 'duration > 1ms' Enter screen & '^[a-m]' Enter screen & 'dur > abc' Enter screen Esc \\\\ screen ':jump 50%' Enter screen"
	keys "$1" "S \\\\ / 'a' Enter n screen N screen G screen PgUp screen z screen Z screen _ screen ^ screen T screen q i screen"
	keys "$1" "T j j screen o screen . screen . . screen , screen ) screen ( screen Enter screen q f screen f screen"
	keys "$1" "T Right Right m l l l Left m screen w w w screen s screen w w w w screen G screen g screen d d a screen"
	keys "$1" "T c screen c screen c screen c screen ':colour name' Enter screen t screen q & 'duration > 1ms' Enter screen \\\\ / 'a' Enter screen n screen"
	keys "$1" "T O screen G screen w w w w w w screen . screen j screen . screen Enter screen j j screen q S screen q ':range 1ms 5ms' Enter screen ':goto 50%' Enter screen ':lane 0' Enter screen"
	keys "$1" "T L L L w screen H screen o j o screen O O screen u screen w screen q 50x16 screen T screen 200x50 screen 30x7 screen"
	keys "$1" "; 'SELECT * FROM lanes' Enter screen ] screen F screen q q ; 'SELECT nothing' Enter screen Esc ; 'SELECT name, count(*) AS n FROM span GROUP BY 1 ORDER BY 2 DESC, 1' Enter screen j Enter screen"
	keys "$1" ": screen 's' Tab screen Esc ':set glyphs ascii' Enter screen ':set bogus 1' Enter screen ':set view timeline' Enter screen ':messages' Enter screen q ':config' Enter screen q ':map Z help' Enter Z screen"
	keys "$1" "? screen PgDn screen G screen / 'sort' Enter screen q T ? G screen q q v ? G screen q q S ? G screen"
	keys "$1" "| screen D screen X screen ':bogus' Enter screen Z screen"
}

plan_pair() { # a, b
	plan facts "lanescope runs $1 $2 --format json; lanescope info $1 $2 --format csv"
	fitting "$1" | sort >"$work/a"
	fitting "$2" | sort | comm -12 "$work/a" - >"$work/both"
	for query in $(cat "$work/both"); do
		plan diff "lanescope diff $query$(spell "$query") $1 $2 --format csv"
		plan diff "lanescope diff $query$(spell "$query") $1 $2 --format table"
		plan query "lanescope query $query$(spell "$query") $1 $2 --format csv"
		plan query "lanescope query $query$(spell "$query") $1 $2 --wide --format csv"
	done
	plan explain "lanescope explain $1 $2 --format csv"
	plan explain "lanescope explain $1 $2 --format table"
	plan explain "lanescope explain $2 $1 --format json"
	plan explain "lanescope explain $2 $1 --fail-over 5% --limit 4 --format table"
	plan explain "lanescope explain --parts $1 $2 --format json"
	for part in $(ask_old explain --parts "$1" "$2" --format csv --no-header | sed -n 's/^\([a-z-]*\),.*/\1/p'); do
		options=
		[ "$part" != indicators ] || options=' -p budget=300s'
		plan explain "lanescope explain --part $part$options $1 $2 --format csv"
		plan explain "lanescope explain --part $part$options $2 $1 --format table"
	done
	keys "$1" "$2" "screen x screen j A screen"
	keys "$1" "$2" "D screen j j screen Enter screen % screen % screen l l ] screen x screen Enter screen q = screen"
	keys "$1" "$2" "D Enter | screen @ screen @ screen w w l screen j j o screen x screen O screen t screen ? screen"
	keys "$1" "$2" "X screen j j j screen Enter screen Enter screen Enter screen | screen q T screen"
	keys "$1" "$2" "X G screen k k Enter screen F screen q ] screen & 'a' Enter screen q ? screen"
	keys "$1" "$2" "| screen w w w screen l l screen O screen ) screen Enter screen S screen q q @ @ screen"
}
plan_pair_close() { # a, b
	n=0
	for query in $(cat "$work/both"); do
		n=$((n + 1))
		keys "$1" "$2" "D / '$query' Enter screen $(printf 'j %.0s' $(seq $n)) Enter screen % % screen Enter screen q = screen q | screen"
	done
	for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
		keys "$1" "$2" "X $(printf 'j %.0s' $(seq $((n * 3)))) Enter screen j Enter screen Enter screen q q B screen"
	done
}

plan_alone() {
	for command in import runs info queries query diff explain sql timeline export simulate demo completion 'simulate preemption' 'simulate trace' 'simulate checkpoint'; do
		plan help "lanescope $command --help"
	done
	for shell in bash zsh fish; do
		plan help "lanescope completion $shell"
	done
	plan help "lanescope --help; lanescope --version; lanescope queries --format csv; lanescope queries --format table; lanescope explain --parts --format csv; lanescope explain --parts --format table"
	for query in $(ask_old queries --format csv --no-header | cut -d, -f1); do
		plan help "lanescope query $query --help; lanescope queries --sql $query"
	done
	for folder in samples demo data each; do
		[ -d "$work/old/r/$folder" ] || continue
		plan facts "lanescope runs r/$folder --format csv"
		plan facts "lanescope runs r/$folder --format table --sort -duration,run --limit 30"
		plan screens "echo 'screen G screen / e Enter n screen j i screen' >\$T/keys; lanescope --keys \$T/keys --size 120x35 r/$folder"
	done
	for format in dftracer cascade chrome dasf dataload preemption; do
		plan import "lanescope import --dry-run data/$format"
		plan import "lanescope import --quiet --one --threads 1 -o \$T/all.lanes data/$format && lanescope info \$T/all.lanes --format json"
		plan import "lanescope import --quiet --lenient --strict --threads 2 -o \$T/all/ data/$format; lanescope runs \$T/all --format csv | sed 's|[^,]*\$||'"
		plan import "lanescope import --quiet --format $format -o \$T/wrong.lanes data/golden/README; ls \$T"
	done
	[ -z "$samples" ] || plan import "lanescope import --dry-run samples/"
	plan import "lanescope export data/golden/four.jsonl --to chrome | lanescope import --quiet --name again -o \$T/again.lanes - && lanescope info \$T/again.lanes --format json"
	plan import "lanescope import --quiet -o \$T/one.lanes data/golden/one.jsonl && lanescope import -o \$T/one.lanes data/golden/one.jsonl; lanescope import --quiet -o \$T/one.lanes data/golden/four.jsonl"
	for options in '' '--p-preempt 0.02,0.05 --seed 1-4' '--p-preempt 0.02,0.5 --depth 8,16 --seed 1-20 --summary --format table' '--minutes 60 --checkpoint-every 0,10m --format json' '--seed 3 --wide' \
		'--minutes 600 --reconfig 10s --tick 1s --initial 60 --seed 5-9 --format jsonl' '--depth 0' '--seed x' '--like missing'; do
		plan simulate "lanescope simulate preemption $options"
	done
	plan simulate "lanescope simulate preemption --minutes 90 --seed 3 --log \$T/log.csv -o \$T/one.lanes; cat \$T/log.csv; lanescope export \$T/one.lanes --to csv -o \$T/x; cat \$T/x/[!r]*; lanescope simulate preemption --replay \$T/one.lanes --summary"
	plan simulate "lanescope simulate trace --minutes 300 --seed 2 -o \$T/made --start 2021-07-26T18:42:00Z; cat \$T/made*"
	for run in samples/full-64 samples/run-86 samples/p3-trace data/small-8; do
		[ -e "$work/old/r/$run.lanes" ] || continue
		plan simulate "lanescope simulate preemption --replay r/$run.lanes; lanescope simulate preemption --like r/$run.lanes --seed 1-5 --summary; lanescope simulate preemption --profile r/$run.lanes; lanescope simulate checkpoint --failures r/$run.lanes --cost 89s"
	done
	for options in '' '--format table' '--mtbf 6h --cost 90s --nodes 4 --exponent node' '--node-mtbf 100h --nodes 2,8 --exponent doubling --format json' '--mtbf 6h --node-mtbf 100h' '--cost 90'; do
		plan simulate "lanescope simulate checkpoint $options"
	done
	four=r/data/four.lanes
	for wrong in '' 'impotr x' nonsense ./nonsense 'help imprt' query 'query task-times' "query task-tmies $four" "query io-summary $four" "query task-times $four -p wroker=x" "query task-times $four -p worker" \
		"query task-times $four --sort ttoal" "query task-times $four --limit -1" "query task-times $four --frmat csv" "query task-times $four -x" 'query task-times missing.lanes' "query task-times $four --format cvs" \
		"export $four" "export $four --to table" 'completion tcsh' "sql $four 'SELECT'" "sql $four 'DELETE FROM run'" "sql $four 'SELECT nothing FROM lanes'" "sql $four \"SELECT * FROM span_sums('nothing')\"" "sql $four \"SELECT * FROM span_sums('name', 'a >')\"" \
		"diff task-times $four" "diff task-times $four $four --measure no" "explain $four" "explain $four $four --part no" "explain $four $four --part stages -p by=no" "timeline $four --from x" "timeline $four --colour no" "timeline $four --width 0" 'info missing' 'runs missing' \
		'import' 'import missing' 'import data/golden/README' 'import --format no data/golden/four.jsonl' 'simulate' 'simulate nothing' 'queries missing' 'queries --sql no' "--keys missing $four" "--size 1x1 $four" "--class a $four" 'runs --sort no r/data' "info $four --format x" "query task-times $four -o nowhere/x.csv"; do
		plan errors "lanescope $wrong"
	done
	plan errors "head -c 5000 $four >\$T/cut.lanes; lanescope query task-times \$T/cut.lanes; lanescope info \$T/cut.lanes; printf 'SQLite format 3\\0' >\$T/foreign.lanes; lanescope info \$T/foreign.lanes; lanescope runs \$T"
	keys "$four" "screen"
}

make_plan() {
	plan_alone
	close="r/demo/four-workers.lanes r/demo/training.lanes"
	for name in f4 pytorch-cupti pytorch-nccl bazel-tiny test-trace gpu1 full-64 run-86 sample-exp1 p3-trace; do
		[ ! -e "$work/old/r/samples/$name.lanes" ] || close="$close r/samples/$name.lanes"
	done
	for name in aggregated density chrome-phases gpu; do
		[ ! -e "$work/old/r/data/$name.lanes" ] || close="$close r/data/$name.lanes"
	done
	n=0
	last= last_format=
	for run in $(cd "$work/old" && find r/demo r/data ${samples:+r/samples} -name '*.lanes' | sort); do
		n=$((n + 1))
		case " $close r/samples/f1.lanes r/demo/one-worker.lanes " in
		*" $run "*) ;;
		*) [ -z "$quick" ] || continue ;;
		esac
		length=$(ask_old sql "$run" --no-header 'SELECT duration_ns FROM run')
		format=$(ask_old sql "$run" --no-header 'SELECT format FROM run')
		plan_run "$run" $n "${length:-0}"
		if [ "$format" = "$last_format" ] && { [ -n "$quick" ] || [ $((n % 3)) -eq 0 ]; }; then
			plan_pair "$last" "$run"
		fi
		last=$run last_format=$format
	done
	for run in $close; do
		case $quick$run in
		yes*training* | yes*test-trace* | yes*nccl*) ;;
		*) plan_close "$run" ;;
		esac
	done
	for pair in "r/demo/one-worker.lanes r/demo/four-workers.lanes" "r/samples/f1.lanes r/samples/f4.lanes" "r/samples/gpu1.lanes r/samples/gpu4.lanes" "r/samples/cpu.lanes r/samples/gpu1.lanes" "r/samples/m2_2.log.lanes r/samples/m4_1.lanes" \
		"r/samples/pytorch-control.lanes r/samples/pytorch-nccl.lanes" "r/samples/test-trace.lanes r/samples/dlio_v108.lanes"; do
		set -- $pair
		if [ -e "$work/old/$1" ] && [ -e "$work/old/$2" ]; then
			[ -z "$quick" ] || [ "$1" = r/demo/one-worker.lanes ] || continue
			plan_pair "$1" "$2"
			plan_pair_close "$1" "$2"
		fi
	done
}

make_plan | awk '!seen[$0]++' >"$work/plan"
if [ -n "$show" ]; then
	cat "$work/plan"
	exit 0
fi
exec 3>&1
: >"$work/tally.0"
case "$only " in
" " | *" import "*) compared_import >"$work/tally.0" ;;
esac
job=1
while [ "$job" -le "$jobs" ]; do
	awk -v jobs="$jobs" -v job="$job" 'NR % jobs == job - 1 { print NR, $0 }' "$work/plan" >"$work/plan.$job"
	while trap 'exit 2' TERM && read -r number kind command; do
		compare "$kind" "$number" "$job" "$command"
	done <"$work/plan.$job" &
	workers="$workers $!"
	job=$((job + 1))
done
wait
cat "$work"/tally.* | awk '
	{ n[$1]++; total++ }
	$2 == "differs" { differs[$1]++; all_differ++ }
	$3 != 0 { failing[$1]++; all_failing++ }
	$3 >= 128 { died[$1]++ }
	END {
		printf "%-10s %9s %9s %9s\n", "kind", "compared", "differ", "failing"
		kinds = split("import facts tables sql query diff explain timeline chrome simulate help errors screens", order, " ")
		for (i = 1; i <= kinds; i++) if (n[order[i]]) {
			kind = order[i]
			printf "%-10s %9d %9d %9d%s\n", kind, n[kind], differs[kind], failing[kind], died[kind] ? "   " died[kind] " ended by a signal" : ""
		}
		printf "%-10s %9d %9d %9d\n", "all", total, all_differ, all_failing
		exit total == 0 ? 2 : all_differ > 0
	}'
