# DASF: files whose names tell of different experiments are different runs, unless they are named with one file to go to.
folder=data/dasf
lay() {
	mkdir -p "$1"
	for host in h1 h2; do
		for plugin in ResourceMonitor TracePlugin; do
			# The same data would count once: each experiment's files end in bytes of their own.
			{ cat $folder/hosts-$plugin-$host.msgpack && printf '%s' "$1/$2"; } >"$1/$2-$plugin-$host.msgpack"
		done
	done
}
tasks() {
	for run in "$@"; do
		echo "$(basename "$run") $(lanescope sql "$run" --no-header --format csv 'SELECT count(*), (SELECT count(*) FROM source) FROM task')"
	done
}
lay both alone
echo "== one experiment is named by what its files share"
mkdir out && lanescope import --quiet -o out both && tasks out/*.lanes
lay both other
lay both timed-1700000000
lay both timed-1700003600
echo "== several of a folder"
rm -r out && mkdir out && lanescope import --quiet -o out both && tasks out/*.lanes
echo "== begins that differ a little"
mkdir near && cp $folder/hosts-TracePlugin-h1.msgpack near/x-1700000000-TracePlugin-h1.msgpack
cp $folder/hosts-ResourceMonitor-h1.msgpack near/x-1700000002-ResourceMonitor-h1.msgpack
rm -r out && mkdir out && lanescope import --quiet -o out near && tasks out/*.lanes
echo "== of folders"
lay parts/a same
lay parts/b same
rm -r out && mkdir out && lanescope import --quiet -o out parts && tasks out/*.lanes
echo "== named one by one"
rm -r out && mkdir out && lanescope import --quiet -o out both/alone-* both/other-* && tasks out/*.lanes
echo "== and with one file to go to"
lanescope import --quiet --one -o one.lanes both/alone-* both/other-* && tasks one.lanes
lanescope query problems one.lanes --format csv
lanescope import --quiet -o two.lanes both
