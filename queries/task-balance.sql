-- title: Balance of tasks between workers, second by second
-- about: How many results each worker held in memory, in each second in which any worker told so: what the last Managed Memory record of
--   the second says, or 0 for a worker that has none in it. Seconds are whole ones of the recorded clock, counted from the first.
-- format: dasf
-- needs: tasks counters
-- scans: it needs the last record of each second, which no sum by group tells
-- param lane text '*' Only lanes like this, a GLOB pattern
-- column second integer Seconds from the first
-- column host text
-- column worker text
-- column tasks integer Results held
-- column has_gaps integer 1: the worker has no record in some of these seconds (DASF prints its column as reals)
-- column nr integer Place of the second in the order of first occurrence, from 0
-- key: second, host, worker
-- measure: tasks
-- sort: second, worker, host
-- plot: heatmap x=second y=tasks series=worker
-- drill: row
-- spans: none what workers hold is no span
WITH told AS (
  -- Ids are in the order of files and records. The second is that of the recorded clock: c.time may be on the wall clock.
  SELECT c.id, c.lane, c.value, json_extract(c.args, '$.second') AS second
  FROM counter c WHERE c.name = 'managed_tasks' AND c.lane_name GLOB :lane
), place AS (
  SELECT id AS lane, coalesce(host, process) AS host, thread FROM lanes
), last AS (
  SELECT l.host, l.thread, t.second, t.value, max(t.last) AS last FROM (SELECT lane, second, value, max(id) AS last FROM told GROUP BY lane, second) t
    JOIN place l ON l.lane = t.lane
  GROUP BY l.host, l.thread, t.second
), first AS (
  SELECT l.host, l.thread, t.second, min(t.first) AS first FROM (SELECT lane, second, min(id) AS first FROM told GROUP BY lane, second) t
    JOIN place l ON l.lane = t.lane
  GROUP BY l.host, l.thread, t.second
), seconds AS (
  SELECT second, row_number() OVER (ORDER BY thread, host, first) - 1 AS nr
  FROM (SELECT second, host, thread, first, row_number() OVER (PARTITION BY second ORDER BY thread, host) AS place FROM first)
  WHERE place = 1
), workers AS (
  SELECT host, thread, count(*) < (SELECT count(DISTINCT second) FROM last) AS has_gaps FROM last GROUP BY host, thread
)
SELECT second - (SELECT min(second) FROM last) AS second, host, thread AS worker, CAST(coalesce(max(value), 0) AS INTEGER) AS tasks,
  max(has_gaps) AS has_gaps, max(nr) AS nr
FROM (SELECT s.second, w.host, w.thread, NULL AS value, w.has_gaps, s.nr FROM seconds s JOIN workers w
  UNION ALL SELECT second, host, thread, value, NULL, NULL FROM last)
GROUP BY second, host, thread
ORDER BY 1, 3, 2;
