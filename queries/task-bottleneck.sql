-- title: Tasks that take the time, by worker
-- about: For each worker and task key of its Compute records: their time, and the size of the result. A key that was computed more than
--   once on a worker has the sum, and the size of the last time, on whichever worker that was. As DASF's own analysis has it: times are
--   summed in the order of the records.
-- format: dasf
-- param lane text '%' Only lanes LIKE this (those of a second run in a file end in "(run 2)")
-- param function text '%' Only functions LIKE this; shares stay those of the whole worker
-- column host text
-- column worker text Name of the worker, often the number of its GPU
-- column key text
-- column duration_s real Sum of recorded durations, in seconds
-- column percent_of_total real Of the time of all tasks on this worker
-- column memory_mb real Size of the result, in 10^6 bytes
-- column function text
-- column computed count How often on this worker
-- column nr integer Place in the order of first occurrence, from 0
-- key: host, worker, key
-- measure: duration_s, percent_of_total, memory_mb, computed
-- sort: -duration_s
-- drill: span name=function host=host
WITH node AS (
  SELECT key, max(id) AS last FROM task GROUP BY key
), work AS (
  SELECT coalesce(h.text, l.process) AS host, l.thread, t.key, t.kind, min(t.id) AS first,
    sum_in_order(t.recorded_duration, t.id) AS seconds, count(*) AS n
  FROM task t JOIN lane l ON l.id = t.lane JOIN string n ON n.id = l.name LEFT JOIN string h ON h.id = l.host
  WHERE n.text LIKE :lane
  GROUP BY coalesce(h.text, l.process), l.thread, t.key
), worker AS (
  SELECT host, thread, min(first) AS first, sum_in_order(seconds, first) AS seconds FROM work GROUP BY host, thread
)
SELECT t.host, replace(t.thread, rtrim(t.thread, replace(t.thread, '-', '')), '') AS worker, k.text AS key, t.seconds AS duration_s,
  t.seconds / nullif(w.seconds, 0) * 100 AS percent_of_total, r.size / 1e6 AS memory_mb, f.text AS function, t.n AS computed,
  row_number() OVER (ORDER BY w.first, t.first) - 1 AS nr
FROM work t JOIN worker w ON w.host IS t.host AND w.thread IS t.thread JOIN string k ON k.id = t.key JOIN string f ON f.id = t.kind
  JOIN node n ON n.key = t.key JOIN task e ON e.id = n.last
  LEFT JOIN (SELECT CAST(arg1 AS TEXT) AS key, arg2 AS start, arg3 AS seconds, size
    FROM span_sums('arg.key,arg.timestamp,arg.seconds,size', 'category = "Compute"')) r
  ON r.key = k.text AND r.start = e.recorded_start AND r.seconds = e.recorded_duration
WHERE f.text LIKE :function
ORDER BY t.seconds DESC, nr;
