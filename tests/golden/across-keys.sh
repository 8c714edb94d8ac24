# A question asked of all runs that the explorer's list shows: those that are tagged alike as one, over what puts them in order, as a chart.
. data/golden/nightly
. data/golden/keys
lanescope import --quiet --tag half=1 -o runs/tasks.lanes data/golden/one.jsonl
keys "from the list to the questions, to the table, to its chart" 80x12 "t screen '/span-totals' Enter Enter screen P screen" runs
keys "over the start of the runs: the noise, and where it steps" 100x20 "t '/span-totals' Enter Enter ':param trend=started' Enter screen P screen" runs
keys "of those alone that are shown; a query that not all have" 80x12 "'&half = 2' Enter t '/span-totals' Enter Enter screen q q \\ t '/task-by-kind' Enter Enter screen" runs
keys "what can't be asked is said, and asked again" 80x12 "t '/span-totals' Enter Enter ':param tags=none' Enter screen ':param tags=' Enter ':param stat=min,max' Enter screen ':param trend=half' Enter ':param pivot=half' Enter screen" runs
