-- title: From launch to start, by kernel
-- about: How long kernels, copies and fills waited after the call that launched them: from its begin to their start (delay), and from its end (queue, below zero
--   where the work starts within the call). Work and call are matched by their correlation; work without a call is counted only.
-- format: chrome/pytorch chrome/tensorflow
-- param name text '*' Only work with a name that matches this pattern
-- column name text
-- column n count
-- column launched count Of these, with the call that launched them
-- column delay duration Sum
-- column mean duration
-- column median duration
-- column max duration
-- column queue duration Mean time from the end of the call
-- column time duration Sum of the work's own durations
-- column call_time duration Sum of the calls' durations
-- key: name
-- measure: n, launched, delay, mean, median, max, queue, time, call_time
-- sort: -delay, name
-- drill: span name=name
WITH launches AS (
  SELECT arg1 AS correlation, min(start_min) AS start, max(finish_max) AS finish
  FROM span_sums('arg.correlation', 'kind = "thread" AND arg.correlation > 0') WHERE arg1 IS NOT NULL GROUP BY arg1
), work AS (
  SELECT name, arg1 AS correlation, start_min AS start, n, dur_sum
  FROM span_sums('name,arg.correlation,start(1)', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync") AND name GLOB ?1', :name)
)
SELECT name, sum(n) AS n, count(l.start) AS launched, sum(work.start - l.start) AS delay, avg(work.start - l.start) AS mean,
  median(work.start - l.start) AS median, max(work.start - l.start) AS max, avg(work.start - l.finish) AS queue, sum(dur_sum) AS time,
  sum(l.finish - l.start) AS call_time
FROM work LEFT JOIN launches l USING (correlation)
GROUP BY name
ORDER BY 4 DESC, 1;
