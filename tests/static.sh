#!/bin/sh
# The makefile of the static binary, of sources that are played: two at once in a folder do not disturb each other; it is made with gcc, and says so
# where another compiler was asked for, or there is none. TAP.
. "$(dirname "$0")/tap.sh"
for tool in gcc make flock; do
	command -v $tool >/dev/null 2>&1 || skip_all "no $tool"
done
mkdir "$work/tree" "$work/tree/static"
cp "${LANESCOPE_SRCDIR:-.}/packaging/static/Makefile" "$work/tree/static" || exit 2
: >"$work/tree/static/sources"
# A second one in the same folder while the first is at work is what must not be.
cat >"$work/tree/static/fetch" <<'F'
#!/bin/sh
echo "$1" >>"$LOG"
mkdir "$2" || echo "two at once" >>"$LOG"
sleep 0.5
mkdir "$2/autosetup"
echo 'int main(void) { return 0; }' >"$2/autosetup/jimsh0.c"
F
LOG=$work/log
export LOG
cd "$work" || exit 2
built() { # of the makefile that builds a program of one file; words of the command line, then NAME=VALUE
	make -s -f tree/static/Makefile OUT=out "$@" "$work/out/made/jimtcl"
}

built >first 2>&1 &
first=$!
built >second 2>&1
second=$?
wait $first && [ $second -eq 0 ] && [ -x out/jimtcl/tclsh ] && [ "$(cat log)" = jimtcl ]
result $? "two at once: the second waits, and finds it made"
grep -q "waiting for it" first second
result $? "it says that it waits"

rm -rf out log
built CC=clang CFLAGS=--no-such-option >said 2>&1 && [ -x out/jimtcl/tclsh ] && grep -q 'CC=clang is not used' said
result $? "another compiler, and its options, are not used, which is said"
rm -rf out log
CC="ccache gcc-12" built >said 2>&1 && ! grep -q 'not used' said
result $? "a gcc by another name is none of these"
mkdir bin
for tool in sh make mkdir flock cut; do
	ln -s "$(command -v $tool)" bin
done
rm -rf out log
PATH=$work/bin built >said 2>&1
[ $? -ne 0 ] && grep -q 'no gcc' said && [ ! -e log ]
result $? "without gcc it says what it needs"
echo "1..$count"
exit $failed
