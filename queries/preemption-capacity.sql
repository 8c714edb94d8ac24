-- title: Capacity over time
-- about: How many instances a pool had, from one change of the count to the next, and which left, where as many are known by name. Of several counts of one time the last is the state.
-- format: preemption
-- needs: capacity
-- param pool text '*' Pools, a GLOB pattern
-- column at time
-- column pool text
-- column nodes count
-- column nodes_change integer Against the count before
-- column lasts duration Until the next change; missing behind the last
-- column went text Instances that left then, where the trace names them
-- key: at, pool
-- sums: none
-- sort: at
-- plot: steps x=at y=nodes
-- drill: timeline start=at duration=lasts
-- spans: when went: category='instance' unfinished IS NULL end=at; none no instance is recorded to have left then
WITH kept AS (
  SELECT pool, time, nodes, nodes - before AS change, lead(time) OVER (PARTITION BY pool ORDER BY time) - time AS lasts FROM capacity_state WHERE before IS NULL OR nodes <> before
), lives AS (
  SELECT finish, lane_name, unfinished, lead(start) OVER (PARTITION BY lane ORDER BY start, id) IS finish AS goes_on FROM span_page('category = "instance"', 'start', 0, 1000000)
), gone AS (
  SELECT finish AS at, group_concat(lane_name, ' ') AS names, count(*) AS n FROM (SELECT finish, lane_name FROM lives WHERE unfinished IS NOT 1 AND NOT goes_on ORDER BY finish, lane_name) GROUP BY finish
)
SELECT k.time AS at, name.text AS pool, k.nodes, k.change AS nodes_change, k.lasts, CASE WHEN g.n = -k.change THEN g.names END AS went
FROM kept k JOIN string name ON name.id = k.pool LEFT JOIN gone g ON g.at = k.time WHERE name.text GLOB :pool ORDER BY k.time, 2;
