#!/bin/sh
# README.md shows the screens that the golden run "pictures" draws.
src=${LANESCOPE_SRCDIR:-.}
echo "1..1"
if sh "$src/bench/pictures" --check; then
	echo "ok 1 - pictures of README.md"
else
	echo "not ok 1 - pictures of README.md: bench/pictures draws them anew"
	exit 1
fi
