#!/bin/sh
# Trees of jobs of every format, drawn from seeds: the runs that come out are those that went in, whichever command reads
# them (trees.py). LANESCOPE_TREES="SEED ..." draws others. TAP.
LANESCOPE=${LANESCOPE:-lanescope}
src=${LANESCOPE_SRCDIR:-.}
command -v "$LANESCOPE" >/dev/null 2>&1 || {
	echo "1..0 # SKIP no program $LANESCOPE"
	exit 0
}
command -v python3 >/dev/null 2>&1 || {
	echo "1..0 # SKIP python3, which trees.py needs, is not installed"
	exit 0
}
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-trees.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# shellcheck disable=SC2086
python3 "$src/tests/trees/trees.py" "$LANESCOPE" "$work" ${LANESCOPE_TREES:-3 7 11 26 29 33}
