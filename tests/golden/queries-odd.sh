# Queries of one's own at their limits, and what tables of several runs make of keys that repeat.
mkdir -p home/config/lanescope/queries/folder.sql
cd home/config/lanescope/queries || exit
head='-- title: T
-- about: A.
-- format: any'
{ echo "$head"; for i in $(seq 1 70); do echo "-- param p$i integer 1 P"; done; echo 'SELECT 1 AS x'; } >params.sql
{ echo "$head"; for i in $(seq 1 300); do echo "-- column c$i integer C"; done; echo 'SELECT 1 AS c1'; } >columns.sql
{ echo "$head"; echo '-- drill:'; echo 'SELECT 1 AS x'; } >drill.sql
{ echo "$head"; printf -- '-- about: %05000d\n' 1; echo 'SELECT 1 AS x'; } >long.sql
{ echo "$head"; echo 'SELECT 1 AS x'; head -c 1100000 /dev/zero | tr '\0' ' '; } >large.sql
{ echo "$head"; printf 'SELECT 1 AS x\0'; } >zero.sql
{ echo "$head"; echo '-- param a integer 1 A'; echo '-- param a integer 1 A'; echo 'SELECT :a AS x'; } >twice.sql
{ echo "$head"; echo '-- column x integer X'; echo '-- column x text X'; echo 'SELECT 1 AS x'; } >again.sql
{ echo "$head"; echo '-- param a integer 1 A'; echo 'SELECT 1 AS x'; } >unused.sql
{ echo "$head"; echo 'SELECT :b AS x'; } >undeclared.sql
{ echo "$head"; echo '-- param a integer'; echo 'SELECT :a AS x'; } >silent.sql
printf '%s\n' "$head" '-- column name text N' '-- column n count C' '-- column worst duration D' '-- key: name' '-- measure: n, worst' \
	"SELECT 'a' AS name, count(*) AS n, max(duration) AS worst FROM span UNION ALL SELECT 'a', 2, 30 UNION ALL SELECT 'b', 5, NULL" \
	'UNION ALL SELECT name, 7, -5 FROM span WHERE id = 1' >repeated.sql
cd - >/dev/null || exit
call() { echo "{\"id\":1,\"name\":\"$1\",\"cat\":\"C\",\"pid\":1,\"tid\":1,\"ts\":$2,\"dur\":$3,\"ph\":\"X\",\"args\":{}}"; }
{ call x 0 10; call y 20 30; } >one.pfw
{ call y 0 40; call x 50 20; call x 100 7; } >two.pfw
lanescope import --quiet one.pfw
lanescope import --quiet two.pfw
for query in params columns drill long large zero twice again unused undeclared silent folder; do
	lanescope query $query one 2>&1 | cut -c1-160 | head -2
done
echo "== one run, both, side by side, the difference"
lanescope query repeated one --format csv
lanescope query repeated one two --format csv
lanescope query repeated one two --wide --format csv
lanescope query repeated one two --wide --sum --format csv
lanescope query repeated one two --sort -n --limit 3 --format csv
lanescope query repeated one --sum --format csv
lanescope diff repeated one two --format csv
lanescope diff repeated two one --sum --format csv
lanescope diff repeated one two --rel-to b --measure worst --format csv
lanescope diff repeated one two --key name,n --measure worst --format csv
lanescope diff repeated one two --key worst --measure n --format csv
