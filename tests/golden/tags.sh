# Tags: at import, from paths and files beside traces, and later; which counts, and what is refused.
trace=data/golden
XDG_STATE_HOME=$PWD/state
export XDG_STATE_HOME
summary() {
	sed 's/; [0-9.]* [KM]iB in [^;]*//'
}
mkdir -p exp/n2_p8_base exp/n4_p8_scr
cp $trace/four.jsonl exp/n2_p8_base/t.jsonl
cp $trace/one.jsonl exp/n4_p8_scr/t.jsonl
printf '# all of them\nmachine = lassen\nnote = "two  blanks "\nnodes = 99\n' >exp/lanescope.tags
echo 'machine = near' >exp/n4_p8_scr/lanescope.tags
echo "== import: the file nearest, then patterns, then --tag"
lanescope import --dry-run --tags-from 'n{nodes}_p{ppn}_{mode}' --tag who=me exp
lanescope import --tags-from 'n{nodes}_p{ppn}_{mode}' --tag who=me exp | summary
lanescope tag n4_p8_scr-t.lanes n2_p8_base-t.lanes
lanescope sql n4_p8_scr-t.lanes "SELECT * FROM tags WHERE scope = 'given'"
echo "== traces opened on the way have the tags of files, and other tags at once"
lanescope info exp/n4_p8_scr/t.jsonl --format table | grep -E '^(machine|nodes)'
echo '{"machine": "nearer", "nodes": 4e0, "note": null, "warm": true}' >exp/n4_p8_scr/lanescope.tags
lanescope info exp/n4_p8_scr/t.jsonl --format table | grep -E '^(machine|nodes|note|warm)'
echo "== the identity is the traces'"
lanescope import --quiet -o plain.lanes exp/n4_p8_scr/t.jsonl
lanescope runs plain.lanes n4_p8_scr-t.lanes --columns run,identity
lanescope import --tag who=you -o n4_p8_scr-t.lanes exp/n4_p8_scr/t.jsonl
echo "other tags: $?"
lanescope import --tag who=you --force -o n4_p8_scr-t.lanes exp/n4_p8_scr/t.jsonl | summary
lanescope tag n4_p8_scr-t.lanes | grep who
echo "== patterns"
for pattern in 'x{nodes}' 'n{nodes' 'n{a}{b}' '{a}_p{a}' 'n4' '{1}' '{mode}_p8_scr' 'exp/n{n}_*/t' 't'; do
	lanescope import --dry-run --tags-from "$pattern" exp 2>&1 | grep -E '^lanescope|tags:'
done
lanescope import --tag 'a b=3' exp
lanescope import --tag nodes exp
echo "== a broken file is a problem of its runs"
echo 'nodes 4' >exp/n4_p8_scr/lanescope.tags
lanescope import --quiet -o broken/ exp
lanescope query problems broken --format tsv | cut -f1,6,7
printf '{"nodes": 4,\n "hosts": ["a", "b"]}\n' >exp/n4_p8_scr/lanescope.tags
lanescope import --quiet -o broken-json/ exp
lanescope query problems broken-json --format tsv | cut -f1,6,7
echo "== later"
cp n2_p8_base-t.lanes a.lanes
cp n4_p8_scr-t.lanes b.lanes
lanescope tag a.lanes b.lanes rep=3 mode=new 'note=" q"' scenario-
cat a.lanes.tags
lanescope tag a.lanes
lanescope tag a.lanes rep- && cat a.lanes.tags
lanescope tag a.lanes b.lanes never-
lanescope tag a.lanes rep=
for tag in 'größe=5' 'a b=3' '=3' 'nowhere/x=3'; do
	lanescope tag a.lanes "$tag"
done
lanescope tag rep=3
lanescope tag exp/n4_p8_scr/t.jsonl rep=3
echo "== a file of another run, a broken one, no file"
cp a.lanes.tags c.lanes.tags
cp b.lanes c.lanes
lanescope tag c.lanes | grep -c later
lanescope tag c.lanes rep=4
echo "another run's: $?"
printf 'identity = %s\nx = 1\ny\n' "$(lanescope runs c.lanes --no-header --columns identity 2>/dev/null)" >c.lanes.tags
lanescope tag c.lanes | grep -c later
rm c.lanes.tags && mkfifo c.lanes.tags
lanescope tag c.lanes | grep -c later
rm c.lanes.tags && head -c 300000 /dev/zero | tr '\0' '#' >c.lanes.tags
lanescope info c.lanes | grep -c later
rm c.lanes.tags
echo "== a run file with all of them"
lanescope tag --into named.lanes a.lanes extra=1 who-
lanescope tag named.lanes
lanescope verify named.lanes | cut -d, -f1,4
lanescope runs a.lanes named.lanes --no-header --columns identity | uniq | wc -l
lanescope tag --into named.lanes a.lanes
lanescope tag --into two.lanes a.lanes b.lanes
ls ./*.tags
