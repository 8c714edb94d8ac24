-- title: Preemption and capacity, in figures
-- about: One row for each pool of instances (a cluster, a zone, a metric of a group): how often its count changes, and how often, and how
--   many, instances are lost and added. Times between changes count in both directions; of several rows of one time the last is the state.
--   Losses come from the terminations where the trace has them, else from its removals, else from drops of the count: lost_from says so.
--   Additions are rises of the count, or, without counts, the additions recorded. What is undefined is missing. Deviations are of a sample (n - 1).
--   A count that drops to 0 from more than one in its last row was shut down: that is no loss (stopped says how many). Of the metrics of an AWS
--   group the instances in service are the cluster; the others' (pending, terminating, total) changes are neither losses nor additions.
-- format: preemption
-- needs: capacity|preemptions
-- param big integer 10 {0..} An addition of more instances than this is a big one
-- column pool text
-- column counted text instances; of an AWS group's metrics which: in service (the cluster), pending, terminating, total ...
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
-- column stopped count Instances that the last row takes all at once: the shutdown
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
-- sums: rows, loss_rows, lost, addition_rows, added, big_rows, regular_rows
-- sort: pool
-- drill: preemption-changes pool=pool
-- spans: none a row counts changes of a pool
WITH sums AS (
  SELECT * FROM capacity_sums(:big, 'node')
), kinds AS (
  SELECT * FROM preemption_sums(:big)
), metric AS (
  SELECT pool, CASE WHEN text GLOB '*InService*' THEN 'in service' WHEN text GLOB '*Pending*' THEN 'pending'
    WHEN text GLOB '*Terminating*' THEN 'terminating' WHEN text GLOB '*Total*' THEN 'total' ELSE 'other' END AS counted
  FROM sums CROSS JOIN string ON string.id = pool
  WHERE text GLOB '*Group?*Instances*' AND pool IN (SELECT pool FROM capacity WHERE source IN (SELECT id FROM source WHERE dialect = 'asg'))
), lengths AS (
  SELECT s.*,
    coalesce((SELECT CAST(t.value AS INTEGER) * 1000000 FROM tags t JOIN string p ON p.text = t.scope WHERE t.key = 'length_ms' AND p.id = s.pool),
      finish - start) AS length
  FROM sums s
), loss_choice AS (
  SELECT pool, min(kind) AS kind FROM (SELECT pool, kind FROM kinds WHERE kind > 0
    UNION ALL SELECT pool, 3 FROM sums WHERE losses > 0 AND pool NOT IN (SELECT pool FROM metric WHERE counted <> 'in service')) GROUP BY pool
), lost AS (
  SELECT k.pool, rows, nodes AS n, mean, std, gap, gap_std FROM kinds k JOIN loss_choice c ON c.pool = k.pool AND c.kind = k.kind
  UNION ALL SELECT s.pool, losses, lost, loss_mean, loss_std, loss_gap, loss_gap_std FROM sums s JOIN loss_choice c ON c.pool = s.pool AND c.kind = 3
), added AS (
  SELECT pool, rises AS rows, risen AS n, big_rows, regular_rows, regular_mean, regular_std FROM sums
    WHERE pool NOT IN (SELECT pool FROM metric WHERE counted <> 'in service')
  UNION ALL SELECT pool, rows, nodes, big_rows, regular_rows, regular_mean, regular_std FROM kinds WHERE kind = 0 AND pool NOT IN (SELECT pool FROM sums)
), pools AS (
  SELECT pool FROM sums UNION SELECT pool FROM kinds
)
SELECT name.text AS pool, coalesce(m.counted, 'instances') AS counted, l.rows, l.change_mean AS time_to_change, l.change_std AS time_to_change_std, l.length AS length,
  CASE k.kind WHEN 1 THEN 'terminations' WHEN 2 THEN 'removals' WHEN 3 THEN 'drops of the count' WHEN 4 THEN 'drops found' END AS lost_from,
  coalesce(x.rows, 0) AS loss_rows, coalesce(x.n, 0) AS lost, coalesce(x.n, 0) / (l.length / 60e9) AS lost_per_minute,
  coalesce(x.rows, 0) / (l.length / 60e9) AS loss_chance, x.mean AS loss_mean, x.std AS loss_std, x.gap AS time_to_loss, x.gap_std AS time_to_loss_std,
  l.stopped, coalesce(a.rows, 0) AS addition_rows, coalesce(a.n, 0) AS added, coalesce(a.n, 0) / (l.length / 60e9) AS added_per_minute,
  coalesce(a.rows, 0) / (l.length / 60e9) AS addition_chance, coalesce(a.big_rows, 0) AS big_rows, a.big_rows * 1.0 / a.rows AS big_share,
  coalesce(a.regular_rows, 0) AS regular_rows, a.regular_rows * 1.0 / a.rows AS regular_share, a.regular_mean, a.regular_std,
  coalesce(l.drops, 0) AS drop_rows, coalesce(l.dropped, 0) AS dropped, l.nodes_min, l.nodes_max,
  (l.node_time + l.nodes_last * 1.0 * (l.start + l.length - l.finish)) / nullif(l.length, 0) AS nodes_mean
FROM pools p JOIN string name ON name.id = p.pool
  LEFT JOIN lengths l ON l.pool = p.pool LEFT JOIN lost x ON x.pool = p.pool LEFT JOIN loss_choice k ON k.pool = p.pool
  LEFT JOIN added a ON a.pool = p.pool LEFT JOIN metric m ON m.pool = p.pool
ORDER BY 1;
