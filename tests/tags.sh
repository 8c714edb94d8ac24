#!/bin/sh
# Tags of a run in a folder that can't be written go to the state folder, by the run's identity, and come back beside it later. TAP.
. "$(dirname "$0")/tap.sh"
srcdir=${LANESCOPE_SRCDIR:-.}
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
mkdir "$work/kept" "$work/own" || exit 2
run=$work/kept/run.lanes
"$LANESCOPE" import --quiet -o "$run" "$srcdir/tests/data/golden/four.jsonl" || exit 2
chmod 555 "$work/kept"
trap 'chmod 755 "$work/kept"; rm -rf "$work"' EXIT

# Root may write everywhere, unless it gives that right away.
weak=
if [ -w "$work/kept" ]; then
	weak='setpriv --bounding-set=-dac_override'
	$weak true 2>/dev/null && ! $weak test -w "$work/kept" || skip_all "root may write everywhere, and setpriv can't take that away"
fi

told=$($weak "$LANESCOPE" tag "$run" nodes=4 'note=two words' 2>&1)
[ $? -eq 0 ] && [ ! -e "$run.tags" ]
result $? "a folder that can't be written keeps no tags, and that is no failure"
identity=$("$LANESCOPE" runs "$run" --columns identity --no-header)
grep -q '^nodes = 4$' "$work/state/lanescope/tags/$identity.tags"
result $? "they are in the state folder, named by the run's identity"
[ "$("$LANESCOPE" runs "$run" --columns nodes,note --no-header)" = '4,two words' ]
result $? "and are the run's"
$weak "$LANESCOPE" tag "$run" nodes=8 mode=scr note- >/dev/null 2>&1
[ "$("$LANESCOPE" runs "$run" --columns nodes,mode --no-header)" = 8,scr ] && ! "$LANESCOPE" tag "$run" | grep -q "two words"
result $? "they change there"
cp "$run" "$work/own/copy.lanes"
[ "$("$LANESCOPE" runs "$work/own/copy.lanes" --columns nodes,mode --no-header)" = 8,scr ]
result $? "a copy, which has the same identity, has them"
"$LANESCOPE" tag "$work/own/copy.lanes" rep=1 >/dev/null 2>&1
[ "$("$LANESCOPE" runs "$work/own/copy.lanes" --columns nodes,mode,rep --no-header)" = 8,scr,1 ] && grep -q '^nodes = 8$' "$work/own/copy.lanes.tags" && [ ! -e "$work/state/lanescope/tags/$identity.tags" ]
result $? "where the folder can be written they move beside the run, with all that there were"

told=$(env -u XDG_STATE_HOME -u HOME $weak "$LANESCOPE" tag "$run" nodes=4 2>&1)
[ $? -eq 2 ] && [ "${told#*neither XDG_STATE_HOME nor}" != "$told" ]
result $? "where nobody says where the state folder is, that is said"
: >"$work/file"
told=$(XDG_STATE_HOME=$work/file $weak "$LANESCOPE" tag "$run" nodes=4 2>&1)
[ $? -eq 2 ] && [ "${told#*"$work/file"}" != "$told" ]
result $? "a state folder that can't be made is named"
echo "1..$count"
exit $failed
