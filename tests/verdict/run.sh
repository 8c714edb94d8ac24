#!/bin/sh
# Pairs of runs with a known cause are what causes.py says they are, lanescope reads them so, and score.py judges as it says
# (check.py). TAP.
LANESCOPE=${LANESCOPE:-lanescope}
src=${LANESCOPE_SRCDIR:-.}
command -v "$LANESCOPE" >/dev/null 2>&1 || {
	echo "1..0 # SKIP no program $LANESCOPE"
	exit 0
}
python3 -c 'import dataclasses, statistics; statistics.NormalDist' 2>/dev/null || {
	echo "1..0 # SKIP python3 of 3.8 or later, which causes.py needs, is not installed"
	exit 0
}
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-verdict.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=$work/cache python3 "$src/tests/verdict/check.py" "$LANESCOPE" "$work"
