#!/bin/sh
# How bootstrap finds its place, its packages and what has changed, with a package manager, autotools and a configure that are played. TAP.
. "$(dirname "$0")/tap.sh"
src=$(cd "${LANESCOPE_SRCDIR:-$(dirname "$0")/..}" && pwd)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
chmod 755 "$work"

ok() { # status, name
	result "$1" "$2"
	[ "$1" -eq 0 ] || sed 's/^/# /' "$work/said"
}
says() { grep -q -e "$1" "$work/said"; }
is() { [ "$1" = "$2" ]; }

# A machine: what is installed stands in $work/installed, what can be had in $work/offered.
mkdir "$work/bin"
tool() { cat >"$work/bin/$1" && chmod 755 "$work/bin/$1"; }
tool pkg-config <<'T'
#!/bin/sh
for word; do :; done
grep -qx "$word" "$MACHINE/installed" || exit 1
[ "$1" != --modversion ] || echo 1.0
T
tool apt-get <<'T'
#!/bin/sh
for word; do
	grep -qx -e "$word" "$MACHINE/offered" || continue
	case $word in
	check) echo check ;;
	libvterm-dev) echo vterm ;;
	libisal-dev) echo libisal ;;
	esac >>"$MACHINE/installed"
done
for word; do
	case $word in
	-* | install | update) ;;
	*) grep -qx -e "$word" "$MACHINE/offered" || exit 100 ;;
	esac
done
T
tool id <<'T'
#!/bin/sh
echo 0
T
for name in autoconf automake cc mandoc python3; do
	tool $name <<'T'
#!/bin/sh
exit 0
T
done
tool autoreconf <<'T'
#!/bin/sh
cat >configure <<'C'
#!/bin/sh
echo configured >>"$MACHINE/configured"
why=
grep -qx check "$MACHINE/installed" || why="Check is not installed"
: >config.status
cat >Makefile <<M
NO_UNIT = $why
all all-am: lanescope
lanescope:
	@printf '%s\n' '#!/bin/sh' 'echo ran "\$\$@"' 'echo by "\$\$LANESCOPE_BOOTSTRAP"' >lanescope; chmod 755 lanescope; echo built >>"$MACHINE/built"
check:
	@echo checked with "$why"
tally:
	@echo 3 passed, 0 failed, 0 skipped
.PHONY: check tally
M
C
chmod 755 configure
: >Makefile.in
T

machine() { # installed beyond what is needed
	rm -rf "$work/home" "$work/configured" "$work/built"
	mkdir "$work/home"
	printf '%s\n' ncursesw sqlite3 zlib jansson "$@" >"$work/installed"
	printf '%s\n' check libvterm-dev libisal-dev >"$work/offered"
	: >"$work/configured"
	: >"$work/built"
	chmod -R a+rwX "$work"
}
checkout() { # folder
	[ ! -e "$1" ] || chmod -R u+w "$1"
	rm -rf "$1"
	mkdir -p "$1"
	cp "$src/bootstrap" "$1/bootstrap"
	chmod 755 "$1/bootstrap"
	: >"$1/configure.ac"
	: >"$1/Makefile.am"
}
as= # a command that gives up being root
call() { # bootstrap, words
	env -i PATH="$work/bin:$PATH" HOME="$work/home" MACHINE="$work" LANESCOPE_BUILD="${place:-}" LANESCOPE_NO_INSTALL="${no_install:-}" $as "$@" >"$work/said" 2>&1
}
lines() { wc -l <"$work/$1" | tr -d ' '; }
place=
no_install=

machine
checkout "$work/clone"
call "$work/clone/bootstrap" run --version && says 'ran --version'
ok $? "run builds and runs"
says "^by $work/clone/bootstrap$"
ok $? "the program knows by what path bootstrap was called"
call "$work/clone/bootstrap" check
is "$? $(lines configured)" "0 2" && grep -qx check "$work/installed"
ok $? "check after run: Check is installed and configure asked again"
grep -q '^checked with *$' "$work/said" && is "$(tail -n 1 "$work/said")" '3 passed, 0 failed, 0 skipped'
ok $? "the tests run with Check, and what they came to stands last"
call "$work/clone/bootstrap" check
is "$(lines configured) $(lines built)" "2 1" && ! says bootstrap:
ok $? "a second call neither configures nor builds"
echo later >>"$work/installed"
call "$work/clone/bootstrap" check
is "$(lines configured)" 2
ok $? "what lanescope does not use changes nothing"
sed -i.old '/^vterm$/d' "$work/installed"
call "$work/clone/bootstrap" run
is "$(lines configured)" 3
ok $? "a library that is gone: configured again"
echo vterm >>"$work/installed"
call "$work/clone/bootstrap" run
is "$(lines configured)" 4
ok $? "a library that somebody installed: configured again"

