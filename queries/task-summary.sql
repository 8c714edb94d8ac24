-- title: Where task time goes, by stage
-- about: One row for each stage of a task's life, over all tasks. n counts the tasks that have the stage; means divide by it, and a
--   sum over nothing is 0. See task-times for what each stage is.
-- format: cascade
-- needs: tasks
-- column stage text
-- column n count Tasks that have this stage
-- column missing count Tasks that lack it
-- column sum duration
-- column mean duration
-- column max duration
-- key: stage
-- measure: sum, mean, max
-- sums: none
-- drill: task-times
-- spans: none a row is a stage of all tasks
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), stages AS (
  SELECT g, CASE g WHEN '3' THEN completed ELSE finished END - planned AS total, enqueued - planned AS comm_delay,
    started - enqueued AS queue_delay, loaded - started AS load_delay,
    CASE g WHEN '1' THEN finished - started WHEN '2' THEN finished - loaded ELSE computed - loaded END AS run_time,
    published - computed AS publish_delay, completed - published AS report_delay,
    CASE g WHEN '3' THEN published ELSE finished END - enqueued AS on_worker
  FROM task, generation
), rows AS (
  SELECT 1 AS nr, 'total' AS stage, count(total) AS n, count(*) AS tasks, sum(total) AS sum, avg(total) AS mean, max(total) AS max FROM stages
  UNION ALL SELECT 2, 'comm_delay', count(comm_delay), count(*), sum(comm_delay), avg(comm_delay), max(comm_delay) FROM stages
  UNION ALL SELECT 3, 'queue_delay', count(queue_delay), count(*), sum(queue_delay), avg(queue_delay), max(queue_delay) FROM stages
  UNION ALL SELECT 4, 'load_delay', count(load_delay), count(*), sum(load_delay), avg(load_delay), max(load_delay) FROM stages
    WHERE g <> '1'
  UNION ALL SELECT 5, 'run_time', count(run_time), count(*), sum(run_time), avg(run_time), max(run_time) FROM stages
  UNION ALL SELECT 6, 'publish_delay', count(publish_delay), count(*), sum(publish_delay), avg(publish_delay), max(publish_delay)
    FROM stages WHERE g = '3'
  UNION ALL SELECT 7, 'report_delay', count(report_delay), count(*), sum(report_delay), avg(report_delay), max(report_delay)
    FROM stages WHERE g = '3'
  UNION ALL SELECT 8, 'on_worker', count(on_worker), count(*), sum(on_worker), avg(on_worker), max(on_worker) FROM stages
)
SELECT stage, n, tasks - n AS missing, coalesce(sum, 0) AS sum, mean, max FROM rows WHERE tasks > 0 ORDER BY nr;
