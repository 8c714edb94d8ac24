-- title: Functions that take the time, by worker
-- about: For each worker and function of its Compute records: their time, what the host's resource samples said meanwhile, and how much
--   data went in (the sizes of all tasks that theirs depend on). As DASF's own analysis has it: times are summed in the order of the
--   records, a sample belongs to the first Compute record in whose [timestamp, timestamp + duration] it falls and counts for that
--   function on all workers; without samples their means are 0. Tasks of no duration have no throughput and are left out of its mean.
-- format: dasf
-- param lane text '%' Only lanes LIKE this (those of a second run in a file end in "(run 2)")
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
-- key: host, worker, function
-- measure: duration_s, percent_of_total, gpu_utilization_percent, gpu_memory_gb, data_size_mb, throughput_mbs (higher is better), tasks, task_time_s
-- sort: -duration_s
-- drill: span name=function host=host
WITH compute AS (
  SELECT t.id, t.key, t.kind, l.id AS lane, coalesce(h.text, l.process) AS host, l.thread, n.text LIKE :lane AS wanted,
    t.recorded_start AS start, t.recorded_duration AS seconds
  FROM task t JOIN lane l ON l.id = t.lane JOIN string n ON n.id = l.name LEFT JOIN string h ON h.id = l.host
), node AS (
  -- Edges lead to the first row of a key, its values are those of the last.
  SELECT f.first, t.recorded_duration AS seconds, s.size
  FROM (SELECT key, min(id) AS first, max(id) AS last FROM task GROUP BY key) f JOIN task t ON t.id = f.last
    JOIN string k ON k.id = f.key
    LEFT JOIN (SELECT CAST(arg1 AS TEXT) AS key, arg2 AS start, arg3 AS seconds, size
      FROM span_sums('arg.key,arg.timestamp,arg.seconds,size', 'category = "Compute"')) s
    ON s.key = k.text AND s.start = t.recorded_start AND s.seconds = t.recorded_duration
), input AS (
  SELECT d.to_id AS first, sum(p.size) AS size
  FROM (SELECT DISTINCT from_id, to_id FROM dependency WHERE type = 'task') d JOIN node p ON p.first = d.from_id
  GROUP BY d.to_id
), sized AS (
  SELECT f.key, coalesce(i.size, 0) AS size, coalesce(i.size, 0) / nullif(n.seconds, 0) AS throughput
  FROM (SELECT key, min(id) AS first FROM task GROUP BY key) f JOIN node n ON n.first = f.first LEFT JOIN input i ON i.first = f.first
), sample AS (
  SELECT arg1 AS time, arg2 AS record, host,
    max(CASE name WHEN 'gpu_utilization' THEN value_sum / value_n END) AS utilization,
    max(CASE name WHEN 'gpu_memory_used' THEN value_sum / value_n END) AS memory
  FROM counter_sums('name,host,arg.timestamp,arg.record', 'name IN ("gpu_utilization", "gpu_memory_used")')
  WHERE value_n > 0 GROUP BY arg1, arg2, host
), interval AS (
  -- Each record in a class of its length's power of two: of each class only few can hold a moment.
  SELECT DISTINCT id, kind, start, start + seconds AS finish, class, floor(start / pow(2, class)) AS bucket
  FROM (SELECT id, kind, start, seconds, CASE WHEN seconds < 1e-9 THEN -30 ELSE ceil(ln(seconds) / ln(2)) + 1 END AS class FROM compute
    WHERE seconds >= 0)
), class AS (
  SELECT DISTINCT class FROM interval
), owned AS (
  SELECT s.time, s.record, s.utilization, s.memory, min(i.id) AS id
  FROM sample s JOIN class c JOIN (SELECT 0 AS back UNION ALL SELECT 1) b
    JOIN interval i ON i.class = c.class AND i.bucket = floor(s.time / pow(2, c.class)) - b.back
  WHERE s.time BETWEEN i.start AND i.finish
  GROUP BY s.time, s.record, s.host
), usage AS (
  SELECT t.kind, sum_in_order(o.utilization, o.record) / count(o.utilization) AS utilization,
    sum_in_order(o.memory, o.record) / count(o.memory) AS memory
  FROM owned o JOIN task t ON t.id = o.id GROUP BY t.kind
), function AS (
  SELECT c.host, c.thread, c.kind, min(c.id) AS first, sum_in_order(c.seconds, c.id) AS seconds, count(*) AS n,
    sum(z.size) * 1.0 / count(*) AS size, sum_in_order(z.throughput, c.id) / count(z.throughput) AS throughput
  FROM compute c JOIN sized z ON z.key = c.key WHERE c.wanted GROUP BY c.host, c.thread, c.kind
), worker AS (
  SELECT host, thread, min(first) AS first, sum_in_order(seconds, first) AS seconds FROM function GROUP BY host, thread
)
SELECT f.host, replace(f.thread, rtrim(f.thread, replace(f.thread, '-', '')), '') AS worker, k.text AS function, f.seconds AS duration_s,
  f.seconds / nullif(w.seconds, 0) * 100 AS percent_of_total, coalesce(u.utilization, 0) AS gpu_utilization_percent,
  coalesce(u.memory, 0) / 1e9 AS gpu_memory_gb, f.size / 1e6 AS data_size_mb, f.throughput / 1e6 AS throughput_mbs, f.n AS tasks,
  f.seconds / f.n AS task_time_s, row_number() OVER (ORDER BY w.first, f.first) - 1 AS nr
FROM function f JOIN worker w ON w.host IS f.host AND w.thread IS f.thread JOIN string k ON k.id = f.kind LEFT JOIN usage u ON u.kind = f.kind
ORDER BY f.seconds DESC, nr;
