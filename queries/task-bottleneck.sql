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
WITH worker AS (
  SELECT id, coalesce(host, process) AS host, replace(thread, rtrim(thread, replace(thread, '-', '')), '') AS name, thread FROM lanes LIMIT -1
)
SELECT v.host, v.name AS worker, s.key, s.recorded_sum AS duration_s, s.recorded_sum / nullif(s.worker_sum, 0) * 100 AS percent_of_total,
  s.size / 1e6 AS memory_mb, s.kind AS function, s.n, s.nr, v.thread
FROM task_sums(:lane) s JOIN worker v ON v.id = s.worker
WHERE s.key IS NOT NULL AND (s.kind GLOB :function OR dask_name(s.key) GLOB :function AND s.kind IS NOT NULL)
  AND coalesce(v.host, '') GLOB :host AND coalesce(v.thread, '') GLOB :thread
ORDER BY s.recorded_sum DESC, s.nr;
