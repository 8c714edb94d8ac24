# Shared by tests in shell: TAP, and a folder of their own in $work, so that nothing of the user's is read or written.
#
#   LANESCOPE         the program (default: lanescope in PATH)
LANESCOPE=${LANESCOPE:-lanescope}
count=0
failed=0
LC_ALL=C.UTF-8
TZ=UTC0
export LC_ALL TZ

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}
command -v "$LANESCOPE" >/dev/null 2>&1 || skip_all "no program $LANESCOPE"

work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-test.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
HOME=$work
XDG_CACHE_HOME=$work/cache
XDG_CONFIG_HOME=$work/config
export HOME XDG_CACHE_HOME XDG_CONFIG_HOME

# ok STATUS NAME
result() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		failed=1
	fi
}
