-- title: Tasks that take the time, by worker
-- about: For each worker and task key of its Compute records: their time, and the size of the result. A key that was computed more than
--   once on a worker has the sum, and the size of the last time, on whichever worker that was. As DASF's own analysis has it: times are
--   summed in the order of the records.
-- format: dasf
-- needs: tasks
-- param lane text '*' Only lanes like this, a GLOB pattern (those of a second run in a file end in "(run 2)")
-- param function text '*' Only functions like this, a GLOB pattern, as recorded or without hashes; shares stay those of the whole worker
-- param host text '*' Only workers of hosts like this, a GLOB pattern
-- param thread text '*' Only workers that are recorded as this, a GLOB pattern
-- column host text
-- column worker text Name of the worker, often the number of its GPU
-- column key text
-- column duration_s real Sum of recorded durations, in seconds
-- column percent_of_total real Of the time of all tasks on this worker
-- column memory_mb real Size of the result, in 10^6 bytes
-- column function text
-- column n count How often on this worker
-- column nr integer Place in the order of first occurrence, from 0
-- column thread text The worker's, as recorded
-- key: host, worker, key
-- measure: duration_s, percent_of_total, memory_mb, n
-- sort: -duration_s
-- drill: span name=function category='Compute' arg.key=key thread=thread (host=host OR host IS NULL)
-- covers: rows=n
WITH place AS (
  -- Lanes of the same host and thread are one worker: that of the first of them.
  SELECT id AS lane, first_value(id) OVER same AS worker, coalesce(host, process) AS host, thread
  FROM lanes WHERE name GLOB :lane WINDOW same AS (PARTITION BY coalesce(host, process), thread ORDER BY id)
), work AS (
  SELECT p.worker, t.key, t.kind, min(t.id) AS first, sum_in_order(t.recorded_duration, t.id) AS seconds, count(*) AS n
  FROM task t JOIN place p ON p.lane = t.lane
  GROUP BY t.key, p.worker
), worker AS (
  SELECT w.worker, min(w.first) AS first, sum_in_order(w.seconds, w.first) AS seconds, p.host,
    replace(p.thread, rtrim(p.thread, replace(p.thread, '-', '')), '') AS name, p.thread
  FROM work w JOIN place p ON p.lane = w.worker GROUP BY w.worker
), ranked AS (
  SELECT w.*, row_number() OVER (ORDER BY v.first, w.first) - 1 AS nr FROM work w JOIN worker v USING (worker)
)
SELECT v.host, v.name AS worker, k.text AS key, r.seconds AS duration_s, r.seconds / nullif(v.seconds, 0) * 100 AS percent_of_total,
  (SELECT e.size FROM task e WHERE e.key = r.key ORDER BY e.id DESC LIMIT 1) / 1e6 AS memory_mb, f.text AS function, r.n, r.nr, v.thread
FROM ranked r JOIN worker v USING (worker) JOIN string k ON k.id = r.key JOIN string f ON f.id = r.kind
WHERE (f.text GLOB :function OR dask_name(k.text) GLOB :function) AND coalesce(v.host, '') GLOB :host AND coalesce(v.thread, '') GLOB :thread
ORDER BY r.seconds DESC, r.nr;
