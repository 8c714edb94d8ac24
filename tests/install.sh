#!/bin/sh
# make install, moved elsewhere, used there; make uninstall leaves what was there before, and nothing else. TAP.
. "$(dirname "$0")/tap.sh"
build=${LANESCOPE_BUILDDIR:-.}
data=$(cd "${LANESCOPE_SRCDIR:-.}/tests/data" && pwd)
unset MAKEFLAGS MFLAGS MAKELEVEL DESTDIR
[ -e "$build/Makefile" ] || skip_all "no Makefile in $build"

at=/opt/lanescope
call_make() { # target, the folder to install below
	make -C "$build" "$1" DESTDIR="$2" prefix=$at >"$work/make.log" 2>&1 || {
		sed 's/^/# /' "$work/make.log"
		return 1
	}
}
list() { (cd "$1" && find . | sort); }

mkdir "$work/root"
call_make install "$work/root"
result $? "make install"
tree=$work/moved
cp -R "$work/root$at" "$tree"
lanescope=$tree/bin/lanescope
for file in share/man/man1/lanescope.1 share/man/man5/lanescope-schema.5 share/doc/lanescope/LICENSE share/doc/lanescope/NEWS share/doc/lanescope/README.md share/doc/lanescope/SECURITY.md; do
	[ -s "$tree/$file" ]
	result $? "$file"
done
for page in "$LANESCOPE_SRCDIR"/man/*.[0-9]; do
	[ -s "$tree/share/man/man${page##*.}/${page##*/}" ] || echo "# ${page##*/} is not installed"
done >"$work/pages"
cat "$work/pages"
[ ! -s "$work/pages" ]
result $? "every manual page"

# The tree has moved: whoever would still look where it was put finds nothing there.
mv "$work/root" "$work/gone"
! grep -aEl "$at/|$(sed -n 's/^prefix = //p' "$build/Makefile")/(bin|lib|share)/" "$lanescope" "$tree"/lib/lanescope/*.so 2>/dev/null
result $? "no path of the prefix is compiled in"
"$lanescope" import --quiet -o "$work/run.lanes" "$data/chrome/nested.json" && [ "$("$lanescope" sql "$work/run.lanes" --format csv --no-header 'SELECT count(*) FROM span')" -gt 0 ]
result $? "the program, moved"
if command -v bash >/dev/null 2>&1; then
	words=$(bash -c '. "$1"; COMP_WORDS=("$2" ver); COMP_CWORD=1; _lanescope; echo "${COMPREPLY[@]}"' - "$tree/share/bash-completion/completions/lanescope" "$lanescope")
	[ "$words" = verify ]
	result $? "the completion for bash, moved"
else
	result 0 "the completion for bash, moved # SKIP no bash"
fi
for pair in zsh:share/zsh/site-functions/_lanescope fish:share/fish/vendor_completions.d/lanescope.fish; do
	"$lanescope" completion "${pair%%:*}" | cmp - "$tree/${pair#*:}"
	result $? "the completion for ${pair%%:*}"
done
if [ ! -e "$build/lanescope_sqlite.so" ]; then
	result 0 "the extension, moved # SKIP built without"
elif ! sqlite3 :memory: ".load $build/lanescope_sqlite" "SELECT 1" 2>/dev/null | grep -qx 1; then
	result 0 "the extension, moved # SKIP no sqlite3 that loads extensions"
else
	[ "$(sqlite3 "$work/run.lanes" ".load $tree/lib/lanescope/lanescope_sqlite" "SELECT sum(n) = (SELECT count(*) FROM span) FROM span_sums('')")" = 1 ]
	result $? "the extension, moved"
fi
if command -v man >/dev/null 2>&1 && man -w man >/dev/null 2>&1; then
	[ "$(MANPATH=$tree/share/man man -w lanescope-query)" = "$tree/share/man/man5/lanescope-query.5" ]
	result $? "the manual is found below MANPATH"
else
	result 0 "the manual is found below MANPATH # SKIP no man that finds pages"
fi

mkdir -p "$work/others$at/share/man/man1" "$work/others$at/share/fish" "$work/root"
: >"$work/others$at/share/man/man1/other.1"
: >"$work/others$at/share/fish/config"
list "$work/others" >"$work/before"
call_make install "$work/others" && [ "$(list "$work/others" | wc -l)" -gt 20 ] && call_make uninstall "$work/others"
result $? "make install and make uninstall"
list "$work/others" | diff "$work/before" - | sed 's/^/# /' | tee "$work/left"
[ ! -s "$work/left" ]
result $? "what others have there stays, and nothing else does"
call_make install "$work/root" && call_make uninstall "$work/root" && [ -z "$(ls -A "$work/root")" ]
result $? "an empty folder is empty again"
mkdir "$work/home"
make -C "$build" install prefix="$work/home/tree" >/dev/null 2>&1 && [ -x "$work/home/tree/bin/lanescope" ] &&
	make -C "$build" uninstall prefix="$work/home/tree" >/dev/null 2>&1 && [ -d "$work/home/tree" ] && [ -z "$(ls -A "$work/home/tree")" ]
result $? "without DESTDIR: the prefix stays, empty"
echo "1..$count"
exit $failed
