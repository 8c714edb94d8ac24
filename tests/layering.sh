#!/bin/sh
# Proves the table of rooms (tests/layers) on includes and on symbols, both ways, that each library has
# one user, and that the maps in src/main.c and README.md are that table.
#
#   layering.sh            TAP
#   layering.sh --update   writes the maps
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
table=tests/layers
work=$(mktemp -d "${TMPDIR:-/tmp}/lanescope-layers.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
find src ui -name '*.[ch]' | sed 's,.*,& &,' | awk -v table="$table" '
# A file belongs to the room of its folder, or to that of a folder around it.
BEGIN {
	while ((getline line < table) > 0)
		if (line !~ /^#/) {
			split(line, part, / *\| */)
			room[part[1]] = 1
		}
}
{
	folder = $1
	sub(/^src\//, "", folder)
	while (sub(/\/[^\/]*$/, "", folder) && !(folder in room)) {}
	print $1, folder in room ? folder : "main"
}' >"$work/files"

# "from to evidence" of all includes between rooms.
awk 'NR == FNR { room[$1] = $2; next }
	FNR == 1 { from = room[FILENAME] }
	/^#[ \t]*include "/ {
		split($0, part, "\"")
		file = part[2] ~ /^ui\// ? part[2] : "src/" part[2]
		if (file in room && room[file] != from) print from, room[file], FILENAME " includes " part[2]
	}' "$work/files" $(awk '{ print $1 }' "$work/files") >"$work/uses"

# And of all symbols: a member of an archive is the object of one source.
archives=
if command -v nm >/dev/null 2>&1; then
	for layer in $(awk -F '[|/ ]' '!/^#/ { print $1 }' $table | sort -u); do
		[ ! -e "$build/lib$layer.a" ] || archives="$archives $build/lib$layer.a"
	done
fi
[ -z "$archives" ] || for archive in $archives; do
	layer=$(basename "$archive" .a)
	echo "= ${layer#lib}"
	nm "$archive"
done | awk 'NR == FNR {
		split($1, part, "/")
		layer = part[1] == "src" ? part[2] : part[1]
		stem = $1
		sub(/.*\//, "", stem)
		if (sub(/\.c$/, "", stem)) room[layer, stem] = $2
		next
	}
	$1 == "=" { layer = $2; next }
	/\.o:$/ { stem = $1; sub(/\.o:$/, "", stem); sub(/^lib[a-z]*_a-/, "", stem); member = layer "/" stem; of[member] = room[layer, stem]; next }
	NF == 3 && $2 ~ /^[A-TV-Z]$/ { defined[$3] = member }
	NF == 2 && $1 == "U" { from[++n] = member; symbol[n] = $2 }
	END {
		for (i = 1; i <= n; i++)
			if (symbol[i] in defined && of[defined[symbol[i]]] != of[from[i]])
				print of[from[i]], of[defined[symbol[i]]], from[i] " uses " symbol[i] " of " defined[symbol[i]]
	}' "$work/files" - >>"$work/uses"

map() { # prefix
	awk -F ' *[|] *' -v prefix="$1" '
	function put(name, text, indent,   words, n, i, line) {
		line = sprintf("%s%-*s", prefix, indent, name)
		n = split(text, words, " ")
		for (i = 1; i <= n; i++) {
			if (length(line) + length(words[i]) > 99) {
				sub(/ +$/, "", line)
				print line
				line = sprintf("%s%-*s", prefix, indent, "")
			}
			line = line words[i] " "
		}
		sub(/ +$/, "", line)
		print line
	}
	!/^#/ {
		put($1, $3, 17)
		if ($2 != "") put("", "<- " $2, 17)
	}' "$table"
}
between() { # file: what stands between its marks
	sed -n '/map of rooms: begin/,/map of rooms: end/p' "$1" | sed '1d;$d'
}
mkdir "$work/src"
map ' *   ' >"$work/src/main.c"
{ echo; map '    '; echo; } >"$work/README.md"
for file in src/main.c README.md; do
	if [ "${1-}" = --update ]; then
		awk -v map="$work/$file" '/map of rooms: end/ { while ((getline line < map) > 0) print line; skip = 0 }
			!skip
			/map of rooms: begin/ { skip = 1 }' "$file" >"$work/new" && cat "$work/new" >"$file"
	else
		between "$file" >"$work/old"
		report "the map in $file is tests/layers (sh tests/layering.sh --update writes it)" "$(diff "$work/old" "$work/$file")"
	fi
