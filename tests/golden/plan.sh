# What is one run is told by folders and content, the same for every command.
trace=data/golden
mkdir -p logs/n2_base logs/n2_scr
cp $trace/base-0.pfw $trace/base-1.pfw.gz logs/n2_base && cp $trace/scr-0.pfw.gz $trace/scr-1.pfw.gz logs/n2_scr
echo "== a tree of jobs, however it is named"
lanescope import --dry-run logs
for paths in 'logs/*/' 'logs/*/*.pfw*' 'logs logs/n2_scr ./logs/n2_base/base-0.pfw'; do
	lanescope import --dry-run $paths | grep -c -e '^n2_base.lanes: dftracer, 2 files' -e '^n2_scr.lanes: dftracer, 2 files'
done
echo "== each with its own time"
lanescope query checkpoint-time logs
mkdir -p runs && lanescope import --quiet -o runs logs && lanescope query checkpoint-time runs
lanescope diff checkpoint-time logs/n2_base logs/n2_scr
lanescope info runs/n2_base.lanes | grep grouping
echo "== two jobs side by side"
mkdir -p flat && cp logs/*/* flat
lanescope import --dry-run flat
lanescope query checkpoint-time flat
echo "== one run, or a run of each, where that is asked for"
lanescope import --dry-run --one logs
lanescope import --dry-run --each -o out/ logs
lanescope import --one --each logs
lanescope import -o all.lanes logs
echo "one file: $?"
ls all.lanes out 2>/dev/null
echo "== the same data counts once, and is told"
cp logs/n2_base/base-0.pfw logs/n2_base/again.pfw && gzip -nk logs/n2_base/base-0.pfw && ln -s base-1.pfw.gz logs/n2_base/link.pfw.gz
mkdir logs/copy && cp logs/n2_scr/* logs/copy
lanescope import --dry-run logs
mkdir -p once && lanescope import --quiet --strict -o once logs
echo "strict: $?"
lanescope query checkpoint-time once
lanescope query problems once/n2_base.lanes | grep -c duplicate
echo "== what can't be read is a problem of the runs beside it"
rm -r logs/copy && ln -s nowhere logs/n2_scr/lost.pfw && printf '\037\213\010\000broken' >logs/n2_scr/broken.pfw.gz
mkdir -p rest && lanescope import --quiet -o rest logs logs/n2_scr/lost.pfw notes.txt
echo "named: $?"
lanescope import --quiet -o rest logs
echo "found: $?"
lanescope query problems rest/n2_scr.lanes | grep missing | grep -e lost -e broken | cut -d, -f1,2
lanescope import --quiet --strict -o rest logs/n2_scr
echo "strict: $?"
echo "== hidden folders are passed over, and named where they may hold traces"
mkdir -p shown/.old/deep shown/.git shown/sub && cp $trace/base-0.pfw shown/sub/ && cp $trace/scr-0.pfw.gz shown/.old/deep/ && echo x >shown/.git/HEAD
lanescope import --dry-run shown
lanescope import --dry-run shown/.old
rm -r shown/sub && lanescope import --dry-run shown
echo "nothing else: $?"
echo '== standard input'
lanescope import --dry-run - <$trace/base-0.pfw
