# Folders of data-loading results: import, figures, what is missing or refused.
tree=data/dataload/exp1
lanescope import $tree -o exp1.lanes --quiet
lanescope sql exp1.lanes "SELECT t.id, t.name, s.name AS sample, s.type, s.n FROM trials t JOIN samples s ON s.trial = t.id ORDER BY s.id LIMIT 12"
lanescope sql exp1.lanes "SELECT kind, record, reason FROM problems"
lanescope query trial-figures exp1.lanes --format table
lanescope query trial-figures exp1.lanes -p kind=baseline1 -p skip=1 -p statistic=median --format table
# what a parameter does not allow is refused, not answered with holes
lanescope query trial-figures exp1.lanes -p statistic=Median
lanescope query trial-figures exp1.lanes -p skip=-1
lanescope query trial-means exp1.lanes -p quantile=150%
lanescope query trial-search exp1.lanes -p steps=0
lanescope query trial-figures --help | sed -n '/^  Parameters/,/^$/p'
printf '%s\n' "Tab / 'Figures of each' Enter Enter p 'statistic=foo' Enter" >keys
lanescope --keys keys --size 100x10 exp1.lanes | tail -2
lanescope query trial-means exp1.lanes --format table
lanescope query trial-improvement exp1.lanes --format table
# blanks in opt_config are none of the numbers
cp -r $tree/ours/librispeech/run1/remote/sim_compute_time=0.1 "blanks" && chmod -R u+w blanks
printf ' 3 ,\t60 \n' >blanks/opt_config
lanescope import blanks -o blanks.lanes --quiet
lanescope query trial-figures blanks.lanes | cut -d, -f8,9
# present follows the values, whichever two of the three there are
cp -r $tree sides && chmod -R u+w sides
cp -r sides/ours/librispeech/run1/remote/sim_compute_time=0.1 "sides/ours/librispeech/run1/remote/sim_compute_time=1.0"
rm -r sides/baseline1/librispeech/run?/remote/sim_compute_time=0.1
lanescope import sides -o sides.lanes --quiet
lanescope query trial-improvement sides.lanes -p measure=throughput --format table
lanescope query trial-search exp1.lanes --format table
lanescope query trial-block-sizes exp1.lanes -p steps=1 -p gain=30% --format table
lanescope query trial-samples exp1.lanes -p 'trial=baseline1*' -p sample=memory --format table
# a part of the tree, from within: the kind is in the path all the same
(cd $tree/ours/librispeech && lanescope import . -o "$OLDPWD/part.lanes" --quiet)
lanescope sql part.lanes "SELECT name, path FROM trials"
lanescope import $tree/ours/librispeech/run2 -o one.lanes --quiet
lanescope sql one.lanes "SELECT name, path FROM trials"
lanescope sql one.lanes "SELECT * FROM tags"