done

# Each header ends its opening comment with who uses it: the other rooms where a name stands that no other header declares, if it is included
# there, by whatever other headers.
mkdir "$work/headers"
awk -v table="$table" '
BEGIN {
	while ((getline line < table) > 0) {
		split(line, parts, / *[|] */)
		n = split(parts[2], words, " ")
		for (i = 1; i <= n; i++) may_use[parts[1], words[i]] = 1
	}
}
NR == FNR { room[$1] = $2; next }
FNR == 1 { in_comment = in_enum = 0; is_header = FILENAME ~ /\.h$/ }
function reach(file,   n, i, list) { # marks the rooms of all that include the file
	if (file in is_reached) return
	is_reached[file] = 1
	reaches[room[file]] = 1
	n = split(includers[file], list, " ")
	for (i = 1; i <= n; i++) reach(list[i])
}
function declare(name) { if (!(name in maker)) maker[name] = FILENAME; else if (maker[name] != FILENAME) maker[name] = "several" }
{
	line = $0
	if (in_comment && !sub(/^.*\*\//, "", line)) next
	gsub(/\/\*[^*]*\*\//, "", line)
	in_comment = sub(/\/\*.*/, "", line)
	if (line ~ /^#[ \t]*include "/) {
		split(line, words, "\"")
		words[2] = words[2] ~ /^ui\// ? words[2] : "src/" words[2]
		includers[words[2]] = includers[words[2]] " " FILENAME
		next
	}
	gsub(/(struct|enum|union) /, "tag_", line)
	n = split(line, words, /[^A-Za-z0-9_]+/)
	for (i = 1; i <= n; i++) if (words[i] ~ /^[A-Za-z_]/ && !((words[i], room[FILENAME]) in used)) {
		used[words[i], room[FILENAME]] = 1
		rooms[words[i]] = rooms[words[i]] " " room[FILENAME]
	}
	if (!is_header) next
	if (line ~ /^#[ \t]*define /) declare(words[3])
	if (line ~ /^tag_[a-z_0-9]+ {/) { declare(words[1]); in_enum = $0 ~ /^enum/ }
	if (in_enum) for (i = 1; i <= n; i++) if (words[i] ~ /^[A-Z]/) declare(words[i])
	if (line ~ /}/) in_enum = 0
	if (line ~ /^[a-z_].*\(/) { sub(/ *\(.*/, "", line); n = split(line, words, /[^A-Za-z0-9_]+/); declare(words[n]) }
}
END {
	for (name in maker) if (maker[name] != "several") {
		n = split(rooms[name], list, " ")
		for (i = 1; i <= n; i++) if ((list[i], room[maker[name]]) in may_use) users[maker[name]] = users[maker[name]] " " list[i]
	}
	for (header in users) {
		split("", is_reached)
		split("", reaches)
		reach(header)
		n = split(users[header], list, " ")
		for (i = 1; i <= n; i++) if (list[i] in reaches) print header, list[i]
	}
}' "$work/files" $(awk '{ print $1 }' "$work/files") | sort -u >"$work/users"
awk '$1 ~ /\.h$/ { print $1 }' "$work/files" >"$work/header-list"
while read -r header; do
	users=$(awk -v header="$header" '$1 == header { list = list (n++ ? ", " : "") $2 } END { print (n > 16 ? "most rooms" : list) }' "$work/users")
	awk -v users="Used by ${users:-its room alone}." '
	function put_users(end,   words, n, i, line) {
		n = split(users, words, " ")
		line = " *"
		for (i = 1; i <= n; i++) {
			if (length(line) + length(words[i]) + length(end) > 98) { print line; line = " *" }
			line = line " " words[i]
		}
		print line end
		is_done = 1
	}
	is_done { print; next }
	NR == 1 && !/^\/\*/ { exit }
	/^ \* Used by / { is_old = 1 }
	{ is_end = sub(/ ?\*\/$/, "") }
	is_end && ($0 == "" || is_old) {
		put_users($0 == "" ? "" : " */")
		if ($0 == "") print " */"
		next
	}
	is_end { print; put_users(" */"); next }
	!is_old { print }' "$header" >"$work/headers/new"
	if cmp -s "$header" "$work/headers/new"; then
		continue
	elif [ "${1-}" = --update ]; then
		cat "$work/headers/new" >"$header"
	else
		echo "$header"
	fi
done <"$work/header-list" >"$work/headers/stale"
[ "${1-}" != --update ] || exit 0
report "each header ends its opening comment with who uses it (sh tests/layering.sh --update)" "$(cat "$work/headers/stale")"

report "every source belongs to a room" "$(awk '$2 == "main" && $1 != "src/main.c"' "$work/files")"
report "a room uses only rooms that stand above it in tests/layers" "$(awk -F ' *[|] *' '!/^#/ {
	n = split($2, uses, " ")
	for (i = 1; i <= n; i++) if (!(uses[i] in above)) print $1 " names " uses[i]
	above[$1] = 1 }' $table)"
for room in $(awk -F ' *[|] *' '!/^#/ { print $1 }' $table); do
	report "$room uses what tests/layers says, and all of it" "$(awk -v room="$room" -v symbols="$archives" '
		NR == FNR {
			if ($1 == room && split($0, part, / *\| */)) {
				n = split(part[2], list, " ")
				for (i = 1; i <= n; i++) says[list[i]] = 1
			}
			next
		}
		$1 == room { uses[$2] = 1 }
		$1 == room && !($2 in says) { sub(/^[^ ]* [^ ]* /, ""); print }
		END { for (other in says) if (!(other in uses)) print "nothing of " other " is used" }' $table "$work/uses")"
done

sole() { # header pattern, allowed path pattern
	bad=$(awk '{ print $1 }' "$work/files" | xargs grep -nE "^#[ ]*include <($1)>" | grep -vE "^($2)")
	report "only $2 includes <$1>" "$bad"
}
sole 'sqlite3\.h|sqlite3ext\.h' 'src/store/'
sole 'zlib\.h|isa-l.*' 'src/input/'
sole 'jansson\.h' 'src/util/json_document\.c'
sole 'n?curses.*|ncursesw/.*|term\.h' 'ui/term/term(_keys|_shift|_signals|_type)?\.c'
sole 'getopt\.h' 'src/cli/'

called_by() { # symbol pattern, layers that may call it
	for archive in $archives; do
		layer=$(basename "$archive" .a)
		case " $2 " in *" ${layer#lib} "*) continue ;; esac
		report "${layer#lib} does not call $1" "$(nm -u "$archive" 2>/dev/null | grep -E " U ($1)" | sort -u)"
	done
}
called_by 'sqlite3_' store
called_by 'inflate|isal_|deflate' input
called_by 'json_(dump|load|object|array|string|decref)[a-z_]*' util
called_by 'initscr|newterm|waddn|endwin' ui
report "one name is one type: no tag of a struct, union or enum is defined twice" "$(awk '{ print $1 }' "$work/files" | xargs awk '
	/^(struct|union|enum) [a-z_0-9]+ \{/ {
		if ($2 in at) print $1 " " $2 ": " at[$2] " and " FILENAME
		at[$2] = FILENAME
	}')"
report "sources do not print from library layers" \
	"$(awk '$2 != "main" && $2 !~ /^(cli|ui|export)/ && /\.c / { print $1 }' "$work/files" | xargs grep -nE '\b(printf|puts|putchar)\(' | grep -v snprintf)"
echo "1..$count"
exit $failed
