#!/bin/sh
# lanescope.py, as `lanescope python` writes it: on the project's own traces, and the cells of the five notebooks on the samples. With every
# Python there is, with pandas and without: the system's own often has it where the first of the PATH has not.
src=$(cd "${LANESCOPE_SRCDIR:-.}" && pwd)
. "$src/tests/tap.sh"
pythons=
for python in python3 /usr/bin/python3; do
	real=$(command -v $python 2>/dev/null && true) || continue
	"$real" -c 'import sys; sys.exit(sys.version_info < (3, 7))' 2>/dev/null || continue
	case " $pythons " in *" $real "*) ;; *) pythons="$pythons $real" ;; esac
done
[ -n "$pythons" ] || skip_all "no python3 here, from 3.7 on"
program=$(command -v "$LANESCOPE")
case $program in /*) ;; *) program=$PWD/$program ;; esac
export LANESCOPE="$program" PYTHONDONTWRITEBYTECODE=1
mkdir "$work/module"
"$program" python >"$work/module/lanescope.py"
result $? "the module is written"
cmp -s "$work/module/lanescope.py" "$src/src/python/lanescope.py"
result $? "it is the one that the tests know"

# with PYTHON PANDAS PROGRAM ARGUMENT...: the lines of a program with or without pandas as tests
with() {
	python=$1 kind=$2 script=$3
	shift 3
	mkdir -p "$work/without/pandas" && echo 'raise ImportError("none")' >"$work/without/pandas/__init__.py"
	path=$work/module:$src/tests/python
	[ "$kind" = with ] || path=$work/without:$path
	rm -rf "$work/files" && mkdir "$work/files"
	PYTHONPATH=$path "$python" "$src/tests/python/$script" "$@" >"$work/said" 2>"$work/failed"
	status=$?
	while read -r line; do
		case $line in
		"ok "*) result 0 "$kind pandas: ${line#ok }" ;;
		"not ok "*) result 1 "$kind pandas: ${line#not ok }" ;;
		*) echo "$line" ;;
		esac
	done <"$work/said"
	[ $status = 0 ] || sed 's/^/# /' "$work/failed"
	result $status "$kind pandas: $script comes to its end"
}
first=${pythons# }
first=${first%% *}
with "$first" without module.py "$src/tests/data"
frames=
for python in $pythons; do
	[ -n "$frames" ] || ! "$python" -c 'import pandas' 2>/dev/null || frames=$python
done
if [ -n "$frames" ]; then
	with "$frames" with module.py "$src/tests/data"
else
	count=$((count + 1))
	echo "ok $count - with pandas # SKIP no python3 here has pandas"
fi
if [ -n "${LANESCOPE_SHARED:-}" ] && [ -d "$LANESCOPE_SHARED" ]; then
	with "${frames:-$first}" "$([ -n "$frames" ] && echo with || echo without)" cells.py "$LANESCOPE_SHARED" "$work/files"
else
	count=$((count + 1))
	echo "ok $count - cells of the notebooks # SKIP no samples here (LANESCOPE_SHARED)"
fi
echo "1..$count"
exit $failed
