-- title: Memory of workers over time
-- about: Bytes and results that each worker managed, in steps of time: mean and largest of what its records say in a step. Steps without
--   records have no row. What is no number below 2^63 is no number of bytes or results: a step's figure of it is missing.
-- format: dasf
-- needs: tasks counters
-- param window duration 1s {1ns..} Length of a step
-- param worker text '*' Only workers like this, a GLOB pattern
-- column start time
-- column host text
-- column worker text
-- column samples count
-- column memory_mean size
-- column memory_max size
-- column tasks_mean real Results held
-- column tasks_max count
-- key: start, host, worker
-- measure: memory_mean, memory_max, tasks_mean, tasks_max
-- sort: start, host, worker
-- plot: line x=start y=memory_mean
-- drill: timeline start=start duration=:window lane_name=worker
-- spans: none what workers hold is no span
SELECT start, host, lane_name AS worker,
  max(CASE name WHEN 'managed_memory' THEN value_n END) AS samples,
  CAST(round(max(CASE WHEN name = 'managed_memory' AND value_sum / value_n < 9.2e18 THEN value_sum / value_n END)) AS INTEGER) AS memory_mean,
  CAST(max(CASE WHEN name = 'managed_memory' AND value_max < 9.2e18 THEN value_max END) AS INTEGER) AS memory_max,
  max(CASE name WHEN 'managed_tasks' THEN value_sum / value_n END) AS tasks_mean,
  CAST(max(CASE WHEN name = 'managed_tasks' AND value_max < 9.2e18 THEN value_max END) AS INTEGER) AS tasks_max
FROM counter_sums('start(?1),host,lane_name,name', 'name IN ("managed_memory", "managed_tasks") AND lane_name GLOB ?2', :window, :worker)
WHERE value_n > 0
GROUP BY start, host, lane_name
ORDER BY start, host, lane_name;
