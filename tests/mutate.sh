#!/bin/sh
# The mutation run on a toy: one function whose tests see some of its lines, and a mutant that is no change.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/tap.sh"
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
toy=$work/toy
mkdir -p "$toy/src/toy" "$toy/tests/unit" "$toy/tests/golden"
cd "$work" || exit 2

cat >"$toy/src/toy/toy.c" <<'END'
#include "toy/toy.h"
int
toy_most(int a, int b)
{
	/* if (a < b) */
	if (a < b) {
		a = b;
	}
	return a;
}
int
toy_untested(int a)
{
	return a > 5;
}
END
echo 'int toy_most(int a, int b), toy_untested(int a);' >"$toy/src/toy/toy.h"
printf '#include "toy/toy.h"\nint main(void)\n{\n\treturn toy_most(1, 2) != 2 || toy_most(2, 1) != 2;\n}\n' >"$toy/tests/unit/test_toy.c"
printf '#include "toy/toy.h"\nint main(void)\n{\n\treturn toy_untested(9) != 1;\n}\n' >"$toy/src/main.c"
printf '"$LANESCOPE"\n' >"$toy/tests/golden/program.sh"
printf 'sh "$LANESCOPE_SRCDIR/tests/golden/$1.sh"\n' >"$toy/tests/golden/run.sh"
cat >"$toy/configure" <<'END'
#!/bin/sh
mkdir -p src/toy tests/unit
for given; do case $given in CFLAGS=*) echo "$given" ;; esac; done >Makefile
cat >>Makefile <<'M'
all: lanescope
src/toy/toy.o: ../src/toy/toy.c
	cc $(CFLAGS) -I../src -c -o $@ ../src/toy/toy.c
lanescope: src/toy/toy.o
	cc $(CFLAGS) -I../src -o $@ ../src/main.c src/toy/toy.o
tests/unit/test_toy: src/toy/toy.o
	cc $(CFLAGS) -I../src -o $@ ../tests/unit/test_toy.c src/toy/toy.o
M
END
chmod +x "$toy/configure"
cp -R "$toy" sound
mutate() { python3 "$here/mutate" --tree toy --layer src/toy --work built --results mutants --plain "$@"; }

seeds() { # any mutant of a line will do sooner or later
	for seed in 1 2 3 4 5 6 7 8 9; do
		mutate --budget 99 --seed $seed
	done
}
seeds >first 2>&1
diff -r toy sound >&2
result $? "the sources stay as they are"
[ "$(cut -f 2 mutants | sort -u | tr '\n' ' ')" = "src/toy/toy.c:14 src/toy/toy.c:6 src/toy/toy.c:7 src/toy/toy.c:9 " ]
result $? "lines of code are changed, comments and declarations are not"
grep -q 'toy.c:7	deletion	a = b;	;	killed by unit:tests/unit/test_toy	' mutants
result $? "a test that fails kills a mutant"
grep -q 'toy.c:14	.*	killed by golden:program	' mutants
result $? "so does the program itself"
grep -q 'return a > 5;	return a >= 5;	survived' mutants && grep -q '^survived: src/toy/toy.c:14 (comparison)$' first && grep -q '^  + return a >= 5;$' first
result $? "a survivor is printed with its place and change"

python3 "$here/mutate" --tree toy --layer src/toy --work both --budget 9 --seed 1 >both.out 2>&1
[ -x both/tree0/build-asan/lanescope ] && [ "$(cut -f 2-6 both/mutants.tsv)" = "$(head -n "$(wc -l <both/mutants.tsv)" mutants | cut -f 2-6)" ]
result $? "what survives is tried with the sanitizers"

# Only tests that run a line are asked about it, and give the same answers.
mutate --reach >reach.out 2>&1 && grep -v main.c built/reach | cut -f 1,2,4 >reached
printf 'unit:tests/unit/test_toy\tsrc/toy/toy.c\t3 6 7 9\nunit:tests/unit/test_toy\t\t\ngolden:program\tsrc/toy/toy.c\t12 14\ngolden:program\t\t\n' | diff - reached >&2
result $? "which lines a test runs is noted"
for seed in 1 2 3 4 5 6 7 8 9; do
	mutate --budget 99 --seed $seed --results reaching
done >/dev/null 2>&1
cut -f 2-6 mutants >plainly
cut -f 2-6 reaching | diff plainly - >&2
result $? "tests that do not run a line say nothing of it"

# The same object: what is taken away was nothing.
sed 's/^		a = b;/		a = b + 0;/' sound/src/toy/toy.c >toy/src/toy/toy.c
seeds >/dev/null 2>&1
grep -q 'a = b + 0;	a = b - 0;	identical' mutants
result $? "a mutant that makes no other code is not tested"
cp sound/src/toy/toy.c toy/src/toy/toy.c

lines=$(wc -l <mutants)
mutate --budget 99 --seed 1 >again 2>&1
[ "$(wc -l <mutants)" -eq "$lines" ] && grep -q '^survived: ' again
result $? "what is in the results file is not run again, but counted"

before=$(mutate --summary mutants | awk '$1 == "all" { print $2, $3 }')
printf 'src/old/toy.c:toy_untested\tcomparison\treturn a > 5;\treturn a >= 5;\tonly ever asked with 9\n' >toy/tests/mutate.equivalent
after=$(mutate --summary mutants | awk '$1 == "all" { print $2, $3, $7, $8 }')
[ "${before%% *}" -eq $((${after%% *} + 1)) ] && [ "${after#* * }" != "$after" ] && mutate --summary mutants | grep "1 equivalent" >/dev/null
result $? "one that is listed as equivalent does not count, wherever its file is"
sed -i 's/toy_untested/toy_most/' toy/tests/mutate.equivalent
[ "$(mutate --summary mutants | awk '$1 == "all" { print $2, $3 }')" = "$before" ]
result $? "the same line in another function counts"
rm toy/tests/mutate.equivalent

# A test that does not come back, and leaves a process in a session of its own.
sed 's/toy_untested(int a)/&/; s/return a > 5;/while (a > 5) {\n\t\ta--;\n\t}\n\treturn 1;/' sound/src/toy/toy.c >toy/src/toy/toy.c
printf 'setsid sleep 987654 &\n"$LANESCOPE"\n' >toy/tests/golden/program.sh
mutate --budget 99 --seed 1 --results left >/dev/null 2>&1
[ -s left ] && ! ps -eo args | grep -q '[s]leep 987654'
result $? "no process that a test began outlives it"
cp sound/src/toy/toy.c toy/src/toy/toy.c
cp sound/tests/golden/program.sh toy/tests/golden/program.sh

# A test that sees it, and the survivor is dead.
sed 's/!= 1;/!= 1 || toy_untested(5);/' sound/src/main.c >toy/src/main.c
mutate --again >/dev/null 2>&1
mutate --summary mutants | grep "^survived: .*(comparison)" >/dev/null
[ $? -eq 1 ]
result $? "survivors are tried again when tests were written"
printf 'src/a\tsrc/a/b.c:%d\tlogic\tx\ty\t%s\t1.0\t1\n' 1 'killed by t' 2 'killed by t' 3 'killed by t' 4 survived 5 stillborn >some
[ "$(mutate --summary some | awk '$1 == "src/a" { print $2, $3, $4, $5, $6, $7 }')" = "4 3 75% 36% 1 stillborn" ]
result $? "shares have the lower end of an interval"
echo "1..$count"
exit $failed
