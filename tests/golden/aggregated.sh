# Records that stand for many calls, beside plain ones: what every query that fits says of them, the run's facts, one such record in the
# explorer and in exports. 6 s, two processes: 10 with four records of 115 calls and two of one call, which are just calls (and a thread that
# computes), 20 without.
lanescope import --quiet --name run data/dftracer/aggregated.pfw
lanescope info run.lanes | sed -n '1,/^problems/p'
lanescope queries run.lanes --format csv 2>/dev/null | sed 1d | cut -d, -f1 | while read -r query; do
	echo "== $query"
	case $query in
	file-spans | file-writes) needs='-p file=*' ;;
	interference) needs='-p of=category="POSIX" -p while=name="comp"' ;;
	*) needs= ;;
	esac
	lanescope query "$query" run.lanes --format csv $needs 2>&1
done
echo "== in a table"
lanescope query span-quantiles run.lanes
echo "== a query of one's own"
mkdir -p "$XDG_CONFIG_HOME/lanescope/queries"
cat >"$XDG_CONFIG_HOME/lanescope/queries/covered.sql" <<'END'
-- title: What spans cover
-- format: any
-- column covered duration
-- column median duration
SELECT union_ns(start, duration) AS covered, (SELECT dur_p50 FROM span_sums('')) AS median FROM span;
END
lanescope query covered run.lanes --format csv
lanescope diff covered run.lanes run.lanes --format csv 2>&1 | grep stand
echo "== without them there is nothing to say"
lanescope import --quiet --name plain data/dftracer/new.pfw
lanescope query span-quantiles plain.lanes | grep -c 'stand'
lanescope info plain.lanes | grep -c 'at most'
echo "== bounds: a run that ends with a call of its own is as long as it is"
{
	cat data/dftracer/aggregated.pfw
	echo '{"id":11,"name":"close","cat":"POSIX","pid":20,"tid":20,"ts":8000000,"dur":5000,"type":3,"ph":1,"args":{"hhash":"a2"}}'
} >ends.pfw
lanescope import --quiet ends.pfw
lanescope info ends.lanes | grep 'at most'
echo "== exports"
lanescope export run.lanes --to csv -o out 2>/dev/null
cut -d, -f1,2,3,14,18-23 out/span.csv | grep -E '^id|^1,|^1[345],'
lanescope query file-spans run.lanes -p 'file=*' --format jsonl 2>/dev/null | grep '"calls": *10,'
echo "== explorer: the run; a record, and a call of a name that records sum up"
shows() { # size, keys
	printf '%s\n' "$2" >keys
	lanescope --keys keys --size "$1" run.lanes
}
shows 110x12 ' ' | head -2
shows 110x26 "S \\ '&calls = 100' Enter Enter"
shows 110x26 "S \\ '&name = \"write\" AND size = 8192' Enter Enter" | grep 'of its name'
echo "== two runs"
lanescope explain run.lanes ends.lanes --part io-bandwidth --format csv 2>&1
echo "== two runs: what is not known call by call is no part of what is divided, but of the makespan and its gate"
made() { # intervals
	echo '{"id":0,"name":"comp","cat":"app","ph":1,"pid":1,"tid":1,"ts":1000000,"dur":500000,"args":{}}'
	for i in $(seq 0 $(($1 - 1))); do
		echo '{"name":"write","cat":"POSIX","ph":3,"pid":1,"tid":1,"ts":'$((1 + i))'000000,"args":{"fname":"/p/x","dft_cnt":100,"dur_sum":950000,"dur_min":9000,"dur_max":9900}}'
	done
}
made 4 >fast.pfw
made 8 >slow.pfw
lanescope explain fast.pfw slow.pfw --part all --fail-over 5% --format csv 2>&1
echo "status $?"
for part in sharing path schedule matched; do
	lanescope explain fast.pfw slow.pfw --part "$part" --format csv 2>&1
done
lanescope explain fast.pfw fast.pfw --part io-overlap --format csv 2>&1 | grep stand
echo "== a condition on duration, self or size is about calls: what can't be decided is left out, and told"
for condition in 'duration >= 1ms' 'duration < 9500us' 'duration <= 9900us AND name = "write"' 'self > 9500us OR size > 5' 'duration >= 600ms'; do
	lanescope sql fast.pfw "SELECT n, rows, dur_sum FROM span_sums('', '$condition')" --format csv 2>&1
done
lanescope query span-longest fast.pfw -p 'filter=duration > 9500us' --format csv 2>&1
lanescope sql fast.pfw fast.pfw "SELECT n FROM span_sums('', 'duration < ?1', 9500000)" --format csv 2>&1
lanescope explain fast.pfw slow.pfw --part io -p 'filter=duration > 9500us' --format csv 2>&1
echo "== notes are of the answer: computing alone has no such record"
lanescope query function-time fast.pfw -p category=app --format csv 2>&1
lanescope query span-quantiles fast.pfw -p 'filter=name = "comp"' --format csv 2>&1
echo "== a process that reports once: its interval is a guess, and notes don't call it a bound"
echo '{"id":1,"name":"write","cat":"POSIX","pid":1,"tid":1,"ts":1000000,"ph":3,"args":{"dft_cnt":100,"dur_sum":900000,"dur_min":100,"dur_max":20000}}' >once.pfw
lanescope import --quiet once.pfw
lanescope query idle-by-lane once.lanes --format csv 2>&1
lanescope info once.lanes | grep guess
