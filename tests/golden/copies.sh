# Records that stand twice count once; what can't be compared is told.
call() {
	printf '{"id":%d,"name":"%s","cat":"POSIX","pid":7,"tid":7,"ts":17000000000000%d,"dur":2,"ph":"X","args":{"hostname":"n"}}\n' "$1" "$2" "$3"
}
show() {
	lanescope sql "$1" 'SELECT sum(spans) AS spans FROM source' --no-header
	lanescope sql "$1" 'SELECT kind, record, reason FROM problem' --no-header
}
{ call 1 open 10 && call 2 read 20 && call 3 read 30 && call 4 close 40; } >one.pfw
{ cat one.pfw && sed -n 2,3p one.pfw && call 5 open 50; } >appended.pfw
{ call 6 open 60 && sed -n 3,4p one.pfw; } >other.pfw
echo "== in one file"
lanescope import --quiet appended.pfw && show appended
echo "== in two"
lanescope import --quiet --one --name two one.pfw other.pfw && show two
echo "== from standard input"
lanescope import --quiet --name input - <appended.pfw && show input
echo "== another start"
{ cat one.pfw && call 1 open 70 && call 2 read 80 && call 3 close 90; } >again.pfw
lanescope import --quiet again.pfw && show again
echo "== copies that are named: the answer says that the run has a problem, and of which run"
mkdir -p named cached
cp data/dftracer/new.pfw named/a.pfw
head -c 1500 data/dftracer/new.pfw >named/b.pfw
XDG_CACHE_HOME=$PWD/cached lanescope query function-time named/a.pfw named/b.pfw --format csv --limit 1 2>&1 | sed "s|info .*cached/.*/|info CACHE/|; s|-[0-9a-f]*\.lanes|.lanes|"
XDG_CACHE_HOME=$PWD/cached lanescope query function-time named --format csv --limit 1 2>&1
