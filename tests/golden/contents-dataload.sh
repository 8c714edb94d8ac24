# All that comes of a small study of data loading and of counters from elsewhere, every table of the run.
. data/golden/contents
take dataload data/dataload
take counters data/chrome/power.csv
