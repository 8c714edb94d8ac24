# Charts of all other answers: differences, statements, spans one by one and in groups, of one run and of several.
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
echo "differences are bars from 0, either way"
lanescope diff task-by-kind one.lanes four.lanes --plot
lanescope diff task-by-kind four.lanes one.lanes --plot --size 60x12 --ascii
lanescope diff task-by-kind one.lanes four.lanes --plot --y total_a,total_b --limit 2
echo "statements: texts tell rows apart; of several runs the run does, too"
statement='SELECT category, sum(duration) AS total FROM span GROUP BY category ORDER BY category'
lanescope sql four.lanes "$statement" --plot
lanescope sql one.lanes four.lanes "$statement" --plot
lanescope sql four.lanes 'SELECT duration FROM span' --plot cdf --x duration --size 60x10
lanescope sql four.lanes -p least=1000000 'SELECT start, duration FROM span WHERE duration > :least' --plot --x start --y duration -o points.svg
grep -c '<title>' points.svg
lanescope sql four.lanes 'SELECT count(*) FROM span WHERE duration > 1000000' --no-header
echo "spans"
lanescope spans four.lanes --by category --plot --y total
lanescope spans one.lanes four.lanes --by category --plot --y total --size 60x12
lanescope spans four.lanes --filter 'category = "task"' --plot scatter --x start --y duration --size 60x12
lanescope spans four.lanes --plot histogram --x duration --format svg | grep '<title>' | sed 's/.*: //; s/,.*//' | awk '{ n += $1 } END { print n }'
lanescope sql four.lanes 'SELECT count(*) FROM span' --no-header
lanescope spans four.lanes --limit 3 --plot
lanescope spans four.lanes --by lane_name --pivot category --plot --y task
echo "what can't be drawn"
lanescope sql four.lanes 'SELECT 1 AS a WHERE 0' --plot
lanescope sql four.lanes "SELECT 'x' AS a" --plot
lanescope diff task-by-kind one.lanes four.lanes --plot --y total
lanescope spans four.lanes --x start
lanescope sql four.lanes "$statement" --format svg
echo "the list of runs: how long each took, or any other of its columns"
lanescope tag one.lanes workers=1 >/dev/null
lanescope runs . --plot --size 60x8
lanescope runs . --plot --x workers --y records --where 'workers = 1'
lanescope runs . --format svg
