# Parts divided by lane, host and time: whatever the rows are, they add up to the same whole, nothing is left over.
data=data/golden
lanescope import --quiet --name one $data/one.jsonl
lanescope import --quiet --name four $data/four.jsonl
lanescope import --quiet --name hosts $data/hosts.jsonl
lanescope import --quiet --name base $data/base-*
lanescope import --quiet --name scr $data/scr-*
lanescope import --quiet --name nested data/chrome/nested.json
lanescope import --quiet --name streams data/chrome/streams.json
lanescope import --quiet --name dasf data/dasf/trace.msgpack
rows() { lanescope explain "$1" "$2" --part "$3" -p by="$4" -p window="$5" --format csv 2>/dev/null; }
check() { # A B PART LIST...: each list of dimensions
	pair="$1 $2" part=$3
	whole=$(lanescope explain $pair --part "$part" --format csv 2>/dev/null | tail -1 | grep -oE '[0-9]+,[0-9]+,-?[0-9]+')
	shift 3
	for by; do
		for window in 0ns 100ms; do
			rows $pair $part "$by" $window >rows.csv
			sum=$(tail -1 rows.csv | grep -oE '[0-9]+,[0-9]+,-?[0-9]+')
			[ -n "$sum" ] && [ "$sum" = "$whole" ] || echo "$pair $part by=$by: $sum, by default $whole"
		done
	done
}
for part in sharing area matched; do
	for pair in 'one four' 'one hosts' 'nested streams' 'dasf dasf'; do
		check $pair $part lane host time kind,lane time,kind kind,lane,host,time
	done
done
for part in sharing area io; do
	check base scr $part lane host time lane,host,time
done
echo "== residuals"
for part in sharing area io; do
	for by in lane host time lane,time; do rows base scr $part $by 0ns; done | grep '^residual' | sort -u
done
for part in sharing area; do
	for by in lane host time kind,lane,host,time; do rows one four $part $by 50ms; done | grep '^residual' | sort -u
done
echo "== what they look like"
for part in sharing area matched; do
	lanescope explain one four --part $part -p by=time,host --limit 3 --format table 2>/dev/null
done
lanescope explain one four --part matched -p by=lane,kind --limit 3 --format csv 2>&1 | grep -v 'note: \(a is\|makespan\|the runs\)'
lanescope explain base scr --part io -p by=host,time -p window=20s --format table 2>/dev/null
lanescope explain base scr --part io-calls -p by=time -p window=20s --format csv 2>/dev/null
echo "== what is no list of dimensions, too many windows, files that have none"
lanescope explain one four --part sharing -p by=worker
lanescope explain one four --part area -p by=lane,lane
lanescope explain one four --part matched -p by=time -p window=1us
lanescope explain base scr --part matched -p by=lane
lanescope explain base scr --part io -p by=time,time
echo "== words follow the sign; what was said is in JSON as well"
said() { lanescope explain "$@" 2>&1 | grep -E "is (slower|faster)|chance" | sed 's/.*note: //'; }
said one four --part matched --format csv
said four one --part matched --format csv
said base scr --part matched --format csv
said scr base --part matched --format csv
lanescope explain scr base --part matched --limit 1 --format json 2>/dev/null | grep -o '"notes": .*'
lanescope explain scr base --part matched --limit 1 --format jsonl --sort delta 2>/dev/null | grep -o '"notes": "[^\]*'
lanescope explain four one --format json 2>/dev/null | grep -o '"notes": "[^(]*'
echo "== windows of many runs are the same for all of them"
lanescope explain --a one hosts --b four one --part sharing -p by=kind,time --format csv 2>/dev/null | cut -d, -f2 | grep to | sort -u
