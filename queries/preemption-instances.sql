-- title: Lives of instances
-- about: One row for each named instance: how often it came, and how long it was there. One that never left counts until the end of the trace.
-- format: preemption/events preemption/jsonl preemption/simulated
-- needs: spans
-- column pool text
-- column instance text
-- column lives count
-- column first time
-- column last time When it left for the last time
-- column time duration Sum
-- column mean duration
-- column longest duration
-- key: pool, instance
-- measure: time (higher is better), mean (higher is better)
-- sort: first, instance
-- drill: span lane_name=instance
SELECT host AS pool, lane_name AS instance, n AS lives, start_min AS first, finish_max AS last, dur_sum AS time, dur_sum * 1.0 / n AS mean, dur_max AS longest
FROM span_sums('host,lane_name', 'category = "instance"') WHERE n > 0 ORDER BY 4, 2;
