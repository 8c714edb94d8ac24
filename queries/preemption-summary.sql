-- title: Preemption and capacity, in figures
-- about: One row for each pool of instances (a cluster, a zone, a metric of a group): how often its count changes, and how often, and how
--   many, instances are lost and added. Times between changes count in both directions; of several rows of one time the last is the state.
--   Losses come from the terminations where the trace has them, else from its removals, else from drops of the count: lost_from says so.
--   Additions are rises of the count, or, without counts, the additions recorded. What is undefined is missing. Deviations are of a sample (n - 1).
-- format: preemption
-- param big integer 10 An addition of more instances than this is a big one
-- column pool text
-- column rows count Counts recorded
-- column time_to_change duration Mean time between changes of the count (the notebook calls it MTTP)
-- column time_to_change_std duration
-- column length duration From the first to the last count
-- column lost_from text terminations, removals, drops of the count or drops found
-- column loss_rows count
-- column lost count Instances
-- column lost_per_minute real
-- column loss_chance real Rows of losses in a minute
-- column loss_mean real Instances in a row of losses
-- column loss_std real
-- column time_to_loss duration Mean time between rows of losses
-- column time_to_loss_std duration
-- column addition_rows count
-- column added count Instances
-- column added_per_minute real
-- column addition_chance real Rows of additions in a minute
-- column big_rows count
-- column big_share real
-- column regular_rows count
-- column regular_share real
-- column regular_mean real Instances in a regular addition
-- column regular_std real
-- column drop_rows count Drops of the count
-- column dropped count Instances, by drops of the count
-- column nodes_min count
-- column nodes_max count
-- column nodes_mean real Weighted by time
-- key: pool
-- measure: lost_per_minute, loss_chance, time_to_change, time_to_loss, nodes_mean (higher is better)
-- sort: pool
WITH counts AS (
  SELECT c.pool, c.time, c.nodes, s.dialect = 'node' AS is_node, count(*) AS n, max(c.id) AS id
  FROM capacity c JOIN source s ON s.id = c.source GROUP BY c.pool, c.time
), states AS (
  SELECT pool, time, nodes, is_node, n, lag(nodes) OVER later AS before, lag(time) OVER later AS since, lead(time) OVER later AS until
  FROM counts WINDOW later AS (PARTITION BY pool ORDER BY time)
), gaps AS (
  SELECT pool, time - lag(time) OVER (PARTITION BY pool ORDER BY time) AS gap FROM states WHERE before IS NULL OR nodes <> before OR is_node
), changes AS (
  SELECT pool, avg(gap) AS mean, stddev(gap) AS std FROM gaps GROUP BY pool
), lengths AS (
  SELECT s.pool, sum(s.n) AS n, min(s.time) AS first, min(s.nodes) AS low, max(s.nodes) AS high,
    coalesce((SELECT CAST(t.value AS INTEGER) * 1000000 FROM tags t JOIN string p ON p.text = t.scope WHERE t.key = 'length_ms' AND p.id = s.pool),
      max(s.time) - min(s.time)) AS length
  FROM states s GROUP BY s.pool
), means AS (
  SELECT s.pool, sum(s.nodes * 1.0 * (coalesce(s.until, l.first + l.length) - s.time)) / nullif(l.length, 0) AS mean
  FROM states s JOIN lengths l ON l.pool = s.pool GROUP BY s.pool
), drops AS (
  SELECT pool, time, before - nodes AS n FROM states WHERE nodes < before
), loss_kinds AS (
  SELECT p.pool, p.time, p.nodes AS n, p.id, CASE s.dialect WHEN 'terminate' THEN 1 WHEN 'found' THEN 4 ELSE 2 END AS kind
  FROM preemption p JOIN source s ON s.id = p.source WHERE p.nodes > 0
  UNION ALL SELECT pool, time, n, time, 3 FROM drops
), loss_choice AS (
  SELECT pool, min(kind) AS kind FROM loss_kinds GROUP BY pool
), losses AS (
  SELECT l.pool, l.n, l.time - lag(l.time) OVER (PARTITION BY l.pool ORDER BY l.time, l.id) AS gap
  FROM loss_kinds l JOIN loss_choice c ON c.pool = l.pool AND c.kind = l.kind
), lost AS (
  SELECT pool, count(*) AS rows, sum(n) AS n, avg(n) AS mean, stddev(n) AS std, avg(gap) AS gap, stddev(gap) AS gap_std FROM losses GROUP BY pool
), rises AS (
  SELECT pool, nodes - before AS n FROM states WHERE nodes > before
  UNION ALL SELECT pool, -nodes FROM preemption WHERE nodes < 0 AND pool NOT IN (SELECT pool FROM lengths)
), added AS (
  SELECT pool, count(*) AS rows, sum(n) AS n, count(CASE WHEN n > :big THEN 1 END) AS big, count(CASE WHEN n <= :big THEN 1 END) AS regular,
    avg(CASE WHEN n <= :big THEN n END) AS mean, stddev(CASE WHEN n <= :big THEN n END) AS std
  FROM rises GROUP BY pool
), dropped AS (
  SELECT pool, count(*) AS rows, sum(n) AS n FROM drops GROUP BY pool
), pools AS (
  SELECT pool FROM lengths UNION SELECT pool FROM preemption
)
SELECT name.text AS pool, l.n AS rows, c.mean AS time_to_change, c.std AS time_to_change_std, l.length AS length,
  CASE k.kind WHEN 1 THEN 'terminations' WHEN 2 THEN 'removals' WHEN 3 THEN 'drops of the count' WHEN 4 THEN 'drops found' END AS lost_from,
  coalesce(x.rows, 0) AS loss_rows, coalesce(x.n, 0) AS lost, coalesce(x.n, 0) / (l.length / 60e9) AS lost_per_minute,
  coalesce(x.rows, 0) / (l.length / 60e9) AS loss_chance, x.mean AS loss_mean, x.std AS loss_std, x.gap AS time_to_loss, x.gap_std AS time_to_loss_std,
  coalesce(a.rows, 0) AS addition_rows, coalesce(a.n, 0) AS added, coalesce(a.n, 0) / (l.length / 60e9) AS added_per_minute,
  coalesce(a.rows, 0) / (l.length / 60e9) AS addition_chance, coalesce(a.big, 0) AS big_rows, a.big * 1.0 / a.rows AS big_share,
  coalesce(a.regular, 0) AS regular_rows, a.regular * 1.0 / a.rows AS regular_share, a.mean AS regular_mean, a.std AS regular_std,
  coalesce(d.rows, 0) AS drop_rows, coalesce(d.n, 0) AS dropped, l.low AS nodes_min, l.high AS nodes_max, m.mean AS nodes_mean
FROM pools p JOIN string name ON name.id = p.pool
  LEFT JOIN lengths l ON l.pool = p.pool LEFT JOIN changes c ON c.pool = p.pool LEFT JOIN means m ON m.pool = p.pool
  LEFT JOIN lost x ON x.pool = p.pool LEFT JOIN loss_choice k ON k.pool = p.pool LEFT JOIN added a ON a.pool = p.pool LEFT JOIN dropped d ON d.pool = p.pool
ORDER BY 1;
