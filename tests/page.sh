# Shared by tests of manual pages whose lines are run as they are printed.

# lines_of PAGE TITLE: the displayed lines of a section
lines_of() {
	awk -v title="$2" '
		/^\.S[hs] / { ours = substr($0, 5) == title; next }
		/^\.Bd/ { shown = ours }
		/^\.Ed/ { shown = 0 }
		shown && !/^\.Bd/ { gsub(/\\e/, "\\"); print }' "$1"
}

# program_named: `lanescope` in the PATH is the program that is tested
program_named() {
	mkdir -p "$work/bin" && ln -s "$(cd "$(dirname "$(command -v "$LANESCOPE")")" && pwd)/$(basename "$LANESCOPE")" "$work/bin/lanescope"
	PATH=$work/bin:$PATH
	LANESCOPE=lanescope
	export LANESCOPE PATH
}

# play COMMAND KEYS: the last screen of the explorer, as a shell takes the command, in $work/screen
play() {
	printf '%s\n' "$2" >"$work/keys"
	eval "$1 --no-session --keys '$work/keys' --size 150x50" >"$work/screen" 2>"$work/err"
}

# complain FILE: as remarks
complain() {
	sed 's/^/# /' "$1"
}

# titles_of PAGE SECTION: what stands below it
titles_of() {
	awk -v section="$2" '/^\.Sh / { ours = substr($0, 5) == section } ours && sub(/^\.Ss /, "")' "$1"
}

# quotes_of PAGE TITLE: what stands in quotes in a section, a line each, without punctuation behind it
quotes_of() {
	awk -v title="$2" '
		/^\.S[hs] / { ours = substr($0, 5) == title; next }
		ours && (sub(/^\.Ql /, "") || sub(/^\.Pq Ql /, "")) { sub(/( [.,;:)])+$/, ""); sub(/^"/, ""); sub(/"$/, ""); print }' "$1"
}
