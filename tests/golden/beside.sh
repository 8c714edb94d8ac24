# What lies empty, headless or damaged beside the traces of a run is a problem of it, as far as it is named like them.
mkdir job
for rank in 0 1; do
	printf '[\n{"id":1,"name":"open","cat":"POSIX","pid":%s,"tid":%s,"ts":100,"dur":5,"ph":"X"}\n{"id":2,"name":"read","cat":"POSIX","pid":%s,"tid":%s,"ts":110,"dur":7,"ph":"X","args":{"ret":10}}\n' 5$rank 5$rank 5$rank 5$rank >job/app-$rank-of-5.pfw
done
: >job/app-2-of-5.pfw
printf '[\n' >job/app-3-of-5.pfw
printf '\037\213\010\000 this is not deflated' >job/app-4-of-5.pfw.gz
: >job/stderr.txt
echo '{"ranks": 5}' >job/settings.json
lanescope import --dry-run job
echo "== kept, and told"
lanescope import --quiet job
lanescope query problems job.lanes --format csv
lanescope query function-time job.lanes --format csv
lanescope query function-time job.lanes job.lanes --format csv --limit 1
lanescope diff function-time job.lanes job.lanes --format csv --limit 1
echo "== read on the way"
lanescope query function-time job --format csv --limit 1
echo "== strict"
lanescope import --quiet --strict --force -o strict.lanes job
echo "status $?"
echo "== named"
lanescope import --quiet -o named.lanes job/app-0-of-5.pfw job/app-2-of-5.pfw job/app-3-of-5.pfw job/settings.json
echo "status $?"
lanescope query problems named --format csv
echo "== names that anything may have"
mkdir pool && printf '0,add,n0\n1000,add,n1\n2000,remove,n0\n' >pool/us-east-1a.csv
: >pool/us-east-1b.csv
: >pool/notes.csv
lanescope import --quiet --name pool pool
lanescope query problems pool --format csv
echo "== a word with a digit in it is another one with a digit, not none"
mkdir words && echo '{"action": "taskPlanned", "task": "a:1", "worker": "w", "host": "h", "at": 5}' >words/a.1.json
: >words/a.x2.json
: >words/a..json
lanescope import --dry-run words
