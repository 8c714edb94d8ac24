#!/bin/sh
# Golden tests: each CASE.sh is run in a folder of its own and must print what CASE.out holds, byte by byte (both outputs, and
# the exit status at the end). TAP.
#
#   run.sh [--update] [CASE]...     --update writes what is printed into CASE.out instead
#   run.sh --update-lists           the same for the cases that list all there is: queries, commands, options, formats, parts of explain, columns
#
# LANESCOPE is the program; a case calls it as `lanescope`, and finds the fixtures of tests/data as data/. Home, XDG folders, locale and
# time zone are fixed.
here=$(cd "$(dirname "$0")" && pwd)
update=no
case ${1:-} in
--update)
	update=yes
	shift
	;;
--update-lists)
	update=yes
	set -- aggregated completion info list-keys parts pictures preemption screens views
	for case in $(cd "$here" && grep -l '^\. data/golden/contents' ./*.sh); do # all columns of all tables
		set -- "$@" "$(basename "$case" .sh)"
	done
	;;
esac
program=$(command -v "${LANESCOPE:-lanescope}") || {
	echo "1..0 # SKIP no program ${LANESCOPE:-lanescope}"
	exit 0
}
case $program in
/*) ;;
*) program=$PWD/$program ;;
esac
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-golden.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
# What waits for ever fails.
limit=
! timeout -k 1 9 true 2>/dev/null || limit='timeout -k 9 600'
mkdir "$work/bin" && ln -s "$program" "$work/bin/lanescope"

# A case's output on standard output.
run_case() {
	rm -rf "$work/case"
	mkdir -p "$work/case/home"
	ln -s "$here/../data" "$work/case/data"
	(
		cd "$work/case" || exit 2
		env -i PATH="$work/bin:$PATH" HOME="$work/case/home" XDG_CACHE_HOME="$work/case/home/cache" \
			XDG_CONFIG_HOME="$work/case/home/config" LC_ALL=C.UTF-8 TZ=UTC0 TERM=dumb PAGER= LANESCOPE_MEMORY=2G \
			ASAN_OPTIONS="${ASAN_OPTIONS:-}" UBSAN_OPTIONS="${UBSAN_OPTIONS:-}" LSAN_OPTIONS="${LSAN_OPTIONS:-}" \
			$limit sh "$here/$1.sh" 2>&1 </dev/null
		echo "exit $?"
	) | sed "s|$work/case|WORK|g"
}

if [ $# -eq 0 ]; then
	for file in "$here"/*.sh; do
		name=$(basename "$file" .sh)
		[ "$name" = run ] || set -- "$@" "$name"
	done
fi
for name; do
	[ -f "$here/$name.sh" ] || {
		echo "run.sh: no case '$name' in $here" >&2
		exit 2
	}
done
echo "1..$#"
count=0
failed=0
for name; do
	count=$((count + 1))
	run_case "$name" >"$work/out"
	if [ $update = yes ]; then
		cp "$work/out" "$here/$name.out"
		echo "ok $count - $name (written)"
	elif cmp -s "$work/out" "$here/$name.out"; then
		echo "ok $count - $name"
	else
		echo "not ok $count - $name"
		diff -u "$here/$name.out" "$work/out" | sed 's/^/# /'
		failed=1
	fi
done
exit $failed
