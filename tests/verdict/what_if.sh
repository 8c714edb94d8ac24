#!/bin/sh
# What `explain --part what-if` says a run would save stands in the order that true reruns of its scheduler give (what_if.py). TAP.
. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
python3 -c 'import dataclasses, statistics; statistics.NormalDist' 2>/dev/null || skip_all "python3 of 3.8 or later, which causes.py needs, is not installed"
PYTHONDONTWRITEBYTECODE=1 python3 "$here/what_if.py" "$LANESCOPE" "$work"
