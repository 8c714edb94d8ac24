#!/bin/sh
# Each promise of the manual is kept by a test: tests/promises names it. What is quoted there still stands in the manual, what is named there is
# run, and no sentence of README.md or a page promises (never, always, byte for byte) without being quoted. TAP.
. "$(dirname "$0")/tap.sh"
cd "${LANESCOPE_SRCDIR:-.}" || exit 1
table=tests/promises
told() { # name, complaints
	[ -z "$2" ] || printf '%s\n' "$2" | sed 's/^/# /'
	[ -z "$2" ]
	result $? "$1"
}

# sentences FILE...: "FILE<tab>sentence", without mdoc's macros and README's screens; colons and semicolons end sentences, too
cat >"$work/sentences" <<'E2'
function flush() {
	gsub(/[ \t]+/, " ", text)
	n = split(text, parts, /[.:;] /)
	for (i = 1; i <= n; i++) if (parts[i] !~ /^ *$/) print file "\t" parts[i]
	text = ""
}
FNR == 1 { if (file) flush(); file = FILENAME; is_screen = 0 }
/^```/ { is_screen = !is_screen }
is_screen || /^    / || /^\.\\"/ { next }
/^$/ || /^\.(Sh|Ss|Bl|El|Bd|Ed|Pp|It|D1|Dl|Dd|Dt|Os)( |$)/ { flush(); next }
{
	sub(/^\.[A-Z][a-z]+ */, "")
	gsub(/\\&/, ""); gsub(/\\-/, "-"); gsub(/\\e/, "\\")
	text = text " " $0
}
END { flush() }
E2
pages="README.md $(ls man/*.[0-9])"
# shellcheck disable=SC2086 # a list of words
awk -f "$work/sentences" $pages >"$work/manual"
sed -n '/^[^#]/s/ | /\t/gp' $table >"$work/promises"

told "what is quoted stands in the manual" "$(awk -F '\t' '
	NR == FNR { page = $1; sub(/.*\//, "", page); text[page] = text[page] "\n" $2; next }
	NF != 3 { print "not page | test | words: " $0; next }
	!index(text[$1], $3) { print $1 " does not say: " $3 }' "$work/manual" "$work/promises")"
told "every sentence with never, always or byte for byte is there" "$(awk -F '\t' '
	NR == FNR { quoted[++n] = $1 "\t" $3; next }
	tolower($2) ~ /(^|[^a-z])(never|always|byte for byte)([^a-z]|$)/ {
		page = $1; sub(/.*\//, "", page)
		for (i = 1; i <= n; i++) {
			split(quoted[i], part, "\t")
			if (part[1] == page && index($2, part[2])) next
		}
		print page " says, and tests/promises does not name the test: " $2
	}' "$work/promises" "$work/manual")"
told "the tests that keep them are there and run" "$(cut -f 2 "$work/promises" | sort -u | while IFS=: read -r file function; do
	case $file in
	-) continue ;;
	tests/unit/*.c | tests/pty/*.c) grep -qE "(^|[[:blank:]])${file%.c}( |\$)" Makefile.am || echo "$file is not in Makefile.am" ;;
	.ci/*) grep -q "^sh $file " .ci/run || echo "$file is not a step of .ci/run" ;;
	tests/golden/*.sh) [ -e "$file" ] || echo "there is no $file" ;;
	*) grep -qE "(^|[[:blank:]])$file( |\$)" Makefile.am || echo "$file is not among the scripts of Makefile.am" ;;
	esac
	[ -z "$function" ] || grep -qF "START_TEST($function)" "$file" || echo "$file has no test $function"
done)"
echo "1..$count"
exit $failed
