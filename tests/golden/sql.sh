# Ad-hoc SQL: one run, many, errors, what is refused.
trace=data/golden
lanescope import --quiet $trace/one.jsonl $trace/four.jsonl
lanescope sql one.lanes 'SELECT name, kind FROM lanes ORDER BY id'
lanescope sql one four 'SELECT count(*) AS n FROM task'
echo 'SELECT 1 AS a; -- end' | lanescope sql one
lanescope sql one --format table "SELECT dur_sum, n FROM span_sums('name', '') ORDER BY name LIMIT 2"
lanescope sql one --limit 1 --no-header 'SELECT name FROM span ORDER BY id'
lanescope sql one 'SELEC 1'
echo "wrong: $?"
lanescope sql one 'DELETE FROM run'
echo "writing: $?"
lanescope sql one "ATTACH 'x' AS y"
echo "attaching: $?"
lanescope sql one "SELECT load_extension('x')"
lanescope sql one "SELECT fts3_tokenizer('simple')" 2>&1 | sed 's/not authorized to use function\|no such function/refused/'
lanescope sql missing 'SELECT 1'
lanescope sql one ''
echo "empty: $?"
lanescope sql 'SELECT 1'
echo "== a run whose answer is beyond a limit goes without, and is told once"
timeout 20 lanescope sql one four one "SELECT length(zeroblob((SELECT count(*) - 2 FROM lanes) * 1000000000)) AS n" 2>&1 | head -8
