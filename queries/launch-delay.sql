-- title: From launch to start, by kernel
-- about: How long kernels, copies and fills waited after the call that launched them: from its begin to their start (delay), and from its end (queue, below zero
--   where the work starts within the call). Work and call are matched by their correlation; work without a call is counted only.
-- format: chrome/pytorch chrome/tensorflow
-- needs: devices
-- param name text '*' Only work with a name that matches this pattern
-- column name text
-- column n count
-- column launched count Of these, with the call that launched them
-- column delay duration Sum
-- column mean duration
-- column median duration
-- column max duration
-- column queue_mean duration Mean time from the end of the call
-- column time duration Sum of the work's own durations
-- column call_time duration Sum of the calls' durations, each with all that it launched
-- key: name
-- measure: n, launched, delay, mean, median, max, queue_mean, time, call_time (absent is 0)
-- sums: n, launched, delay, time
-- sort: -delay, name
-- drill: span name=name kind='device' category NOT IN ('gpu_user_annotation','cuda_sync')
-- covers: count=n duration=time
SELECT name, n, paired_n AS launched, delay_sum AS delay, delay_mean AS mean, delay_p50 AS median, delay_max AS max, queue_mean, inside_sum AS time,
  partner_sum AS call_time
FROM span_pair_sums('name', 0, 'arg.correlation', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync") AND name GLOB ?1',
  'kind = "thread" AND arg.correlation > 0', :name)
ORDER BY 4 DESC, 1;
