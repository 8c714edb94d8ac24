# Shared by tests of manual pages whose lines are run as they are printed.

# lines_of PAGE TITLE: the displayed lines of a section
lines_of() {
	awk -v title="$2" '
		/^\.S[hs] / { ours = substr($0, 5) == title; next }
		/^\.Bd/ { shown = ours }
		/^\.Ed/ { shown = 0 }
		shown && !/^\.Bd/ { gsub(/\\e/, "\\"); print }' "$1"
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
