#!/bin/sh
# Replays each fuzz harness's corpus: inputs that once broke something, and one of each shape. Then inputs made of those by chance, for
# FUZZ_SECONDS each (environment; none), from FUZZ_SEED (the time); the one that broke something is kept beside the harness.
src=${LANESCOPE_SRCDIR:-.}
build=${LANESCOPE_BUILDDIR:-.}
count=0
failed=0
for source in "$src"/tests/fuzz/fuzz_*.c; do
	name=$(basename "$source" .c)
	corpus=$src/tests/fuzz/corpus/${name#fuzz_}
	count=$((count + 1))
	if out=$(FUZZ_LAST=${FUZZ_SECONDS:+$build/tests/fuzz/$name.last} "$build/tests/fuzz/$name" "$corpus" 2>&1) && printf '%s\n' "$out" | grep -q '^ok'; then
		echo "ok $count - $name: $(printf '%s\n' "$out" | grep -c '^ok') inputs$(printf '%s\n' "$out" | sed -n 's/^# \(.* by chance\)/, \1/p')"
		rm -f "$build/tests/fuzz/$name.last"
	else
		echo "not ok $count - $name"
		printf '%s\n' "$out" | tail -40 | sed 's/^/# /'
		failed=1
	fi
done
echo "1..$count"
exit $failed
