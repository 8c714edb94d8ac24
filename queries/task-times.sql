-- title: Task life cycles: communication, queue, run time
-- about: One row for each task on each worker. Times on the run's own clock, so that they can be laid beside the log; every duration
--   is the difference of two of them and missing where one is missing. Which stages a trace has depends on its generation: 1 has
--   planned, enqueued, started, finished; 2 adds loaded; 3 has loaded, computed, published and completed instead of finished.
-- format: cascade
-- needs: tasks
-- param worker text '*' Only workers like this, a GLOB pattern
-- param kind text '*' Only tasks whose kind is like this, a GLOB pattern
-- param task text '*' Only tasks of a name like this, a GLOB pattern
-- column task text Name of the task
-- column worker text Worker that it was planned for
-- column kind text Name without indices and hashes
-- column total duration Planned to finished (generation 3: completed)
-- column comm_delay duration Planned to enqueued: the way from the controller to the worker's host
-- column queue_delay duration Enqueued to started
-- column load_delay duration Started to loaded (generations 2 and 3)
-- column run_time duration Started (generation 2: loaded) to finished; generation 3: loaded to computed
-- column publish_delay duration Computed to published (generation 3)
-- column report_delay duration Published to completed: the way back to the controller (generation 3)
-- column on_worker duration Enqueued to finished (generation 3: published)
-- column planned clock
-- column enqueued clock
-- column started clock
-- column loaded clock
-- column computed clock
-- column published clock
-- column finished clock
-- column completed clock
-- key: task
-- measure: total, comm_delay, queue_delay, load_delay, run_time, publish_delay, report_delay, on_worker
-- sort: task, worker
-- drill: span name=task category='task' lane_name=worker
-- covers: whole=load_delay+run_time+publish_delay
WITH run_facts AS (
  SELECT start_ns, coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS generation FROM run
)
SELECT t.name AS task, t.worker, t.kind,
  CASE generation WHEN '3' THEN t.completed ELSE t.finished END - t.planned AS total,
  t.enqueued - t.planned AS comm_delay,
  t.started - t.enqueued AS queue_delay,
  t.loaded - t.started AS load_delay,
  CASE generation WHEN '1' THEN t.finished - t.started WHEN '2' THEN t.finished - t.loaded ELSE t.computed - t.loaded END AS run_time,
  t.published - t.computed AS publish_delay,
  t.completed - t.published AS report_delay,
  CASE generation WHEN '3' THEN t.published ELSE t.finished END - t.enqueued AS on_worker,
  start_ns + t.planned AS planned, start_ns + t.enqueued AS enqueued, start_ns + t.started AS started, start_ns + t.loaded AS loaded,
  start_ns + t.computed AS computed, start_ns + t.published AS published, start_ns + t.finished AS finished,
  start_ns + t.completed AS completed
FROM tasks t, run_facts
WHERE coalesce(t.worker, '') GLOB :worker AND coalesce(t.kind, '') GLOB :kind AND coalesce(t.name, '') GLOB :task
ORDER BY 1, 2;
