# What small screens say is said whole: no figure and no word is cut.
cat >hang.json <<'END'
{"traceEvents":[{"name":"serve","ph":"B","pid":1,"tid":1,"ts":0},{"name":"request","ph":"X","pid":1,"tid":1,"ts":10,"dur":50},
{"name":"lock","ph":"B","pid":1,"tid":1,"ts":70},{"name":"work","ph":"X","pid":1,"tid":2,"ts":500,"dur":300}]}
END
lanescope import --quiet hang.json
lanescope import --quiet data/dftracer/density.pfw
lanescope import --quiet -o base.lanes data/golden/base-0.pfw
show() { # run, size, keys ..., pattern
	run=$1 size=$2 keys=$3
	shift 3
	echo "== $size $run: $keys"
	echo "$size $keys" >keys
	lanescope --keys keys "$run" | grep -E "$1"
}
for size in 80x24 200x50; do
	show hang.lanes $size '' 'unfinished|where|time,'
	show hang.lanes $size 'T Enter' 'unfinished'
	show density.lanes $size 'v' 'dftracer .*lane'
	show density.lanes $size 'T Enter' '^  (calls|density|of its name|duration) '
done
lanescope import --quiet -o other.lanes data/golden/base-1.pfw.gz
mkdir two && mv base.lanes other.lanes two
show two 80x24 'A j B D' 'io-summary|scr-cases|file-writes'
show two 50x24 'A j B D' 'io-summary|scr-cases|file-writes'
echo "== folders beside files: runs of all of them"
mkdir more && lanescope import --quiet -o more/four.lanes data/golden/four.jsonl
echo 100x14 >keys
lanescope --keys keys two hang.lanes more
