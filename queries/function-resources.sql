-- title: Resources while each function ran
-- about: Each resource counter's mean over the samples that belong to a function. By default a sample belongs to the first Compute record in
--   whose [timestamp, timestamp + duration] it falls, as in function-bottleneck; as timestamps are about ends, that is after the task.
--   With when=run it belongs to the first on its own host that ran then, in [timestamp - duration, timestamp].
-- format: dasf
-- param counter text '%' Only counters LIKE this (cpu, memory, gpu_utilization, host_net_io.read_bps, ...)
-- param function text '%' Only functions LIKE this
-- param when text 'recorded' recorded: behind the timestamp, on any host; run: before it, on the sample's host
-- column function text
-- column counter text
-- column samples count
-- column mean real
-- column min real
-- column max real
-- key: function, counter
-- measure: samples, mean, max
-- sort: function, counter
-- drill: span name=function
WITH compute AS (
  SELECT t.id, h.text AS host, t.recorded_start - CASE :when WHEN 'run' THEN t.recorded_duration ELSE 0 END AS start,
    t.recorded_start + CASE :when WHEN 'run' THEN 0 ELSE t.recorded_duration END AS finish, t.recorded_duration AS seconds
  FROM task t JOIN lane l ON l.id = t.lane LEFT JOIN string h ON h.id = l.host
  WHERE t.recorded_duration >= 0
), interval AS (
  -- Each record in a class of its length's power of two: of each class only few can hold a moment.
  SELECT DISTINCT id, host, start, finish, class, floor(start / pow(2, class)) AS bucket
  FROM (SELECT *, CASE WHEN seconds < 1e-9 THEN -30 ELSE ceil(ln(seconds) / ln(2)) + 1 END AS class FROM compute)
), class AS (
  SELECT DISTINCT class FROM interval
), sample AS (
  SELECT DISTINCT arg1 AS time, arg2 AS record, host
  FROM counter_sums('host,arg.timestamp,arg.record', 'lane_name LIKE "resources%"') WHERE value_n > 0
), owned AS (
  SELECT s.time, s.record, s.host, min(i.id) AS id
  FROM sample s JOIN class c JOIN (SELECT 0 AS back UNION ALL SELECT 1) b
    JOIN interval i ON i.class = c.class AND i.bucket = floor(s.time / pow(2, c.class)) - b.back
  WHERE s.time BETWEEN i.start AND i.finish AND (:when <> 'run' OR i.host IS s.host)
  GROUP BY s.time, s.record, s.host
)
SELECT f.text AS function, v.name AS counter, sum(v.value_n) AS samples,
  sum_in_order(v.value_sum, v.arg2) / sum(v.value_n) AS mean, min(v.value_min) AS min, max(v.value_max) AS max
FROM counter_sums('name,host,arg.timestamp,arg.record', 'lane_name LIKE "resources%" AND name LIKE ?1', :counter) v
  JOIN owned o ON o.time = v.arg1 AND o.record = v.arg2 AND o.host IS v.host
  JOIN task t ON t.id = o.id JOIN string f ON f.id = t.kind
WHERE v.value_n > 0 AND f.text LIKE :function
GROUP BY f.text, v.name
ORDER BY 1, 2;
