# Sourced by the tests that run a Python script of this folder: script NAME, in a folder of its own. Prints TAP.
command -v python3 >/dev/null 2>&1 || {
	echo "1..0 # SKIP python3 is not installed"
	exit 0
}
program=$(command -v "${LANESCOPE:-lanescope}") || {
	echo "1..0 # SKIP no program ${LANESCOPE:-lanescope}"
	exit 0
}
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-study.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

script() {
	PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=$work/cache python3 "$(dirname "$0")/study/$1" "$program" "$work"
}
