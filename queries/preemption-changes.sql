-- title: Preemptions and additions
-- about: Every change, as it was recorded or as the counts show it. A rise is listed at the last time of the old count and at the first of the new,
--   as traces of additions use either.
-- format: preemption
-- needs: capacity|preemptions
-- param pool text '*' Pools, a GLOB pattern
-- column at time When the new count, or the loss, was recorded
-- column before_at time The count before is of then
-- column pool text
-- column change text rise, drop or shutdown (all at once, in the last row) of the count; termination, removal, addition, drop found
-- column nodes count Instances
-- column nodes_after count The count that results
-- key: at, pool, change
-- sums: none
-- sort: at
-- drill: timeline start=at
-- spans: none a change is no span
WITH changes AS (
  SELECT time, since, pool, CASE WHEN nodes > before THEN 'rise' WHEN nodes = 0 AND before > 1 AND until IS NULL THEN 'shutdown' ELSE 'drop' END AS change, abs(nodes - before) AS n, nodes AS after, 0 AS id
  FROM capacity_state WHERE nodes <> before
  UNION ALL SELECT p.time, NULL, p.pool,
    CASE WHEN p.nodes < 0 THEN 'addition' WHEN s.dialect = 'terminate' THEN 'termination' WHEN s.dialect = 'found' THEN 'drop found' ELSE 'removal' END,
    abs(p.nodes), NULL, p.id
  FROM preemption p JOIN source s ON s.id = p.source
)
SELECT c.time AS at, c.since AS before_at, name.text AS pool, c.change, c.n AS nodes, c.after AS nodes_after
FROM changes c JOIN string name ON name.id = c.pool WHERE name.text GLOB :pool ORDER BY c.time, c.id, c.change;
