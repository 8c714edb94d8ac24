# Explain for I/O: checkpoints written plainly and through SCR.
data=data/golden
lanescope import --quiet --name base $data/base-*
lanescope import --quiet --name scr $data/scr-*
lanescope explain base scr --part io --format table
lanescope explain base scr --part io --format csv -p by=rank -p filter='name = "write"' 2>/dev/null
lanescope explain base scr --part io --limit 3 --format jsonl -p by=class,operation,thread -p classes='pt=*.pt*' 2>/dev/null
lanescope explain base scr --part io-calls --limit 6 --format table
lanescope explain base scr --part io-calls --limit 3 -p by=file 2>/dev/null
lanescope explain base scr --part io-bandwidth --format table
lanescope explain base scr --part io-files --limit 4 --format table
lanescope explain base scr --part io-files --limit 2 -p by=pattern --format md 2>/dev/null
lanescope explain base scr --part io-overlap -p window=1s --format table
lanescope explain base base --part io-calls --format json
lanescope explain base scr 2>/dev/null | awk -F, 'NR > 1 { if ($2 == "sum") { if ($1 in seen && sum[$1] != $(NF - 1)) print $1, "does not add up" } else { seen[$1]; sum[$1] += $(NF - 1) } }'
lanescope explain base scr --part io-bandwidth --part io-overlap 2>/dev/null | cut -d, -f1 | sort -u
lanescope explain base scr --part io -p filter='nme = 1'
lanescope explain base scr --part io -p classes=disk
lanescope explain base scr --part io-files -p by=class
lanescope explain base scr --part io-overlap -p io='category ='
