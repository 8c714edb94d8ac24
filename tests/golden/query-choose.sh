# query: which columns, queries of one's own by their path, standard input and pipes as runs
trace=data/golden
lanescope import --quiet $trace/one.jsonl $trace/four.jsonl
echo "== columns"
lanescope query task-summary one --columns mean,stage --sort -max --limit 2
lanescope query task-summary one four --columns run,n,n --limit 1 --format table
lanescope query task-by-kind one --columns n,kind,total --sum
lanescope query task-by-kind one --wide --columns measure,one --limit 2
lanescope query task-summary one --columns nix
lanescope query task-summary one --columns ' , '
lanescope diff task-by-kind one four --columns b --sort -total_a --limit 1
echo "== a path"
mkdir own
printf -- '-- title: Mine\n-- about: how many\n-- param n count 1 to add\n\nSELECT count(*) + :n AS n FROM tasks\n' >own/mine.sql
lanescope query own/mine.sql one
lanescope query own/mine.sql one -p n=5
(cd own && lanescope query mine.sql ../one.lanes && lanescope query mine.sql --help | head -1)
lanescope queries --sql own/mine.sql
lanescope diff own/mine.sql one four --key n
printf -- '-- title: Mine\n-- about: how many\n\nSELECT count(*),\n  nothing AS n\nFROM tasks\n' >own/wrong.sql
# SQLite before 3.38 does not tell where in a statement: the place of the statement is told then.
lanescope query own/wrong.sql one 2>&1 | sed 's/wrong.sql:[45]:[13]:/wrong.sql:LINE:COLUMN:/'
lanescope query wrong one --queries own 2>&1 | sed 's/wrong.sql:[45]:[13]:/wrong.sql:LINE:COLUMN:/'
printf -- '-- title: Mine\n\nSELECT 1 AS n;\n SELECT 2\n' >own/two.sql
lanescope query own/two.sql one
printf -- '-- title: Mine\n\nSELECT abs(-9223372036854775807 - 1) AS n\n' >own/late.sql
lanescope query own/late.sql one
printf -- '-- title: Mine\n-- parm n\nSELECT 1 AS n\n' >own/header.sql
lanescope query own/header.sql one
lanescope query own/missing.sql one
lanescope query own/ one
echo "== standard input, pipes"
export TMPDIR=$PWD/temporary
mkdir temporary
lanescope query task-summary - --columns n,stage --limit 1 <$trace/one.jsonl
lanescope query task-summary - four --columns run,n --limit 1 <$trace/one.jsonl
cat $trace/one.jsonl | lanescope query task-summary /dev/stdin --columns n,stage --limit 1
lanescope query task-summary /dev/fd/7 --columns n,stage --limit 1 7<<END
$(cat $trace/one.jsonl)
END
mkfifo pipe && lanescope query task-summary pipe
env -u HOME -u XDG_CACHE_HOME lanescope sql - 'SELECT count(*) AS n FROM tasks' <$trace/one.jsonl
echo nothing | lanescope query task-summary -
lanescope - <$trace/one.jsonl
TMPDIR=$PWD/missing lanescope query task-summary - <$trace/one.jsonl
ls temporary
