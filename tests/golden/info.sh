# Pages about runs and queries.
trace=data/golden
lanescope import --quiet $trace/four.jsonl
cp data/dftracer/damaged.pfw . && lanescope import --quiet damaged.pfw
lanescope info four | sed 's/^\(written by *\).*/\1.../'
lanescope info damaged | sed 's/^\(written by *\).*/\1.../'
lanescope info four damaged --format csv | grep -v 'written by'
lanescope runs --format csv | cut -d, -f1-10
lanescope runs nowhere
mkdir empty && lanescope runs empty
lanescope query task-times --help
lanescope queries four | cut -d, -f1
lanescope queries --sql tags
lanescope queries --format json --sort -title --limit 1
lanescope queries four --format json | grep -o '"name": "missing".*' | head -c 300
printf '%s\n' '-- title: Bad \\ "text" of '"$(printf '\377')" '-- param least real 1 {0..} At least' '-- column mine real' 'SELECT :least AS mine' >mine.sql
lanescope queries --queries . --format json | grep '"mine"'
lanescope queries four --format json --sort nothing
lanescope queries --sql tgas
lanescope info
lanescope --version | sed -n 1,2p
lanescope --version | sed 's/  .*//'
lanescope --version | grep -o '\(SQLite\|zlib\|jansson\|ncurses\) [0-9.]\+' | sed 's/ .*//'
