-- title: Critical path through the task graph
-- about: The chain of tasks, each depending on the one before, whose durations have the largest sum: no number of workers makes the run
--   shorter than that. One row a task, from first to last, with when it ran and how long after the end of the one before it began. A
--   key that was computed more than once counts with its last time. Of tasks that depend on each other in a circle one dependency is passed over; problems tell of such.
-- format: dasf
-- needs: tasks
-- column step integer
-- column key text
-- column function text
-- column host text
-- column worker text
-- column start time
-- column finish time
-- column duration duration
-- column wait duration From the end of the task before; less than nothing where the clocks of two hosts differ
-- column so_far duration Durations up to this one
-- column of_run percent Of the run's duration that the path is up to here
-- column size size Of the result
-- key: step
-- measure: duration, wait, so_far
-- sums: duration, wait, size
-- sort: step
-- drill: span name=function category='Compute' arg.key=key start=start duration=duration
-- covers: whole=duration
WITH node AS (
  SELECT key, min(id) AS first, max(id) AS last FROM task GROUP BY key
), weighed AS (
  SELECT n.first, n.last, coalesce(t.finished - t.started, 0) AS duration FROM node n JOIN task t ON t.id = n.last
), path AS (
  SELECT longest_path(w.first, d.from_id, w.duration) AS nodes
  FROM weighed w LEFT JOIN (SELECT DISTINCT from_id, to_id FROM dependency WHERE type = 'task') d ON d.to_id = w.first
), step AS (
  SELECT j.key + 1 AS step, t.key, t.kind, t.lane, t.worker, t.started, t.finished, t.finished - t.started AS duration, t.size
  FROM path, json_each(path.nodes) j JOIN node n ON n.first = j.value JOIN task t ON t.id = n.last
)
SELECT s.step, k.text AS key, f.text AS function, l.host, w.text AS worker, s.started AS start, s.finished AS finish, s.duration,
  s.started - lag(s.finished) OVER (ORDER BY s.step) AS wait, sum(s.duration) OVER (ORDER BY s.step) AS so_far,
  sum(s.duration) OVER (ORDER BY s.step) * 1.0 / nullif(run.duration_ns, 0) AS of_run, s.size
FROM step s JOIN run JOIN string k ON k.id = s.key JOIN string f ON f.id = s.kind LEFT JOIN lanes l ON l.id = s.lane
  LEFT JOIN string w ON w.id = s.worker
ORDER BY s.step;
