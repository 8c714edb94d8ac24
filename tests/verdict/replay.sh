#!/bin/sh
# What `explain --part replay` says of pairs of runs is what reruns of their scheduler say, and it predicts them (replay.py). TAP.
. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
python3 -c 'import dataclasses, statistics; statistics.NormalDist' 2>/dev/null || skip_all "python3 of 3.8 or later, which causes.py needs, is not installed"
PYTHONDONTWRITEBYTECODE=1 python3 "$here/replay.py" "$LANESCOPE" "$work"
