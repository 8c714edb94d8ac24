#!/bin/sh
# lanescope-record(7): the lines of a producer are run as they are printed, where the programs that they need are installed. Of the others
# a recorded trace is put where the lines leave it, and the line that imports it is run. Every producer of the page is one or the other.
src=${LANESCOPE_SRCDIR:-.}
page=$(cd "$src/man" && pwd)/lanescope-record.7
data=$(cd "$src/tests/data" && pwd)
shared=${LANESCOPE_SHARED:-/nowhere}
. "$src/tests/tap.sh"
. "$src/tests/page.sh"
program_named

skip() { # name why
	count=$((count + 1))
	echo "ok $count - $1 # SKIP $2"
}

# In a folder of its own: runs the lines, which must make a run of this format and dialect.
try() { # name format lines
	(
		set -e
		printf '%s\n' "$3" >lines
		[ -s lines ]
		sh -e ./lines
		lanescope runs --format csv . runs 2>/dev/null >list || lanescope runs --format csv . >list
		cut -d , -f 2,3 list | grep -qx "$2"
	) >output 2>&1
	status=$?
	[ $status = 0 ] || sed 's/^/# /' output
	[ $status = 0 ] || sed 's/^/# /' list 2>/dev/null
	result $status "$1"
}

handled=
enter() { # name
	handled="$handled|$1|"
	rm -rf "$work/place"
	mkdir "$work/place" && cd "$work/place" || exit 2
}

# run NAME FORMAT,DIALECT PROGRAM...: all of its lines
run() {
	name=$1
	format=$2
	shift 2
	for program; do
		command -v "$program" >/dev/null 2>&1 || {
			skip "$name: lines run as printed" "$program is not installed"
			return
		}
	done
	try "$name: lines run as printed" "$format" "$(lines_of "$page" "$name")"
}

# import NAME FORMAT,DIALECT FILE PLACE [FILE PLACE]...: the line that imports, with recorded traces
import() {
	name=$1
	format=$2
	shift 2
	while [ $# -gt 1 ]; do
		[ -e "$1" ] || {
			skip "$name: a recorded trace" "no ${1##*/} here"
			return
		}
		mkdir -p "$(dirname "$2")" && cp -r "$1" "$2"
		shift 2
	done
	try "$name: a recorded trace" "$format" "$(lines_of "$page" "$name" | grep '^lanescope import')"
}

enter PyTorch
import PyTorch chrome,pytorch "$shared/chrome/pytorch-simple-add.json.gz" traces/host_1.2.pt.trace.json.gz
enter JAX
skip "JAX: a recorded trace" "no trace of JAX is at hand"
enter Bazel
import Bazel chrome,bazel "$shared/chrome/bazel-tiny.json.gz" build.profile.gz
enter clang
printf '#include <vector>\nint main() { std::vector<int> v(3); return v[0]; }\n' >hello.cc
run clang chrome,clang clang++
enter CMake
printf 'cmake_minimum_required(VERSION 3.5)\nproject(hello CXX)\nadd_executable(hello hello.cc)\n' >CMakeLists.txt
printf '#include <vector>\nint main() { std::vector<int> v(3); return v[0]; }\n' >hello.cc
run CMake chrome,clang clang++ cmake make
enter Node.js
echo "performance.mark('a'); performance.measure('start', 'a');" >app.js
run Node.js 'chrome,.*' node
enter Chrome
import Chrome chrome,devtools "$shared/chrome/devtools-chrome116.json" Trace-20230603T221323.json
enter VizTracer
import VizTracer chrome,viztracer "$shared/chrome/viztracer-multithread.json" result.json
enter uftrace
run uftrace chrome,uftrace gcc uftrace
enter Ray
import Ray chrome,ray "$shared/chrome/ray-timeline.json" timeline.json
enter DFTracer
import DFTracer 'dftracer,.*' "$data/golden/base-0.pfw" traces/app-1.pfw
enter Dask
import Dask 'dasf,.*' "$data/dasf/hosts-TracePlugin-h1.msgpack" f1-1700000000-TracePlugin-h1.msgpack \
	"$data/dasf/resources.msgpack" f1-1700000000-ResourceMonitor-h1.msgpack
enter Cascade
import Cascade 'cascade,.*' "$data/cascade/lifecycle.log" run.txt
enter "Data loading"
import "Data loading" 'dataload,.*' "$data/dataload/exp1" study
enter "Spot instances"
run "Spot instances" 'preemption,.*'
enter Counters
run Counters 'counters,.*'
enter "Any program"
run "Any program" 'chrome,.*'

titles_of "$page" PRODUCERS | while read -r name; do
	case $handled in
	*"|$name|"*) ;;
	*) echo "$name" ;;
	esac
done >"$work/forgotten"
sed 's/^/# not tested: /' "$work/forgotten"
[ ! -s "$work/forgotten" ]
result $? "every producer of the page is tested"
echo "1..$count"
exit $failed
