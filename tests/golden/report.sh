# Reports: all of one, whose commands work as they stand; well-formed HTML of every run of the demo, and of names made to break out of a page.
trace=data/golden
lanescope import --quiet $trace/one.jsonl $trace/four.jsonl
lanescope report one four
lanescope report one four -o two.md && lanescope report one four | cmp - two.md
echo "== the commands of the report, as they are pasted"
grep '^lanescope ' two.md | while read -r command; do
	eval "$command" >said 2>&1 </dev/null || { echo "$command: $?" && cat said; }
done
grep -c '^lanescope ' two.md
well_formed() {
	awk -f $trace/well_formed.awk "$1"
	! command -v xmllint >/dev/null || xmllint --noout "$1"
	grep -oE '(<(script|img|link|iframe|object|use|a href="[^#])|@import|url\(| on[a-z]+=).*' "$1" # nothing
	grep -o 'href="#[^"]*"' "$1" | sed 's/.*#//; s/"//' >links
	grep -oE '<h[23] id="[^"]*"' "$1" | sed 's/.*id="//; s/"//' | cmp - links
}
echo "== the demo"
lanescope demo demo >/dev/null 2>&1
for run in demo/*.lanes; do
	lanescope report "$run" -o page.html || echo "$run: $?"
	well_formed page.html
	lanescope report "$run" --format html | cmp - page.html
	grep -o 'There are no lanes' page.html
	printf '%s: %s tables, %s pictures\n' "$run" "$(grep -c '<table>' page.html)" "$(grep -c '<svg' page.html)"
done
echo "== its charts are those of the commands beside them"
lanescope report demo/training.lanes -o page.html
grep -o '^<pre><code>lanescope query .* --plot -o [a-z-]*.svg' page.html | sed 's/.*<code>//' >commands
wc -l <commands
while read -r command; do
	eval "$command"
	drawn=$(cat "${command##* }")
	case $(cat page.html) in *"$drawn"*) ;; *) echo "$command: another" ;; esac
done <commands
for pair in 'one-worker four-workers' 'training training-scr' 'training pytorch'; do
	(cd demo && lanescope report $pair -o ../page.html) || echo "$pair: $?"
	well_formed page.html
	grep -E '^<h[123]' page.html
	grep -c '<svg' page.html
done
lanescope report demo -o page.html || echo $?
well_formed page.html
grep -E '^<h[123]' page.html
echo "== of several runs each has rows, under the columns that the command beside them has: tags, too"
mkdir five && for nodes in 1 2 3 4 5; do
	lanescope import --quiet --tag nodes=$nodes --name "n$nodes" -o "five/n$nodes.lanes" $trace/four.jsonl
done
lanescope report five/n*.lanes -o five.md
for command in runs 'query task-summary' 'query controller-summary'; do
	lanescope $command five/n*.lanes --format md 2>/dev/null | head -1 | grep -cxFf - five.md
done
sed -n '/^### Where task time/,/^###/p; /^### What the con/,/^###/p' five.md | grep -E '^\| |^The first'
echo "== the tags of a few"
lanescope report five/n1.lanes five/n2.lanes | grep -E '^\| n[12] \| |^lanescope tag '
lanescope report one | grep -c '^lanescope tag '
echo "== names that would break out"
cat >trace.json <<'T'
{"traceEvents": [
{"name": "process_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": "</text></svg><script>alert(1)</script>"}},
{"name": "</td></table><script src=\"https://example.org/x.js\">", "cat": "]]>&lt;&#60;", "ph": "X", "ts": 0, "dur": 9000, "pid": 1, "tid": 1},
{"name": "![x](https://example.org/x.png) [y](javascript:z) `code` | cell", "cat": "*bold* _it_ ~~no~~", "ph": "X", "ts": 9000, "dur": 9000, "pid": 1, "tid": 1},
{"name": "\u001b[2J\u202e\u0000\ud800", "cat": "```\n# heading", "ph": "X", "ts": 20000, "dur": 5000, "pid": 1, "tid": 1},
{"name": "# heading", "cat": "a_word __init__", "ph": "X", "ts": 30000, "dur": 5000, "pid": 1, "tid": 1},
{"name": "no record", "ph": "X", "ts": "<b>", "dur": 5000, "pid": 1, "tid": 1}
]}
T
lanescope import --quiet -o "1. <i>\`\`\`\`&'.lanes" trace.json
lanescope report "1. <i>\`\`\`\`&'.lanes" -o hostile.html
well_formed hostile.html
lanescope query span-totals "1. <i>\`\`\`\`&'.lanes" --plot -o hostile.svg
well_formed hostile.svg
grep -c '&lt;/td&gt;&lt;/table' hostile.svg
lanescope report "1. <i>\`\`\`\`&'.lanes" >hostile.md
cat hostile.md
echo "== what is no report"
lanescope report
lanescope report one -o one.pdf
lanescope report one --format pdf
lanescope report one -o one.lanes
lanescope report one -o one.html --format md && head -1 one.html
lanescope report nowhere
printf '%s\n' '-- title: Wrong' '-- format: cascade' 'SELECT x FROM nowhere' >wrong.sql
mkdir more && mv wrong.sql more
lanescope report one --queries more --scope 'range 0s..1s' >scoped.md
echo $?
grep -E 'Wrong|Scope|^lanescope' scoped.md
