# Traces of which some give no run: the others answer, and the status says that it is not all.
trace=data/golden
cp $trace/one.jsonl $trace/four.jsonl .
echo 'no trace at all' >notes.txt
echo "== query, sql, info"
lanescope query task-summary one.jsonl notes.txt four.jsonl --limit 1 --format csv
echo "status $?"
lanescope sql one.jsonl notes.txt nowhere.jsonl 'SELECT count(*) FROM task' --format csv
echo "status $?"
lanescope import --quiet four.jsonl
lanescope query task-summary four.lanes notes.txt --limit 1 --format csv
echo "status $?"
lanescope query task-summary notes.txt nowhere.jsonl
echo "status $?"
lanescope query task-summary notes.txt
echo "status $?"
echo "== what needs all"
lanescope diff task-summary one.jsonl notes.txt --limit 1
echo "status $?"
lanescope explain one.jsonl notes.txt
echo "status $?"
echo "== a run that can't be made beside one that can"
mkdir tree tree/a tree/b
cp one.jsonl tree/a
printf '\037\213\010\000 this is not deflated' >tree/b/broken.jsonl.gz
lanescope sql tree 'SELECT count(*) FROM task' --format csv
echo "status $?"
lanescope sql tree/a tree/b 'SELECT count(*) FROM task' --format csv
echo "status $?"
echo "== what was told of a copy goes when the copy does"
mkdir twice && cp one.jsonl twice && cp one.jsonl "twice/a copy.jsonl"
lanescope sql twice 'SELECT kind, reason FROM problem' --no-header --format csv
rm "twice/a copy.jsonl"
lanescope sql twice 'SELECT count(*) FROM problem' --no-header --format csv
echo "== a pipe is read once"
mkfifo pipe
cat four.jsonl >pipe &
lanescope import --quiet --name piped pipe
wait
lanescope query task-times piped --format csv >one.csv
lanescope query task-times four --format csv >two.csv
cmp one.csv two.csv && echo "the same"
cat four.jsonl >pipe &
lanescope import --name piped pipe
wait
gzip -c one.jsonl | lanescope import --quiet --name input /dev/fd/0
lanescope sql input 'SELECT count(*) FROM task' --no-header
lanescope query task-summary pipe
echo "status $?"
echo "== names that tell what the content is"
mkdir pools && printf '0,add,n0\n1000,add,n1\n2000,remove,n0\n' >pools/east.csv
lanescope import --quiet --name pool pools/east.csv
mv pools/east.csv pools/west.csv
lanescope import --quiet --name pool pools/west.csv
echo "== the explorer writes over no run and no trace"
mkdir apart && cp four.lanes apart/four.lanes && cp four.jsonl apart/shown.jsonl && ln apart/four.lanes apart/linked.csv
lanescope import --quiet --name shown -o apart/ apart/shown.jsonl
for target in apart/linked.csv apart/shown.jsonl; do
	printf "%s\n" "g v Enter : 'export $target' Enter" screen >keys
	lanescope --keys keys --size 120x30 apart/shown.lanes | grep -o 'apart/[a-z.]*: is .*another name' | head -1
done
cmp apart/shown.jsonl four.jsonl && cmp apart/linked.csv four.lanes && echo "both are what they were"
echo "== a folder that holds no trace at all is one sentence"
mkdir -p none && echo hello >none/a.txt
lanescope query span-totals none
echo "== of very many that can't be read a hundred are listed"
mkdir many && cp one.jsonl many/a.jsonl
for i in $(seq 102); do printf '\037\213\010\000broken%d' $i >many/a$i.jsonl; done
lanescope import --dry-run many 2>/dev/null | sed '4,100d'
echo "== a place that another run holds is refused before anything is read"
lanescope import --format chrome -o four.lanes notes.txt
