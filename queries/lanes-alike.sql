-- title: Lanes that are alike, and the odd ones
-- about: Hosts against hosts, processes against those of their host, lanes against those of their kind in their process or on their host: how many are
--   alike, and each that is odd with the figure by which it is furthest off. Figures are self time by name, busy time, first start, last end; usual is the
--   group's median. Odd is what is off by more than k median absolute deviations / 0.6745, at least 2 % and at most 20 % of the median busy time or, of
--   starts and ends, of the median time between them; k is 3.5 (Iglewicz and Hoaglin, 1993), in large groups more: sqrt(2 ln(figures x members)). Of a
--   group of which not more than half are alike, one row says that they differ. Lanes of counters, queues and records that stand for many calls are no part.
-- format: any
-- needs: spans
-- column level text host, process or lane
-- column host text
-- column process text
-- column kind text Of lanes
-- column lane text Of an odd one
-- column state text alike, odd or differ
-- column n count How many the row stands for
-- column figure text By which it is odd
-- column name text Of self time
-- column own duration The odd one's; first and last are times from the run's start
-- column usual duration The group's median
-- column off duration own - usual
-- column times real own / usual
-- column lane_id integer
-- key: level, host, process, kind, lane, state
-- measure: n, own, usual
-- sums: none
-- sort: level, host, process, kind, state, -off, lane
-- drill: span
-- spans: when state='odd': [lane=lane_id] [host=host] [process=process] kind NOT IN ('aggregate','annotation','async','counter','summary','waiting'); none a row for several
WITH member AS (
  SELECT CASE a.level WHEN 0 THEN 'lane' WHEN 1 THEN 'process' ELSE 'host' END AS level, team, folds, odd,
    CASE figure WHEN 0 THEN 'self' WHEN 1 THEN 'busy' WHEN 2 THEN 'first' WHEN 3 THEN 'last' END AS figure, a.name, value, usual,
    l.id AS lane_id, l.name AS lane, l.host, l.process, l.kind, members
  FROM span_alike a JOIN lanes l ON l.id = a.lane WHERE members > 1
), together AS (
  SELECT level, team, min(host) AS host, CASE WHEN level = 'lane' AND count(DISTINCT process) = 1 THEN min(process) END AS process, min(kind) AS kind,
    CASE WHEN folds THEN 'alike' ELSE 'differ' END AS state, CASE WHEN folds THEN sum(NOT odd) ELSE count(*) END AS n
  FROM member GROUP BY level, team, folds
)
SELECT level, CASE WHEN level <> 'host' THEN host END AS host, process, CASE level WHEN 'lane' THEN kind END AS kind, NULL AS lane, state, n, NULL AS figure,
  NULL AS name, NULL AS own, NULL AS usual, NULL AS off, NULL AS times, NULL AS lane_id
FROM together
UNION ALL
SELECT level, host, CASE WHEN level <> 'host' THEN process END, CASE level WHEN 'lane' THEN kind END, CASE level WHEN 'lane' THEN lane END, 'odd', 1, figure,
  name, value AS own, usual, value - usual AS off, value * 1.0 / nullif(usual, 0), CASE level WHEN 'lane' THEN lane_id END
FROM member WHERE folds AND odd
ORDER BY level, host, process, kind, state, off DESC, lane;
