# What keys do where there is little to show: runs without spans, without lanes, without names, damaged, none at all; two runs key
# by key; and what is typed wrong.
. data/golden/keys
said() { # keys, runs...: the first row, the selected ones, the last ones
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	shift
	lanescope --keys keys --size 80x12 "${@:-four.lanes}" | sed -n '1p;/^>/p;10,12p'
}
lanescope import --quiet -o four.lanes data/golden/four.jsonl
lanescope import --quiet -o one.lanes data/golden/one.jsonl
lanescope import --quiet -o density.lanes data/dftracer/density.pfw
lanescope import --quiet -o gpu.lanes data/chrome/gpu.json
printf '%s' '{"traceEvents":[{"name":"load","ph":"C","pid":2,"ts":0,"args":{"v":3}},{"name":"load","ph":"C","pid":2,"ts":500,"args":{"v":7}},
{"name":"load","ph":"C","pid":2,"ts":502,"args":{"v":4}}]}' >counter.json
printf '%s' '{"traceEvents":[]}' >nothing.json
cat >plain.json <<'END'
{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":0,"dur":2},{"ph":"X","pid":1,"tid":1,"ts":5,"dur":4},{"name":"p","ph":"X","pid":1,"tid":2,"ts":0,"dur":1,"args":{"k":"v","n":7}}]}
END
lanescope import --quiet counter.json nothing.json plain.json
pair='one.lanes four.lanes'
echo "two runs"
said "| G" $pair
said "| G h" $pair
said "| G g" $pair
said "| w l" $pair
said "| w l h h h" $pair
said "| w w l l s" $pair
said "| w w l l s s" $pair
said "| L L L H" $pair
said "| w w w f" $pair
said "| @ @ o" $pair
said "| o @ @" $pair
said "| j G @ @" $pair
said "| j j @ @" $pair
said "| j j j j @ @" $pair
keys "aligned at a task, then swapped" 80x14 "| j j j j @ @ screen x" $pair
said "| j j x" $pair
said "| R ~" $pair
said "| C" $pair
said "| j j Enter" $pair
said "| j j j j Enter" $pair
said "| w w l Enter" $pair
said "| w w l Enter q @ Enter" $pair
said "| t G" $pair
said "T ':lane worker0' Enter . . |" $pair
said "T ':lane worker0' Enter . . | @ @" $pair
said "T ':lane worker1' Enter . . | @ @" four.lanes one.lanes
said "T ':range 500ms 1s' Enter |" $pair
keys "of densities, against none" 80x14 "| j j L L" density.lanes four.lanes
keys "one without lanes" 60x12 "| @ screen t" one.lanes nothing.lanes
keys "both" 60x8 "| @ t Enter" nothing.lanes counter.lanes
keys "signs are left out where there is no room" 40x12 "|" $pair
echo "runs without spans, without names"
keys "explained" 70x10 "X screen Enter screen Enter" nothing.lanes counter.lanes
keys "the first has some" 70x9 "X" four.lanes counter.lanes
keys "the second has some" 70x9 "X" counter.lanes four.lanes
keys "compared" 70x8 "D" nothing.lanes counter.lanes
keys "compared with others" 70x8 "D" density.lanes four.lanes
for keys in T "T w f" "T u" "T t" "T ." "T m" "T '/x' Enter" "T e" "S" "S Enter" "S G" "S [" "S y" "S e" "v Enter" "1" "Tab Enter" "^P" "D" "|" "X" "i" "T ':goto 1s' Enter" "T ':lane x' Enter" "S ':jump 5' Enter"; do
	said "$keys" nothing.lanes
done
said "Enter" counter.lanes
keys "values" 80x14 "T G screen h" counter.lanes
said "T u" counter.lanes
said "T ':range 0 5us' Enter" counter.lanes
said "S Enter" plain.lanes
said "S Enter S" plain.lanes
said "S j Enter S" plain.lanes
said "S \\ G Enter S" plain.lanes
said "S \\ '/p' Enter" plain.lanes
said "T j . y" plain.lanes
said "T j . Y" plain.lanes
echo "densities"
said "T k" density.lanes
said "T j L L L L L y" density.lanes
keys "of a cell where nothing is selected" 80x14 "T '&duration > 9s' Enter j screen \\ L L screen w w L screen u" density.lanes
echo "no run, damaged ones"
mkdir empty bad
head -c 3000 four.lanes >bad/cut.lanes
cp one.lanes bad
echo x >bad/text.lanes
cd empty || exit
keys "none" 80x8 "/ x Enter Enter A j ; screen Esc ':sql' Enter screen ':sql SELECT 1' Enter screen ':query task-times' Enter screen ':mark a' Enter screen D screen T"
rm keys
cd ..
keys "damaged" 100x8 "screen G Enter screen g A screen j A screen B screen B D screen '/is' Enter screen '/cut' Enter" bad
echo "SQL, commands and settings typed wrong"
last() { # keys: the last rows
	printf '== %s\n' "$1"
	printf '%s\n' "$1" >keys
	lanescope --keys keys --size 90x9 four.lanes | tail -n 2
}
last ": Enter"
last "':sql' Enter Z"
last "':sql SELECT min(' Enter"
last "':sql SELECT 1 nosuch FROM, span' Enter Z"
last "':sql  SELECT 2' Enter"
last "':set' Enter"
last "':set glyphs' Enter"
last "':set glyphs = ' Enter"
last "':set glyphs = ascii' Enter T"
last "':set glyphs ascii' Enter ':set glyphs auto' Enter T"
last "':set classes x' Enter"
last "':set classes fast=/x/*' Enter"
last "':set key.help Z' Enter Z"
last "':set mouse on' Enter M"
last "':map' Enter"
last "':map Z' Enter"
last "':map Z sort-up extra' Enter"
last "':mark' Enter"
last "':mark b' Enter"
last "':mark a' Enter ':mark a' Enter D"
last "':query' Enter"
last "':query nosuch' Enter"
last "':messages' Enter"
last "'/nosuch' Enter n"
last n
last "v n"
last "v '/tasks by' n"
last "v j j '/tasks by'"
last "v j j '/nosuch'"
last "v j j '/tasks by' Esc n"
last "v '/tasks by' Enter N"
last "v G '/tasks by' Enter n"
last "S '/efi'"
last "v ':classes' Enter"
echo "left and come back to, resized on the way, as far in as it goes and out again"
said "T w w w l S q s"
said "T w w w l S q s s"
said "T w w 60x12 80x12 s"
said "S \\ j j T 60x12 80x12"
said "S \\ j j T S 60x12 80x12 q"
said "| j j w w 60x12 80x12 S q s" $pair
in='w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w w'
said "T $in s"
said "| $in s" $pair
keys "what was said, and what of it is an error" 90x22 "'/nosuch' Enter n ':query nosuch' Enter v n '/tasks by' Enter n g ':map Z' Enter T ':jump never' Enter Esc ':mark a' Enter M M S y ':export x.csv' Enter ':messages' Enter" four.lanes
echo "who comes back from another view zooms out around the cursor"
said "T G w w w S q s"
said "T G w w w s"
said "T L L L L L L L w w w S q s"
sed '2s/16274299256128/16274299178220/' data/golden/one.jsonl >at-once.jsonl
lanescope import --quiet at-once.jsonl
keys "a stage that took no time" 80x24 "S \\ '&category = task' Enter Enter" at-once.lanes
