-- title: Capacity over time
-- about: How many instances a pool had, from one change of the count to the next. Of several counts of one time the last is the state.
-- format: preemption
-- needs: capacity
-- param pool text '*' Pools, a GLOB pattern
-- column at time
-- column pool text
-- column nodes count
-- column nodes_change integer Against the count before
-- column lasts duration Until the next change; missing behind the last
-- key: at, pool
-- sums: none
-- sort: at
-- drill: timeline start=at duration=lasts
-- spans: none a count is no span
WITH kept AS (
  SELECT pool, time, nodes, nodes - before AS change, lead(time) OVER (PARTITION BY pool ORDER BY time) - time AS lasts FROM capacity_state WHERE before IS NULL OR nodes <> before
)
SELECT k.time AS at, name.text AS pool, k.nodes, k.change AS nodes_change, k.lasts FROM kept k JOIN string name ON name.id = k.pool WHERE name.text GLOB :pool ORDER BY k.time, 2;
