# The pictures of README.md are screens of the demo's runs: a picture that the program no longer draws fails here.
# To draw them anew: tests/golden/run.sh --update pictures && bench/pictures.
lanescope demo >/dev/null 2>&1
runs=home/cache/lanescope/demo
picture() { # name, keys, runs...
	printf '<!-- picture %s -->\n' "$1"
	printf '%s\n' "$2" >keys
	shift 2
	lanescope --keys keys --size 90x22 "$@"
}
picture timeline "v T" $runs/four-workers.lanes
picture overview "" $runs/four-workers.lanes
picture explain "X" $runs/one-worker.lanes $runs/four-workers.lanes
