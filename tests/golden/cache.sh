# Traces named where runs are expected: imported once, again when they change; folders of them.
trace=data/golden
cp $trace/one.jsonl $trace/four.jsonl .
lanescope query task-summary one.jsonl --limit 1
find home/cache -name '*.lanes' | wc -l
lanescope query task-summary one.jsonl --limit 1 --no-header
find home/cache -name '*.lanes' | wc -l
head -n 60 $trace/one.jsonl >one.jsonl
lanescope query task-summary one.jsonl --limit 1 --no-header
find home/cache -name '*.lanes' | wc -l
lanescope query task-summary one.jsonl four.jsonl --limit 1 --sort -n
mkdir traces && cp $trace/base-* traces && lanescope query checkpoint-time traces
mkdir runs && lanescope import --quiet -o runs $trace/one.jsonl $trace/four.jsonl && lanescope query task-summary runs --no-header | cut -d, -f1-3 | head -3
lanescope query task-summary - <one.jsonl
lanescope query task-summary runs runs --no-header | cut -d, -f1 | uniq
