-- title: Resources while each function ran
-- about: Each resource counter's mean over the samples that belong to a function. By default a sample belongs to the first Compute record in
--   whose [timestamp, timestamp + duration] it falls, as in function-bottleneck; as timestamps are about ends, that is after the task.
--   With when=run it belongs to the first on its own host that ran then, in [timestamp - duration, timestamp]. Functions go by name, as
--   in function-bottleneck.
-- format: dasf
-- needs: tasks lane=resources*
-- param counter text '*' Only counters like this, a GLOB pattern (cpu, memory, gpu_utilization, host_net_io.read_bps, ...)
-- param function text '*' Only functions like this, a GLOB pattern
-- param when text 'recorded' {recorded, run} recorded: behind the timestamp, on any host; run: before it, on the sample's host
-- param names text 'stripped' {stripped, recorded} Functions by name, or as recorded, with hashes
-- column function text
-- column counter text
-- column samples count
-- column mean real
-- column min real
-- column max real
-- key: function, counter
-- measure: samples, mean, max
-- sort: function, counter
-- drill: task-bottleneck function=function
-- spans: none a counter's samples are no spans
WITH sample AS (
  SELECT host, time, record, row_number() OVER (ORDER BY record, time, host) AS nr
  FROM (SELECT DISTINCT host, arg1 AS time, arg2 AS record FROM counter_sums('host,arg.timestamp,arg.record', 'lane_name LIKE "resources%"')
    WHERE value_n > 0)
), moment AS (
  SELECT CASE :when WHEN 'run' THEN h.text END AS host, t.id, t.recorded_start - CASE :when WHEN 'run' THEN t.recorded_duration ELSE 0 END AS start,
    t.recorded_start + CASE :when WHEN 'run' THEN 0 ELSE t.recorded_duration END AS finish
  FROM task t JOIN lane l ON l.id = t.lane LEFT JOIN string h ON h.id = l.host
  WHERE t.recorded_duration >= 0
  UNION ALL SELECT CASE :when WHEN 'run' THEN host END, nr, time, NULL FROM sample
), owned AS (
  SELECT CAST(j.key AS INTEGER) AS nr, j.value AS task
  FROM (SELECT first_covering(id, start, finish) AS owners FROM moment GROUP BY host) o, json_each(o.owners) j
), owner AS (
  SELECT max(host) AS host, max(time) AS time, max(record) AS record, max(task) AS task
  FROM (SELECT nr, host, time, record, NULL AS task FROM sample UNION ALL SELECT nr, NULL, NULL, NULL, task FROM owned)
  GROUP BY nr HAVING max(task) NOT NULL
), named AS (
  SELECT t.id, CASE :names WHEN 'recorded' THEN k.text ELSE dask_name(y.text) END AS name
  FROM task t JOIN string k ON k.id = t.kind JOIN string y ON y.id = t.key
)
SELECT f.name AS function, v.name AS counter, sum(v.value_n) AS samples,
  sum_in_order(v.value_sum, v.arg2) / sum(v.value_n) AS mean, min(v.value_min) AS min, max(v.value_max) AS max
FROM counter_sums('name,host,arg.timestamp,arg.record', 'lane_name LIKE "resources%" AND name GLOB ?1', :counter) v
  JOIN owner o ON o.time = v.arg1 AND o.record = v.arg2 AND o.host IS v.host
  JOIN named f ON f.id = o.task
WHERE v.value_n > 0 AND f.name GLOB :function
GROUP BY f.name, v.name
ORDER BY 1, 2;
