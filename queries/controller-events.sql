-- title: Events per iteration of the controller
-- about: How many iterations of the controller took in how many events (tasks computed and transfers finished). Generation 2 reports it. In
--   generation 3 an iteration lasts from one wait phase to the next, and takes in what completed in it. Generation 1 records neither: there an
--   iteration is a burst of planned marks without the end of a task between them, and takes in what finishes until the next, which is an
--   estimate (iterations come out up to 8 % too few).
-- format: cascade
-- column events count Events in one iteration
-- column iterations count Iterations with that many
-- column iterations_from text reports, wait phases, or bursts of planned marks (an estimate)
-- key: events
-- measure: iterations
-- sort: events
-- drill: row
-- spans: none a row counts iterations of the controller
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), reported AS (
  SELECT arg1 + arg2 AS events, sum(rows) AS iterations
  FROM event_sums('arg.eventsTransmited,arg.eventsComputed', 'category = "controller"') GROUP BY 1
), plans AS (
  SELECT planned AS at, 0 AS finished FROM task WHERE planned IS NOT NULL
  UNION ALL SELECT planned, 0 FROM transfer WHERE planned IS NOT NULL
  UNION ALL SELECT finished, 1 FROM task WHERE finished IS NOT NULL
), bursts AS (
  SELECT at FROM (SELECT at, finished, lag(finished, 1, 1) OVER (ORDER BY at, finished DESC) AS before FROM plans)
  WHERE finished = 0 AND before = 1
), starts AS (
  SELECT at, 0 AS is_event FROM bursts JOIN generation WHERE g = '1'
  UNION ALL
  SELECT start, 0 FROM span_page('category = "controller" AND name = "wait"', 'start', 0, 1000000) JOIN generation WHERE g = '3'
), marks AS (
  SELECT at, is_event FROM starts
  UNION ALL SELECT coalesce(finished, completed), 1 FROM task WHERE coalesce(finished, completed) IS NOT NULL
  UNION ALL SELECT coalesce(finished, completed), 1 FROM transfer WHERE coalesce(finished, completed) IS NOT NULL
), numbered AS (
  SELECT is_event, sum(1 - is_event) OVER (ORDER BY at, is_event DESC) AS iteration FROM marks
), counted AS (
  SELECT sum(is_event) AS events FROM numbered WHERE iteration > 0 GROUP BY iteration
), derived AS (
  SELECT events, count(*) AS iterations FROM counted GROUP BY events
)
SELECT events, iterations, 'reports' AS iterations_from FROM reported, generation WHERE g = '2' AND events IS NOT NULL
UNION ALL
SELECT events, iterations, CASE g WHEN '3' THEN 'wait phases' ELSE 'bursts of planned marks (an estimate)' END
FROM derived, generation WHERE g <> '2'
ORDER BY 1;
