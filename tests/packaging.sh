#!/bin/sh
# What packages say of lanescope is what configure.ac says: version, libraries, names. Recipes can't be run here, but parse. TAP.
. "$(dirname "$0")/tap.sh"
cd "${LANESCOPE_SRCDIR:-.}" || exit 1
version=$(sed -n 's/^AC_INIT(\[lanescope\], \[\(.*\)\], \[\], .*/\1/p' configure.ac)
is() { # name, what was found, what it should be
	[ "$2" = "$3" ] || printf '%s\n' "found:" "$2" "and not:" "$3" | sed 's/^/# /'
	[ "$2" = "$3" ]
	result $? "$1"
}
[ -n "$version" ]
result $? "configure.ac has a version"
is "NEWS begins with this version" "$(grep -m 1 -oE '^[0-9]+\.[0-9.]+' NEWS)" "$version"
is "Debian: version" "$(sed -n '1s/^lanescope (\(.*\)-0upstream[0-9]*) .*/\1/p' packaging/debian/changelog)" "$version"
is "Spack: version" "$(sed -n 's/^    version("\(.*\)", sha256="@SHA256@")$/\1/p' packaging/spack/package.py)" "$version"
is "conda: version" "$(sed -n 's/^  version: //p' packaging/conda/meta.yaml)" "$version"
is "conda: the tarball of make dist, and its digest" "$(sed -n '/^source:/,/^$/p' packaging/conda/meta.yaml)" "source:
  url: ../lanescope-$version.tar.xz
  sha256: \"@SHA256@\""
grep -qF 'lanescope-{1}.tar.xz' packaging/spack/package.py && grep -q 'no-dist-gzip dist-xz' configure.ac
result $? "Spack: the tarball of make dist"

# What configure.ac asks pkg-config for, as "module version", by the names that packages have elsewhere. What only tests use and need not have
# (a terminal, an oracle) is for Debian alone.
modules=$(sed -n 's/^.*PKG_CHECK_MODULES(\[[A-Z]*\], \[\([a-z0-9-]*\)\( >= \([0-9.]*\)\)\{0,1\}\].*/\1 \3/p' configure.ac | grep -v '^msgpack' | sort)
as() { # "module=name ..."
	echo "$modules" | while read -r module least; do
		for pair in $1; do
			[ "${pair%%=*}" != "$module" ] || echo "${pair#*=} $least"
		done
	done | sort
}
is "configure.ac asks for the libraries that this test knows" "$(echo "$modules" | cut -d ' ' -f 1 | tr '\n' ' ')" "check jansson libisal ncursesw sqlite3 vterm zlib "
spack_names='sqlite3=sqlite zlib=zlib jansson=jansson ncursesw=ncurses libisal=isa-l check=check'
is "Spack: libraries" "$(sed -n 's/^    depends_on("\([a-z-]*\)@\([0-9.]*\):".*/\1 \2/p' packaging/spack/package.py | grep -v '^pkgconfig ' | sort)" "$(as "$spack_names")"
conda_names='sqlite3=sqlite zlib=zlib jansson=jansson ncursesw=ncurses libisal=isa-l check=check'
conda_list() { sed -n "/^  $1:/,/^  [a-z]*:$\|^$/s/^    - \([a-z-]*\) >=\(.*\)/\1 \2/p" packaging/conda/meta.yaml | sort; }
is "conda: libraries to build with" "$(conda_list host)" "$(as "$conda_names")"
is "conda: libraries to run with" "$(conda_list run)" "$(as "$conda_names" | grep -v '^check ')"
debian_names='sqlite3=libsqlite3-dev zlib=zlib1g-dev jansson=libjansson-dev ncursesw=libncurses-dev libisal=libisal-dev check=check vterm=libvterm-dev'
is "Debian: libraries" "$(sed -n '/^Build-Depends/,/^[A-Z][a-z]*-V/p' packaging/debian/control | grep -oE '(lib[a-z0-9]*-dev|zlib1g-dev|^ *check )' | tr -d ' ' | sort)" \
	"$(as "$debian_names" | cut -d ' ' -f 1)"

if command -v python3 >/dev/null 2>&1; then
	python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' packaging/spack/package.py
	result $? "Spack: the recipe is Python"
else
	result 0 "Spack: the recipe is Python # SKIP no python3"
fi
# conda replaces {{ ... }} and takes lines by what stands behind #, before it reads YAML.
if python3 -c 'import yaml' 2>/dev/null; then
	sed 's/{{[^}]*}}/jinja/' packaging/conda/meta.yaml |
		python3 -c 'import sys, yaml; recipe = yaml.safe_load(sys.stdin); sys.exit(not {"package", "source", "build", "requirements", "test", "about"} == set(recipe))'
	result $? "conda: the recipe is YAML, and has the parts that it takes"
else
	result 0 "conda: the recipe is YAML, and has the parts that it takes # SKIP no python3 with yaml"
fi

# What configure was told to leave out is told by the program.
built=${LANESCOPE_BUILDDIR:-.}
"$LANESCOPE" --version >"$work/version"
extension=without
[ ! -e "$built/lanescope_sqlite.so" ] || extension=with
grep -qE "^options .* $extension the SQLite extension" "$work/version"
result $? "--version: $extension the SQLite extension"
isal=without
! grep -q '^#define HAVE_ISAL 1' "$built/config.h" || isal=with
grep -qE "^options +$isal ISA-L," "$work/version"
result $? "--version: $isal ISA-L"
echo "1..$count"
exit $failed
