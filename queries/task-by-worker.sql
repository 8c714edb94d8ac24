-- title: Tasks by worker
-- about: What each worker had to do: time its tasks spent on it (enqueued to finished), of which running, and waiting in its queue.
--   Tasks that never finished count in tasks, not in the sums and means.
-- format: cascade
-- needs: tasks
-- column worker text
-- column tasks count
-- column tasks_finished count
-- column on_worker_sum duration Sum of enqueued to finished (generation 3: published)
-- column on_worker_mean duration
-- column run_sum duration Sum of run times, as in task-times
-- column queue_sum duration Sum of enqueued to started
-- column queue_max duration
-- column total duration Sum of planned to finished (generation 3: completed)
-- key: worker
-- measure: on_worker_sum, on_worker_mean, run_sum, queue_sum, queue_max, total
-- sort: worker
-- drill: task-times worker=worker
-- spans: category='task' lane_name=worker
-- covers: rows=tasks total=total on_worker=on_worker_sum run_time=run_sum queue_delay=queue_sum
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), sums AS (
  SELECT worker, count(*) AS tasks, count(CASE g WHEN '3' THEN published ELSE finished END) AS tasks_finished,
    coalesce(sum(CASE g WHEN '3' THEN published ELSE finished END - enqueued), 0) AS on_worker_sum,
    avg(CASE g WHEN '3' THEN published ELSE finished END - enqueued) AS on_worker_mean,
    coalesce(sum(CASE g WHEN '1' THEN finished - started WHEN '2' THEN finished - loaded ELSE computed - loaded END), 0) AS run_sum,
    coalesce(sum(started - enqueued), 0) AS queue_sum, max(started - enqueued) AS queue_max,
    coalesce(sum(CASE g WHEN '3' THEN completed ELSE finished END - planned), 0) AS total
  FROM task, generation GROUP BY worker
)
SELECT s.text AS worker, tasks, tasks_finished, on_worker_sum, on_worker_mean, run_sum, queue_sum, queue_max, total
FROM sums LEFT JOIN string s ON s.id = sums.worker
ORDER BY 1;
