-- title: Balance of workers: busy share
-- about: How much of the run each worker spent computing: the time covered by its Compute spans, each instant counted once. imbalance is
--   how much longer it was busy than the mean worker.
-- format: dasf
-- needs: spans
-- column host text
-- column worker text
-- column tasks count
-- column busy duration Covered by tasks
-- column of_run percent Of the run's duration
-- column imbalance percent Of the mean busy time: 0 is the mean, 100 % twice as long
-- column time duration Sum of the tasks' durations (more than busy where they overlap)
-- column max duration
-- column result_size size Sum of the results' sizes
-- column start time First task's start
-- column finish time Last task's end
-- key: host, worker
-- measure: tasks, busy, of_run, time, max, result_size
-- sort: -busy, host, worker
-- drill: span host=host lane_name=worker category='Compute'
-- covers: rows=tasks duration=time size=result_size
WITH sums AS (
  SELECT s.lane, s.rows AS tasks, i.busy, s.dur_sum AS time, s.dur_max AS max, CASE WHEN s.size_n > 0 THEN s.size_sum END AS result_size,
    i.start, i.finish
  FROM span_sums('lane', 'category = "Compute"') s JOIN span_idle('category = "Compute"', 0) i ON i.lane = s.lane
)
SELECT l.host, l.name AS worker, coalesce(s.tasks, 0) AS tasks, coalesce(s.busy, 0) AS busy,
  coalesce(s.busy, 0) * 1.0 / nullif(run.duration_ns, 0) AS of_run,
  coalesce(s.busy, 0) / nullif(avg(coalesce(s.busy, 0)) OVER (), 0) - 1 AS imbalance, s.time, s.max, s.result_size, s.start, s.finish
FROM lanes l JOIN run LEFT JOIN sums s ON s.lane = l.id
WHERE l.kind = 'worker' OR s.tasks > 0
ORDER BY busy DESC, 1, 2;
