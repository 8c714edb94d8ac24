#!/bin/sh
# What the symbols of the archives tell: no function is global that no other object of the program
# uses, and in all layers but ui no objects use each other in a circle (the parts of replay aside).
src=${LANESCOPE_SRCDIR:-.}
build=$(cd "${LANESCOPE_BUILDDIR:-.}" && pwd)
count=0
failed=0

report() { # name, offending lines
	count=$((count + 1))
	if [ -z "$2" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
		failed=1
	fi
}

cd "$src" || exit 1
layers=$(awk -F '[|/ ]' '!/^#/ { print $1 }' tests/layers | sort -u)
if ! command -v nm >/dev/null 2>&1 || [ ! -e "$build/libutil.a" ]; then
	echo "1..0 # SKIP no nm, or nothing is built"
	exit 0
fi

# "object T symbol" of what an object defines, "object U symbol" of what it uses.
symbols=$(mktemp "${TMPDIR:-/tmp}/lanescope-symbols.XXXXXX") || exit 2
trap 'rm -f "$symbols"' EXIT
for object in src/main.o $(for layer in $layers; do echo "lib$layer.a"; done) \
	$(cd "$build" && ls src/store/lanescope_sqlite_so-*.o 2>/dev/null); do
	[ -e "$build/$object" ] || continue
	echo "= $object"
	nm "$build/$object"
done | awk '
	$1 == "=" { file = member = $2; sub(/^lib/, "", file); sub(/\.a$/, "", file); sub(/.*_so-/, "store/", member); sub(/\.o$/, "", member); next }
	/\.o:$/ { member = $1; sub(/\.o:$/, "", member); sub(/^lib[a-z]*_a-/, "", member); member = file "/" member; next }
	NF == 3 && $2 ~ /^[A-TV-Z]$/ { print member, $2 == "T" ? "T" : "D", $3 }
	NF == 2 && $1 == "U" && $2 != "sqlite3_api" { print member, "U", $2 }' | sort -u >"$symbols"

alone="a function that only its own file uses is static (tests/symbols.allowed names those that tests call)"
if grep -q '^store/extension ' "$symbols"; then
	report "$alone" "$(
		awk 'FILENAME ~ /allowed$/ { if (!/^#/ && NF) allowed[$1] = 1; next }
			$2 == "T" { of[$3] = $1 }
			$2 == "U" { used[$3] = 1 }
			END {
				for (symbol in of)
					if (!(symbol in used) && !(symbol in allowed)) print symbol " of " of[symbol]
				for (symbol in allowed)
					if (!(symbol in of) || symbol in used) print symbol " need not be in tests/symbols.allowed"
			}' tests/symbols.allowed "$symbols" | sort)"
else
	count=1
	echo "ok 1 - $alone # SKIP the extension is not built"
fi

report "memory that runs out is no answer (that a path has no other name, say): what asks for it is few and looks" "$(
	awk '$2 == "U" && $3 ~ /^(malloc|calloc|realloc|reallocarray|strn?dup|v?asprintf|realpath)$/ && $1 !~ /^(util\/(err|litter|mem)|store\/checked)$/ { print $1 " uses " $3 }' "$symbols")"
report "nothing opens a connection; only cli/output (the pager, a shell), cli/jobs and ui/term (the editor) start processes" "$(
	awk '$2 == "U" && ($3 ~ /^(socket|connect|bind|listen|accept4?|getaddrinfo|gethostbyname|sendto|recvfrom|dlopen)$/ ||
		$3 ~ /^(fork|vfork|exec[lv].*|fexecve|posix_spawnp?|system|popen)$/ && $1 !~ /^(cli\/(output|jobs)|ui\/term)$/) { print $1 " uses " $3 }' "$symbols")"

# Who is used by something that it reaches is in a circle with it.
for layer in $(printf '%s\n' $layers | grep -vx ui); do
	report "no objects of $layer use each other in a circle" "$(
		awk -v layer="$layer/" '
			index($1, layer) != 1 || $1 ~ /replay_/ { next }
			$2 != "U" { of[$3] = $1; next }
			{ from[++n] = $1; symbol[n] = $3 }
			function visit(node,   i, list, k) {
				if (node in seen) return
				seen[node] = 1
				k = split(to[node], list, " ")
				for (i = 1; i <= k; i++) visit(list[i])
			}
			END {
				for (i = 1; i <= n; i++) {
					if (!(symbol[i] in of) || of[symbol[i]] == from[i]) continue
					if (!((from[i], of[symbol[i]]) in edge)) to[from[i]] = to[from[i]] " " of[symbol[i]]
					edge[from[i], of[symbol[i]]] = edge[from[i], of[symbol[i]]] " " symbol[i]
				}
				for (node in to) {
					split("", seen)
					visit(node)
					for (other in seen) reaches[node, other] = 1
				}
				for (pair in edge) {
					split(pair, ends, SUBSEP)
					if ((ends[2], ends[1]) in reaches)
						print ends[1] " uses" edge[pair] " of " ends[2]
				}
			}' "$symbols" | sort)"
done
echo "1..$count"
exit $failed
