-- title: Functions that take the time, by worker
-- about: For each worker and function of its Compute records: their time, what the host's resource samples said meanwhile, and how much
--   data went in (the sizes of all tasks that theirs depend on). As DASF's own analysis has it: times are summed in the order of the
--   records, a sample belongs to the first Compute record in whose [timestamp, timestamp + duration] it falls and counts for that
--   function on all workers; without samples their means are 0. Tasks of no duration have no throughput and are left out of its mean.
--   Functions go by the names in the keys of their tasks without what makes each call another (assign-8c1f... is assign), as
--   Dask's own displays have them; names=recorded takes the names as DASF recorded them, each call a function of its own.
-- format: dasf
-- needs: tasks
-- param lane text '*' Only lanes like this, a GLOB pattern (those of a second run in a file end in "(run 2)")
-- param names text 'stripped' {stripped, recorded} Functions by name, or as recorded, with hashes
-- column host text
-- column worker text Name of the worker, often the number of its GPU
-- column function text
-- column duration_s real Sum of recorded durations, in seconds
-- column percent_of_total real Of the time of all functions on this worker
-- column gpu_utilization_percent real Mean over the samples during this function, on any worker
-- column gpu_memory_gb real Mean over the same, in 10^9 bytes
-- column data_size_mb real Mean size of what a task depends on, in 10^6 bytes
-- column throughput_mbs real Mean of that size a second of the task's duration
-- column tasks count
-- column task_time_s real Mean duration of a task
-- column nr integer Place in the order of first occurrence, from 0
-- column thread text The worker's, as recorded
-- key: host, worker, function
-- measure: duration_s, percent_of_total, gpu_utilization_percent, gpu_memory_gb, data_size_mb, throughput_mbs (higher is better), tasks, task_time_s
-- sort: -duration_s
-- drill: task-bottleneck function=function thread=thread host=host
-- spans: none a function's name is that of its tasks without their hashes
-- covers: n=tasks duration_s=duration_s
WITH repeated AS (
  SELECT key, min(id) AS first, max(id) AS last FROM task GROUP BY key HAVING count(*) > 1
), sample AS (
  SELECT row_number() OVER (ORDER BY arg2, arg1, host) AS nr, arg1 AS time, arg2 AS record,
    max(CASE name WHEN 'gpu_utilization' THEN value_sum / value_n END) AS utilization,
    max(CASE name WHEN 'gpu_memory_used' THEN value_sum / value_n END) AS memory
  FROM counter_sums('name,host,arg.timestamp,arg.record', 'name IN ("gpu_utilization", "gpu_memory_used")')
  WHERE value_n > 0 GROUP BY arg1, arg2, host
), owned AS (
  SELECT CAST(j.key AS INTEGER) AS nr, j.value AS task
  FROM (SELECT first_covering(id, start, finish) AS owners
    FROM (SELECT id, recorded_start AS start, recorded_start + recorded_duration AS finish FROM task WHERE recorded_duration >= 0
      UNION ALL SELECT nr, time, NULL FROM sample)), json_each(owners) j
), named AS (
  SELECT t.id, CASE :names WHEN 'recorded' THEN k.text ELSE dask_name(y.text) END AS name
  FROM task t JOIN string k ON k.id = t.kind JOIN string y ON y.id = t.key
), usage AS (
  SELECT n.name, mean_in_order(utilization, record) AS utilization, mean_in_order(memory, record) AS memory
  FROM (SELECT max(task) AS task, max(record) AS record, max(utilization) AS utilization, max(memory) AS memory
      FROM (SELECT nr, NULL AS task, record, utilization, memory FROM sample UNION ALL SELECT nr, task, NULL, NULL, NULL FROM owned)
      GROUP BY nr) s
    JOIN named n ON n.id = s.task
  GROUP BY n.name
), place AS (
  -- Lanes of the same host and thread are one worker: that of the first of them.
  SELECT id AS lane, first_value(id) OVER same AS worker, coalesce(host, process) AS host, thread
  FROM lanes WHERE name GLOB :lane WINDOW same AS (PARTITION BY coalesce(host, process), thread ORDER BY id)
), compute AS (
  -- Edges lead to the first row of a key, its values are those of the last. (The limit keeps SQLite from computing sizes twice.)
  SELECT t.id, p.worker, n.name, t.recorded_duration AS seconds, nullif(CASE WHEN t.key IN (SELECT key FROM repeated)
      THEN (SELECT l.recorded_duration FROM task l WHERE l.key = t.key ORDER BY l.id DESC LIMIT 1) ELSE t.recorded_duration END, 0) AS divisor,
    (SELECT coalesce(sum((SELECT size FROM task WHERE id = CASE WHEN from_id IN (SELECT first FROM repeated)
          THEN (SELECT max(l.id) FROM task f JOIN task l ON l.key = f.key WHERE f.id = from_id) ELSE from_id END)), 0)
      FROM (SELECT DISTINCT from_id FROM dependency
        WHERE to_id = CASE WHEN t.key IN (SELECT key FROM repeated) THEN (SELECT min(id) FROM task WHERE key = t.key) ELSE t.id END AND type = 'task')) AS size
  FROM task t JOIN place p ON p.lane = t.lane JOIN named n ON n.id = t.id
  LIMIT -1
), function AS (
  SELECT worker, name, min(id) AS first, sum_in_order(seconds, id) AS seconds, count(*) AS n,
    sum(size) * 1.0 / count(*) AS size, sum_in_order(size / divisor, id) / count(divisor) AS throughput
  FROM compute GROUP BY worker, name
), worker AS (
  SELECT worker, min(first) AS first, sum_in_order(seconds, first) AS seconds FROM function GROUP BY worker
)
SELECT p.host, replace(p.thread, rtrim(p.thread, replace(p.thread, '-', '')), '') AS worker, f.name AS function, f.seconds AS duration_s,
  f.seconds / nullif(w.seconds, 0) * 100 AS percent_of_total, coalesce(u.utilization, 0) AS gpu_utilization_percent,
  coalesce(u.memory, 0) / 1e9 AS gpu_memory_gb, f.size / 1e6 AS data_size_mb, f.throughput / 1e6 AS throughput_mbs, f.n AS tasks,
  f.seconds / f.n AS task_time_s, row_number() OVER (ORDER BY w.first, f.first) - 1 AS nr, p.thread
FROM function f JOIN worker w USING (worker) JOIN place p ON p.lane = f.worker LEFT JOIN usage u ON u.name = f.name
ORDER BY f.seconds DESC, nr;
