# sql: values for a statement's parameters, one statement a call
lanescope import --quiet data/golden/one.jsonl
q() {
	lanescope sql one.lanes "$@" --format csv --no-header
}
echo "== what a value reads as"
for value in 5 -5 0.5 1e3 5x "'5'" '"5"' "''" '' nan 9223372036854775807 9223372036854775808; do
	q -p "v=$value" 'SELECT typeof(:v), :v, :v = 5'
done
q 'SELECT $a || @b || :a' -p a=1 -p b=2 -p a=3
q 'SELECT ?1 + 1' -p 1=4
q "SELECT count(*) FROM lanes WHERE id < :n" -p n=2
lanescope sql one.lanes one.lanes 'SELECT :x AS x' -p x=y --format csv
echo "== what is refused"
q 'SELECT :a, :b' -p a=1
q 'SELECT ?' -p a=1
q 'SELECT 1' -p a=1
q 'SELECT 1' -p a
q 'SELECT 1; SELECT 2'
q 'SELECT 1;
  SELECT 2'
echo 'SELECT 1; nonsense' | q
q 'SELECT 1; -- done' 
lanescope sql one.lanes one.lanes 'SELECT :x AS x'
