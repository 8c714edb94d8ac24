-- title: Preemptions and additions
-- about: Every change, as it was recorded or as the counts show it, with the instances that left then where as many are known by name. A rise is listed at the last time of the old count and at the first of the new,
--   as traces of additions use either.
-- format: preemption
-- needs: capacity|preemptions
-- param pool text '*' Pools, a GLOB pattern
-- column at time When the new count, or the loss, was recorded
-- column clock clock When, as a time of day; empty where the trace tells none
-- column before_at time The count before is of then
-- column pool text
-- column change text rise, drop or shutdown (all at once, in the last row) of the count; termination, removal, addition, drop found
-- column nodes count Instances
-- column nodes_after count The count that results
-- column went text Instances that left then, where the trace names them
-- key: at, pool, change
-- sums: none
-- sort: at
-- drill: timeline start=at
-- spans: when went: category='instance' end=at; none no instance is recorded to have left then
WITH changes AS (
  SELECT time, since, pool, CASE WHEN nodes > before THEN 'rise' WHEN nodes = 0 AND before > 1 AND until IS NULL THEN 'shutdown' ELSE 'drop' END AS change, abs(nodes - before) AS n, nodes AS after, 0 AS id
  FROM capacity_state WHERE nodes <> before
  UNION ALL SELECT p.time, NULL, p.pool,
    CASE WHEN p.nodes < 0 THEN 'addition' WHEN s.dialect = 'terminate' THEN 'termination' WHEN s.dialect = 'found' THEN 'drop found' ELSE 'removal' END,
    abs(p.nodes), NULL, p.id
  FROM preemption p JOIN source s ON s.id = p.source
), lives AS (
  SELECT finish, lane_name, unfinished, lead(start) OVER (PARTITION BY lane ORDER BY start, id) IS finish AS goes_on FROM span_page('category = "instance"', 'start', 0, 1000000)
), gone AS (
  SELECT finish AS at, group_concat(lane_name, ' ') AS names, count(*) AS n FROM (SELECT finish, lane_name FROM lives WHERE unfinished IS NOT 1 AND NOT goes_on ORDER BY finish, lane_name) GROUP BY finish
)
SELECT c.time AS at, (SELECT wall_start_ns FROM run) + c.time AS clock, c.since AS before_at, name.text AS pool, c.change, c.n AS nodes, c.after AS nodes_after, CASE WHEN c.change NOT IN ('addition', 'rise') AND g.n = c.n THEN g.names END AS went
FROM changes c JOIN string name ON name.id = c.pool LEFT JOIN gone g ON g.at = c.time WHERE name.text GLOB :pool ORDER BY c.time, c.id, c.change;
