#!/bin/sh
# What `lanescope explain` says of pairs of runs whose cause is known (causes.py), held against it (score.py): most causes are named
# first, noise names none, no sentence contradicts its row. `score.sh scoreboard` prints the scoreboard of README instead. TAP.
. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
python3 -c 'import dataclasses, statistics; statistics.NormalDist' 2>/dev/null || skip_all "python3 of 3.8 or later, which causes.py needs, is not installed"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
if [ "${1:-}" = scoreboard ]; then
	python3 "$here/causes.py" --all 496 --noise 500 --two 100 --seed "${2:-1}" --out "$work/pairs" >/dev/null
	python3 "$here/score.py" "$work/pairs" --lanescope "$LANESCOPE" --jobs 2
	exit
fi

share() { # ROW OF THE SCOREBOARD: percent of its pairs that are named first
	sed -n "s/^| $1 |[^|]*|[^|]*| *\([0-9]*\)[^|]*|.*/\1/p" "$work/board"
}

python3 "$here/causes.py" --all 96 --noise 40 --seed 77 --out "$work/pairs" >/dev/null
python3 "$here/score.py" "$work/pairs" --lanescope "$LANESCOPE" --jobs 2 --verbose >"$work/board" 2>"$work/said"
status=$?
sed 's/^/# /' "$work/board" "$work/said"
result $status "no sentence contradicts the figures of its row"
[ "$(share "one cause")" -ge 90 ]
result $? "of a hundred causes ninety are named first"
[ "$(share "noise only")" -ge 95 ]
result $? "noise names no cause"
echo "1..$count"
exit $failed
