# Files, functions and sizes of runs that write checkpoints.
trace=data/golden
lanescope import --quiet --name base -o base.lanes $trace/base-0.pfw $trace/base-1.pfw.gz
lanescope import --quiet --name scr -o scr.lanes $trace/scr-0.pfw.gz $trace/scr-1.pfw.gz
lanescope query checkpoint-time base.lanes scr.lanes
lanescope query checkpoint-time -p by=process base.lanes
lanescope query checkpoint-intervals base.lanes
lanescope query path-time -p path='*lustre*' base
lanescope query path-time -p path='*nowhere*' base
for query in function-time function-size size-median size-describe file-patterns call-counts; do
	echo "== $query"
	lanescope query $query base
done
lanescope query size-counts -p name='*write*' base --limit 3
lanescope query file-calls -p file=model-1-200-0.pt base scr
lanescope query file-spans -p file=model-1-200-0.pt base --format table
lanescope query file-writes base --limit 4 --format table
lanescope query io-summary -p method=both -p window=10s base --format table
lanescope query scr-cases --wide base.lanes scr.lanes
lanescope query span-totals base --format table
lanescope query span-by-category base --format table
lanescope query lane-totals base
lanescope query process-times base
lanescope query span-longest -p rows=2 -p filter='category = "POSIX"' base
lanescope query span-quantiles base --format table --limit 3
