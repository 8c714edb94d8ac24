# Shared by the tests over samples that are not part of the project: TAP, a folder of their own, skipping.
#
#   LANESCOPE         the program (default: lanescope in PATH)
#   COMPARE           tests/shared/compare, built
#   LANESCOPE_SHARED  folder of the samples; without it everything is skipped
LANESCOPE=${LANESCOPE:-lanescope}
COMPARE=${COMPARE:-compare}
count=0
failed=0
LC_ALL=C.UTF-8
TZ=UTC0
export LC_ALL TZ

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}
[ -n "${LANESCOPE_SHARED:-}" ] && [ -d "$LANESCOPE_SHARED" ] || skip_all "LANESCOPE_SHARED does not name the folder of samples"
command -v "$LANESCOPE" >/dev/null 2>&1 || skip_all "no program $LANESCOPE"
command -v "$COMPARE" >/dev/null 2>&1 || skip_all "no program $COMPARE"

work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-shared.XXXXXX") || exit 2
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

# ask FILE QUERY RUN [OPTION]...: the answer as CSV in $work/FILE
ask() {
	ask_file=$1
	shift
	"$LANESCOPE" query "$@" --format csv -o "$work/$ask_file" 2>"$work/stderr" || {
		sed 's/^/# /' "$work/stderr"
		: >"$work/$ask_file"
	}
}

# check NAME COMPARE_ARGUMENT...
check() {
	check_name=$1
	shift
	"$COMPARE" "$@"
	result $? "$check_name"
}

# The sample's first run as $work/NAME.lanes
import_sample() { # name, path...
	import_name=$1
	shift
	for import_path; do
		set -- "$@" "$LANESCOPE_SHARED/$import_path"
		shift
	done
	"$LANESCOPE" import --quiet -o "$work/$import_name.lanes" "$@" 2>"$work/stderr"
	result $? "$import_name is imported"
}

# The last screen after these keys holds each of the texts.
shows() { # names, keys, text...
	show_name=$1
	printf '%s\n' "$2" >"$work/keys"
	show_keys=$2
	shift 2
	(cd "$work" && "$LANESCOPE" --keys keys --size "${SIZE:-120x40}" ${GLYPHS:-} $(printf '%s.lanes ' $show_name) >screen 2>stderr)
	for text; do
		grep -qF -- "$text" "$work/screen"
		show_status=$?
		[ $show_status -eq 0 ] || sed 's/^/# /' "$work/screen"
		result $show_status "$show_name, keys '$show_keys': $text"
	done
}

skip() {
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

finish() {
	echo "1..$count"
	exit $failed
}
