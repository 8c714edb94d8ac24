# Classes of paths: guessed, named on the command line and in the settings; as a dimension, a column, a filter and colours.
data=data/golden
lanescope import --quiet --name base $data/base-*
lanescope import --quiet --name scr $data/scr-*
lanescope sql base scr "SELECT class, n, size_sum FROM span_sums('class', 'path IS NOT NULL')"
lanescope query path-busy base scr 2>/dev/null
echo "== named"
lanescope sql --class 'layer=*/layer-*|*/layers/*:model=*/model-*' base "SELECT class, n FROM span_sums('class', 'path IS NOT NULL')"
lanescope sql --class 'a=*/layer-*' --class 'b=*/layer-*|*/model-*' base "SELECT class, n FROM span_sums('class', 'path IS NOT NULL')"
lanescope sql --class 'layer=*/layer-*' base "SELECT class, count(*) FROM span WHERE class = 'layer' GROUP BY 1"
lanescope query path-time -p class=layer --class 'layer=*/layer-*' base
lanescope query path-time -p 'class=[lm]*' --class 'layer=*/layer-*:model=*/model-*' base --format json
lanescope diff path-busy base scr --class 'ckpt=*.pt' --measure calls,size --format csv 2>/dev/null
echo "== settings"
mkdir -p "$XDG_CONFIG_HOME/lanescope"
echo 'classes = model=*/model-*' >"$XDG_CONFIG_HOME/lanescope/config"
lanescope sql base "SELECT class, n FROM span_sums('class', 'class = \"model\"')"
lanescope sql --class 'one=*/model-1-*' base "SELECT class, n FROM span_sums('class', 'class IN (\"model\", \"one\")')"
echo 'classes = model' >"$XDG_CONFIG_HOME/lanescope/config"
lanescope sql base "SELECT count(*) FROM span_sums('class', 'class = \"model\"')"
rm "$XDG_CONFIG_HOME/lanescope/config"
echo "== pictures"
lanescope timeline --colour class --width 60 --ascii scr
lanescope timeline --colour class --class 'layer=*/layer-*' --width 60 --format csv --sort -most_ns --limit 3 scr
lanescope explain base scr --part io --limit 3 --class 'layer=*/layer-*' 2>/dev/null
echo "== refused"
lanescope query path-time --class disk base
lanescope sql --class 'a=x||y' base 'SELECT 1'
lanescope timeline --colour classes base
lanescope --class 'pfs=' base
echo "== explorer"
echo "Enter T ':' 'colour class' Enter" >keys
lanescope --keys keys --size 90x14 --class 'layer=*/layer-*' scr.lanes
