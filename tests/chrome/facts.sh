#!/bin/sh
# What lanescope says of Chrome traces made by chance, damaged ones among them, and of the samples, is what a reader in Python says, which
# follows the format's rules in plain loops (the files beside this one). Samples whose reading takes Python long are left out.
lanescope=${LANESCOPE:-lanescope}
here=$(cd "$(dirname "$0")" && pwd)
command -v "$lanescope" >/dev/null 2>&1 || {
	echo "1..0 # SKIP no program $lanescope"
	exit 0
}
python3 -c 'import decimal, gzip, json' 2>/dev/null || {
	echo "1..0 # SKIP no python3"
	exit 0
}
case $lanescope in
*/*) lanescope=$(cd "$(dirname "$lanescope")" && pwd)/$(basename "$lanescope") ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-facts.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export HOME="$work" XDG_CACHE_HOME="$work/cache" XDG_CONFIG_HOME="$work/config" LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
set --
for file in "${LANESCOPE_SHARED:-/nowhere}"/chrome/*.json "${LANESCOPE_SHARED:-/nowhere}"/chrome/*.gz; do
	[ -f "$file" ] && [ "$(wc -c <"$file")" -lt 700000 ] && set -- "$@" "$file"
done
python3 "$here/compare.py" "$lanescope" "$work" --seeds "${SEEDS:-1 60}" "$@"
