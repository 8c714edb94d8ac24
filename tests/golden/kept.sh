# Nothing that reads a run changes its file, or puts anything beside it; rows of a statement are printed as they come.
lanescope import --quiet data/golden/one.jsonl data/golden/four.jsonl
mkdir kept && cp one.lanes four.lanes kept
chmod a-w kept/*.lanes
printf '%s\n' Enter v Enter q S q T q ';' q >keys
look() {
	lanescope runs kept
	lanescope info kept/four.lanes
	lanescope verify kept/four.lanes
	lanescope query task-times kept/four.lanes kept/one.lanes
	lanescope diff task-by-kind kept/one.lanes kept/four.lanes
	lanescope explain kept/one.lanes kept/four.lanes
	lanescope timeline kept/four.lanes
	lanescope spans kept/four.lanes --by name
	lanescope export kept/four.lanes --to chrome -o four.json
	lanescope --keys keys kept/one.lanes kept/four.lanes
}
(
	set -e
	look
) >looked 2>&1
echo "status $?"
cmp kept/one.lanes one.lanes && cmp kept/four.lanes four.lanes && ls -A kept
for statement in 'DELETE FROM task' 'PRAGMA user_version = 7' 'CREATE TABLE t (x)' "ATTACH 'x.db' AS x" "VACUUM INTO 'x.db'"; do
	lanescope sql kept/four.lanes "$statement" 2>&1 | head -1
done
cmp kept/four.lanes four.lanes && ls -A kept
echo "== rows without end, of which a few are asked for"
lanescope sql four 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n' --format csv | head -n 3
