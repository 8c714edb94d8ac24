#!/bin/sh
# What `lanescope explain` says of pairs of runs whose cause is known (causes.py), held against it (score.py): most causes are named
# first, noise names none, no sentence contradicts its row. `score.sh scoreboard` prints the scoreboard of README instead. TAP.
. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
python3 -c 'import dataclasses, statistics; statistics.NormalDist' 2>/dev/null || skip_all "python3 of 3.8 or later, which causes.py needs, is not installed"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
if [ "${1:-}" = scoreboard ]; then
	python3 "$here/causes.py" --all 512 --noise 500 --two 100 --seed "${2:-441002}" --out "$work/pairs" >/dev/null
	python3 "$here/score.py" "$work/pairs" --lanescope "$LANESCOPE" --jobs 2
	exit
fi

figure() { # ROW OF THE SCOREBOARD, COLUMN: "13 of 14", or how many there are of how many pairs
	sed -n "s/^| $1 | //p" "$work/board" | cut -d'|' -f"$2"
}
at_least() { # PERCENT, "13 of 14"
	echo "$2" | awk -v least="$1" '{ exit !(NF == 3 && $1 * 100 >= $3 * least) }'
}
named() { # ROW: how many of its pairs are named first
	echo "$(figure "$1" 2) of $(figure "$1" 1)"
}

python3 "$here/causes.py" --all 96 --noise 40 --seed 77 --out "$work/pairs" >/dev/null
python3 "$here/score.py" "$work/pairs" --lanescope "$LANESCOPE" --jobs 2 --verbose >"$work/board" 2>"$work/said"
status=$?
sed 's/^/# /' "$work/board" "$work/said"
result $status "no sentence contradicts the figures of its row"
at_least 95 "$(named "one cause")"
result $? "nineteen of twenty causes are named first"
at_least 90 "$(figure "one cause" 6)"
result $? "their lane time is right to a tenth in nine of ten"
at_least 90 "$(figure "one cause" 7)"
result $? "nine of ten ranges hold the truth"
at_least 97 "$(named "noise only")"
result $? "noise names no cause"
echo "1..$count"
exit $failed