machine
checkout "$work/clone"
: >"$work/offered"
call "$work/clone/bootstrap" check
is $? 2 && says 'missing: check' && says 'apt-get install .*check'
ok $? "check without Check fails and says what to install"
call "$work/clone/bootstrap" run
ok $? "run does without"
no_install=1
machine
checkout "$work/clone"
call "$work/clone/bootstrap" check
is $? 2 && says 'missing: check'
ok $? "nothing is installed against the user's word"
no_install=

# A release: what autoreconf makes is there, and of one time with what it is made of.
machine check vterm libisal
checkout "$work/release"
(cd "$work/release" && MACHINE=$work "$work/bin/autoreconf" && touch -t 202001010000 ./*)
mkdir "$work/few"
ln -sf /bin/* /usr/bin/* "$work/few"
rm -f "$work"/few/auto*
ordinary=$PATH
PATH=$work/few
mkdir "$work/aside"
mv "$work"/bin/auto* "$work/aside"
call "$work/release/bootstrap" run --version && says 'ran --version' && ! says 'generating configure'
ok $? "a release needs neither autoconf nor automake"
touch "$work/release/configure.ac"
call "$work/release/bootstrap" run
is $? 2 && says 'missing: autoconf automake'
ok $? "a release that was changed needs them"
mv "$work"/aside/* "$work/bin"
PATH=$ordinary

# Where nothing may be installed: a static binary, of a makefile that is played.
machine
checkout "$work/clone"
: >"$work/offered"
: >"$work/installed"
mkdir -p "$work/clone/packaging/static"
cat >"$work/clone/packaging/static/Makefile" <<'M'
all:
	@[ ! -e "$(MACHINE)/broken" ] || { echo "no network"; exit 1; }
	@mkdir -p "$(OUT)"; printf '%s\n' '#!/bin/sh' 'echo static ran "$$@"' >"$(OUT)/lanescope"; chmod 755 "$(OUT)/lanescope"
M
call "$work/clone/bootstrap" check
is $? 2 && says 'install them with: .*libncurses-dev' && says './bootstrap static'
ok $? "check without the libraries says what to install, and that a static binary is to be had"
: >"$work/broken"
call "$work/clone/bootstrap" run --version
is $? 2 && says 'install them with: .*libncurses-dev' && says 'no network' && says 'the static build failed'
ok $? "neither libraries nor network: run says both"
rm "$work/broken"
call "$work/clone/bootstrap" run --version && says 'install them with: .*libncurses-dev' && says 'building a static binary' && says 'static ran --version'
ok $? "run without the libraries builds a static binary and runs it"
call "$work/clone/bootstrap" run --version && ! says bootstrap: && says 'static ran --version'
ok $? "a second call says nothing"
rm -rf "$work/clone/build"
call "$work/clone/bootstrap" static && says "$work/clone/build/static/lanescope runs on any Linux" && ! says 'install them with'
ok $? "static needs no library"
rm -f "$work/few/gcc"
rm -rf "$work/clone/build"
PATH=$work/few
call "$work/clone/bootstrap" static
is $? 2 && says 'missing: gcc' && says 'install them with: .*gcc libc6-dev'
ok $? "static without a compiler says so"
PATH=$ordinary
printf '%s\n' ncursesw sqlite3 zlib jansson >"$work/installed"
call "$work/clone/bootstrap" run --version && says '^ran --version'
ok $? "libraries that came: the ordinary build"

machine check vterm libisal
checkout "$work/with blanks/and 'signs'"
call "$work/with blanks/and 'signs'/bootstrap" run --version && says 'ran --version' && says "can't be built in place"
ok $? "a checkout whose path has blanks"
call "$work/with blanks/and 'signs'/bootstrap" check && ! says bootstrap: && is "$(lines built)" 1
ok $? "a second call there builds nothing"
touch -t 203001010000 "$work/with blanks/and 'signs'/configure.ac"
call "$work/with blanks/and 'signs'/bootstrap" run && is "$(lines configured)" 2
ok $? "what changes there is seen"
place="$work/a b"
call "$work/with blanks/and 'signs'/bootstrap" run
is $? 2 && is "$(wc -l <"$work/said" | tr -d ' ')" 1 && says LANESCOPE_BUILD
ok $? "a place to build in that has blanks: one line that says what to do"
place=

machine check vterm libisal
checkout "$work/clone"
mkdir -p "$work/links/deep"
ln -s ../../clone/bootstrap "$work/links/deep/first"
ln -s deep/first "$work/links/second"
call "$work/links/second" run --version && says 'ran --version' && [ -x "$work/clone/build/lanescope" ]
ok $? "called by links"
(cd "$work" && call links/deep/first run --version) && says 'ran --version'
ok $? "called by a relative link"

checkout "$work/fixed"
machine check vterm libisal
chmod -R a-w "$work/fixed"
if touch "$work/fixed/probe" 2>/dev/null; then
	rm -f "$work/fixed/probe"
	as='setpriv --reuid=65534 --regid=65534 --clear-groups'
	$as true 2>/dev/null || as=none
fi
if [ "$as" = none ]; then
	count=$((count + 2))
	echo "ok $((count - 1)) - a read-only checkout # SKIP root can write everything, and setpriv is not there"
	echo "ok $count - a place that can't be written # SKIP root can write everything, and setpriv is not there"
else
	call "$work/fixed/bootstrap" run --version && says 'ran --version' && says read-only && [ ! -e "$work/fixed/build" ]
	ok $? "a read-only checkout"
	mkdir "$work/closed"
	chmod 555 "$work/closed"
	place=$work/closed
	call "$work/fixed/bootstrap" run
	is $? 2 && is "$(wc -l <"$work/said" | tr -d ' ')" 1 && says LANESCOPE_BUILD
	ok $? "a place that can't be written"
	place=
fi
as=
call "$work/clone/bootstrap" walk
is $? 2 && says usage
ok $? "a word that is none"

# What the last lines are made of.
mkdir -p "$work/logs/tests/unit" "$work/logs/tests/pty" "$work/logs/tests/shared"
printf '1..2\nok 1 - a\nok 2 - b\n' >"$work/logs/tests/unit/test_a.log"
printf '1..2\nok 1 - a\nok 2 - b # SKIP no such tool\n' >"$work/logs/tests/pty/test_b.log"
printf '1..0 # SKIP no samples\n' >"$work/logs/tests/shared/c.log"
tally() { sh "$src/tests/tally.sh" "$work"/logs/tests/*/*.log >"$work/said" 2>&1; }
tally && says '^unit  *2  *0  *0$' && says '^terminal  *1  *0  *1$' && says '^sample  *0  *0  *1$' && says '^skipped: 1: no such tool$' &&
	says '^skipped: 1: no samples$' && is "$(tail -n 1 "$work/said")" '3 passed, 0 failed, 2 skipped'
