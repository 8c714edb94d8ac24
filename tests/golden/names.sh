# A run is called what its file is called, wherever it went; names alone are found where runs are kept.
import() { lanescope import --quiet "$@"; }
import data/golden/one.jsonl data/golden/four.jsonl
echo '# after mv and cp'
mv one.lanes renamed.lanes && cp four.lanes 'a copy'
lanescope runs . --format csv | cut -d, -f1,12
lanescope info renamed.lanes | head -2
lanescope info four.lanes | grep -c 'imported as'
lanescope sql renamed.lanes 'SELECT name, imported_as, format FROM run'
lanescope query task-summary 'a copy' four.lanes renamed.lanes --no-header | cut -d, -f1 | uniq
lanescope diff task-summary renamed.lanes four.lanes --format json | head -c 60 | grep -c stage
mv renamed.lanes one.lanes

echo '# several of one name are told apart by their folders, else by numbers'
mkdir -p x/a y/a x/b
cp one.lanes x/a/f.lanes; cp four.lanes y/a/f.lanes; cp one.lanes x/b/f.lanes; cp four.lanes f.lanes
names() { lanescope sql "$@" 'SELECT 1' --no-header | cut -d, -f1; }
names x/a/f.lanes x/b/f.lanes
names x/a/f.lanes ./y//a/f.lanes four.lanes
names f.lanes x/a/f.lanes
names f.lanes f.lanes ./f.lanes
mkdir t1 t2 && cp data/golden/one.jsonl t1/t.jsonl && cp data/golden/four.jsonl t2/t.jsonl
names t1/t.jsonl t2/t.jsonl
echo '# with their paths'
lanescope sql --path x/a/f.lanes one.lanes 'SELECT spans FROM run'
lanescope query --path task-summary one.lanes --limit 1
lanescope query task-summary --path one x/b/f --limit 2 --sort stage | cut -d, -f1-4

echo '# a name alone: here, $LANESCOPE_PATH, the demo, the cache'
lanescope demo >/dev/null
lanescope explain one-worker four-workers --part all --format csv 2>/dev/null | head -1
lanescope info four-workers | head -1
mkdir -p lib1 lib2 && cp one.lanes lib1/kept.lanes && cp four.lanes lib2/kept.lanes && cp one.lanes lib2/other.lanes
lanescope info kept
echo "status $?"
export LANESCOPE_PATH="$PWD/nowhere:$PWD/lib1::$PWD/lib2"
lanescope sql kept --path 'SELECT spans FROM run' | sed "s|$PWD|HERE|"
lanescope sql other.lanes --path 'SELECT spans FROM run' | sed "s|$PWD|HERE|"
cp four.lanes kept.lanes && lanescope sql kept --path 'SELECT spans FROM run'
lanescope sql ./other 'SELECT 1'
echo "status $?"
cp data/golden/hosts.jsonl once.jsonl && lanescope query task-summary once.jsonl >/dev/null && rm once.jsonl
lanescope info once | head -1
for i in t1 t2; do lanescope query task-summary $i/t.jsonl >/dev/null; done
lanescope info t 2>&1 | sed "s/[0-9a-f]\{16\}/HASH/g; s|$PWD|HERE|g"
lanescope query task-summary t 2>/dev/null
echo "status $?"
lanescope nothing-of-this-name
echo "status $?"

echo '# a folder with nothing in it hides no run'
cp one.lanes lib1/vacant.lanes && mkdir vacant beside && cp four.lanes beside.lanes && touch beside/.hidden
for name in vacant beside; do lanescope sql $name --path 'SELECT spans FROM run' 2>&1 | sed "s|$PWD|HERE|g"; done
lanescope info vacant/ 2>&1
lanescope runs vacant --format csv | cut -d, -f1
cp t1/t.jsonl vacant/ && lanescope query task-summary vacant --limit 1 --sort stage --no-header | cut -d, -f1
mkdir void && lanescope info void
echo "status $?"

echo '# what gives no run is told, the others answer'
head -c 5000 one.lanes >cut.lanes
printf '[{"ph":"X","ts":0,"dur":5,"pid":1,"tid":1,"name":"a"}]' >c.json && import c.json
lanescope query task-summary one.lanes nowhere.lanes cut.lanes c.lanes four.lanes --limit 1 --sort -n
echo "status $?"
lanescope query task-summary one.lanes cut.lanes --limit 1 --sort -n
echo "status $?"
lanescope query task-summary c.lanes
echo "status $?"
lanescope query task-summary nowhere.lanes cut.lanes
echo "status $?"
lanescope sql one.lanes nowhere.lanes 'SELECT spans FROM run'
echo "status $?"
lanescope sql one.lanes four.lanes 'SELECT wrong FROM run'
echo "status $?"
lanescope info --format csv nowhere.lanes one.lanes cut.lanes | head -2
lanescope info nowhere.lanes one.lanes >/dev/null 2>&1
echo "status $?"
lanescope runs one cut.lanes nowhere.lanes --format csv | cut -d, -f1
lanescope runs one cut.lanes >/dev/null 2>&1
echo "status $?"
lanescope diff task-summary one.lanes nowhere.lanes
echo "status $?"
