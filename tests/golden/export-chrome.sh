# Runs of each format as Chrome traces; parts of them; what goes wrong. That they come back is in tests/export.
lanescope import --quiet --name cascade -o cascade.lanes data/cascade/single.jsonl
lanescope import --quiet --name dasf -o dasf.lanes data/dasf/trace.msgpack
lanescope import --quiet --name dftracer -o dftracer.lanes data/dftracer/v2.pfw
lanescope import --quiet --name gpu -o gpu.lanes data/chrome/gpu.json
lanescope import --quiet --name instances -o instances.lanes data/preemption/events.csv
lanescope import --quiet --name trials -o trials.lanes data/dataload/exp1
for run in cascade dasf dftracer gpu instances trials; do
	echo "== $run"
	lanescope export $run --to chrome
done
echo "== overlaps become rows; names, numbers and nested values as they were"
cat >odd.json <<'END'
[{"name":"a","ph":"X","ts":0,"dur":10,"pid":1,"tid":1},
{"name":"b","ph":"X","ts":5,"dur":10,"pid":1,"tid":1},
{"name":"in b","ph":"X","ts":11,"dur":1,"pid":1,"tid":1},
{"name":"c","ph":"X","ts":16,"dur":0.001,"pid":1,"tid":1},
{"name":"\"quote\\ \u0001\u001b[31m\u00e9\ud83d\ude00","cat":"<b>","ph":"X","ts":1.5,"dur":2.25,"pid":"p\"","tid":-7,
"args":{"big":18446744073709551615,"one":"1","real":1.50,"none":null,"yes":true,"deep":{"a":[1,{}]},"\n":"x","long":123456789012345678901234567890}},
{"name":"C","ph":"C","ts":3,"pid":1,"args":{"v":0.1,"w":-3}},
{"name":"i","ph":"i","ts":4,"pid":1,"tid":99999999999,"s":"p","args":{"lanescope":{"path":"/x"}}}]
END
lanescope import --quiet --name odd odd.json
lanescope export odd --to chrome
echo "== parts"
lanescope export gpu --to chrome --from 20us --to 55us --lanes 'GPU*' | grep '"ph":"X"'
lanescope export gpu --to chrome --lanes nothing-like-it
lanescope export instances --to chrome --to 6s | grep -c '"name":"capacity"'
echo "== files"
lanescope export gpu --to chrome -o gpu-trace.json
lanescope export gpu --to chrome -o gpu-trace.json.gz
gzip -dc gpu-trace.json.gz | cmp - gpu-trace.json && ls
lanescope export gpu --to chrome -o missing/x.json
lanescope export gpu --to chrome >/dev/full
echo $?
echo "== wrong usage"
lanescope export gpu --to chrome --from 2s --to 1s
lanescope export gpu --from 2s
lanescope export gpu --to csv --lanes x
lanescope export gpu --to table
echo "== a run file that was cut, one that is damaged inside"
head -c 60000 gpu.lanes >cut.lanes
lanescope export cut --to chrome -o cut.json
cp gpu.lanes bad.lanes
size=$(wc -c <bad.lanes)
dd if=/dev/zero of=bad.lanes bs=1024 seek=$((size / 2048)) count=$((size / 4096)) conv=notrunc 2>/dev/null
lanescope export bad --to chrome -o bad.json 2>&1 | sed 's/(.*)/(...)/'
ls ./*cut.json ./*bad.json* 2>&1
echo "== many names of arguments"
awk 'BEGIN {
	printf "["
	for (i = 0; i < 50; i++) {
		printf "%s{\"name\":\"n\",\"ph\":\"X\",\"ts\":%d,\"dur\":1,\"pid\":1,\"tid\":1,\"args\":{", i ? ",\n" : "", 2 * i
		for (k = 0; k < 100; k++) printf "%s\"k%d\":%d", k ? "," : "", 100 * i + k, k
		printf "}}"
	}
	print "]"
}' >many.json
lanescope import --quiet many.json
lanescope export many --to chrome | grep -o '"k[0-9]*":[0-9]*' | sort -u | wc -l
