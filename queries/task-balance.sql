-- title: Balance of tasks between workers, second by second
-- about: How many results each worker held in memory, in each second in which any worker told so: what the last Managed Memory record of
--   the second says, or 0 for a worker that has none in it. Seconds are whole ones of the recorded clock, counted from the first.
-- format: dasf
-- scans: it needs the last record of each second, which no sum by group tells
-- param lane text '%' Only lanes LIKE this
-- column second integer Seconds from the first
-- column worker text
-- column tasks integer Results held
-- column has_gaps integer 1: the worker has no record in some of these seconds (DASF prints its column as reals)
-- column nr integer Place of the second in the order of first occurrence, from 0
-- key: second, worker
-- measure: tasks
-- sort: second, worker
WITH told AS (
  SELECT thread, json_extract(args, '$.second') AS second, (source << 44) + json_extract(args, '$.record') AS record, value
  FROM counter WHERE name = 'managed_tasks' AND lane_name LIKE :lane
), last AS (
  SELECT thread, second, value, max(record) AS record FROM told GROUP BY thread, second
), seconds AS (
  SELECT second, row_number() OVER (ORDER BY thread, first) - 1 AS nr
  FROM (SELECT second, thread, min(record) AS first, row_number() OVER (PARTITION BY second ORDER BY thread) AS place
    FROM told GROUP BY second, thread)
  WHERE place = 1
), workers AS (
  SELECT thread, count(*) < (SELECT count(*) FROM seconds) AS has_gaps FROM last GROUP BY thread
)
SELECT s.second - (SELECT min(second) FROM seconds) AS second, w.thread AS worker, CAST(coalesce(l.value, 0) AS INTEGER) AS tasks,
  w.has_gaps, s.nr
FROM seconds s JOIN workers w LEFT JOIN last l ON l.second = s.second AND l.thread IS w.thread
ORDER BY 1, 2;