ok $? "what ran, by kind, and why something did not"
printf '1..3\nok 1 - a\nok 2 - b\n' >"$work/logs/tests/unit/test_a.log"
tally
is $? 1 && says 'broken off or never run: .*test_a.log' && is "$(tail -n 1 "$work/said")" '3 passed, 1 failed, 2 skipped'
ok $? "a test program that died is a failure"
printf '1..2\nok 1 - a\nnot ok 2 - b\n' >"$work/logs/tests/unit/test_a.log"
tally
is $? 1 && says '^unit  *1  *1  *0$' && says '^failed: .*/unit/test_a.log: not ok 2 - b$'
ok $? "a test that fails, by name"
if [ -e "$src/.ci/floors" ]; then
	sed -n 's/^\([a-z]*\) \([0-9]*\).*/\1 \2 0 0/p' "$src/.ci/floors" >"$work/tally"
	sh "$src/.ci/floors.sh" "$work/tally" >"$work/said" 2>&1
	ok $? "as many tests as the floors ask for"
	sed 's/^unit [0-9]*/unit 863/' "$work/tally" >"$work/fewer"
	sh "$src/.ci/floors.sh" "$work/fewer" >"$work/said" 2>&1
	is $? 1 && says 'unit: 863 tests passed'
	ok $? "fewer unit tests than that"
	grep -v '^terminal' "$work/tally" >"$work/fewer"
	sh "$src/.ci/floors.sh" "$work/fewer" >"$work/said" 2>&1
	is $? 1 && says terminal
	ok $? "a kind that is not there"
fi
echo "1..$count"
exit $failed
