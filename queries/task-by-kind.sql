-- title: Tasks by kind
-- about: Tasks with the same name but for indices and hashes, together: how long they took from planned to finished (generation 3:
--   completed), and how much of it was spent running, in queues and on the way from the controller.
-- format: cascade
-- needs: tasks
-- column kind text
-- column n count
-- column total duration Sum over the kind's tasks
-- column mean duration
-- column p95 duration
-- column max duration
-- column run_sum duration Sum of run times, as in task-times
-- column queue_sum duration Sum of enqueued to started
-- column comm_sum duration Sum of planned to enqueued
-- column missing count Tasks that never finished
-- key: kind
-- measure: total, mean, p95, max, run_sum, queue_sum, comm_sum
-- sort: -total, kind
-- drill: task-times kind=kind
-- spans: category='task' arg.kind=kind
-- covers: rows=n total=total run_time=run_sum queue_delay=queue_sum comm_delay=comm_sum
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), stages AS (
  SELECT kind, CASE g WHEN '3' THEN completed ELSE finished END - planned AS total,
    CASE g WHEN '1' THEN finished - started WHEN '2' THEN finished - loaded ELSE computed - loaded END AS run,
    started - enqueued AS queue, enqueued - planned AS comm
  FROM task, generation
), sums AS (
  SELECT kind, count(*) AS n, coalesce(sum(total), 0) AS total, avg(total) AS mean, quantile(total, 0.95) AS p95, max(total) AS max,
    coalesce(sum(run), 0) AS run_sum, coalesce(sum(queue), 0) AS queue_sum, coalesce(sum(comm), 0) AS comm_sum, count(*) - count(total) AS missing
  FROM stages GROUP BY kind
)
SELECT s.text AS kind, n, total, mean, p95, max, run_sum, queue_sum, comm_sum, missing
FROM sums LEFT JOIN string s ON s.id = sums.kind
ORDER BY total DESC, 1;
