-- title: Idle gaps, one by one
-- about: The longest times between the first and the last span of a lane that none of its spans covers, with the outermost spans around them.
-- format: chrome cascade dasf
-- param lane text '*' Only lanes with a name that matches this pattern
-- param least duration 1us Only gaps that are so long
-- param rows count 100 How many
-- column lane text
-- column start time
-- column duration duration
-- column before text The span that ended then; of several the longest
-- column after text The span that begins then; of several the longest
-- sort: -duration, lane, start
-- drill: timeline start=start
WITH covered AS (
  SELECT lane, start_min AS start,
    max(finish_max) OVER (PARTITION BY lane ORDER BY start_min ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM span_sums('lane,start(1)', 'lane_name GLOB ?1 AND kind NOT IN ("async", "aggregate")', :lane)
), gaps AS (
  SELECT lane, before, start FROM covered WHERE start - before >= max(:least, 1) ORDER BY start - before DESC, lane, start LIMIT :rows
)
SELECT l.name AS lane, before AS start, g.start - before AS duration,
  (SELECT name FROM span_page('lane = ?1 AND end = ?2 AND start < ?2', '-duration', 0, 1, g.lane, before)) AS before,
  (SELECT name FROM span_page('lane = ?1 AND start = ?2', '-duration', 0, 1, g.lane, g.start)) AS after
FROM gaps g JOIN lanes l ON l.id = g.lane
ORDER BY 3 DESC, 1, 2;
