# Queries of one's own: they replace built-in ones, and a broken one is named.
trace=data/golden
lanescope import --quiet $trace/four.jsonl
mkdir -p home/config/lanescope/queries more
printf '%s\n' '-- title: Mine' '-- param least duration 1ms At least' '-- column kind text' '-- column n count' '-- key: kind' '-- measure: n' \
	'SELECT kind, count(*) AS n FROM tasks WHERE finished - started >= :least GROUP BY kind ORDER BY kind;' \
	>home/config/lanescope/queries/mine.sql
printf '%s\n' '-- title: Tags, mine' 'SELECT 1 AS one' >home/config/lanescope/queries/tags.sql
printf '%s\n' '-- title: Broken' '-- colunm x text' 'SELECT 1 AS x' >home/config/lanescope/queries/broken.sql
printf '%s\n' '-- title: Extra' "SELECT 'a' AS \"weird name\", x'00ff' AS bytes" >more/extra.sql
lanescope query mine four
lanescope query mine four -p least=1s
lanescope query tags four
lanescope query extra --queries more four
lanescope query extra four
printf '%s\n' '-- title: Wrong' 'SELECT x FROM nowhere' >more/wrong.sql
lanescope query wrong --queries more four
printf '%s\n' '-- title: Column' '-- column y text' 'SELECT 1 AS x' >more/column.sql
lanescope query column --queries more four
lanescope query broken four
lanescope queries --format csv --limit 0
