-- title: What the time of simulated jobs went into, by parameter
-- about: One row for each combination of parameters and each state of the job: useful (iterations that counted), lost (iterations rolled back),
--   reconfiguring, idle (too few instances for a pipeline) and pending (begun and not decided when the simulation ended), over the seeds. value is
--   that of the parameter that `by` names, else of the first; others are the other parameters.
-- format: preemption/sweep
-- needs: trials
-- scope: none trials have no times and no lanes
-- param by text '*' The parameter whose value stands in value (p_preempt, depth ...), a GLOB pattern
-- column point text The combination: p_preempt=0.05 depth=8
-- column parameter text
-- column value real Of the parameter
-- column others text
-- column state text
-- column seeds count
-- column mean duration
-- column std duration Over the seeds (n - 1)
-- column min duration
-- column p5 duration
-- column median duration
-- column p95 duration
-- column max duration
-- column share percent Of the simulated time
-- key: point, parameter, state
-- measure: mean, share
-- sums: none
-- plot: line x=value y=mean series=state,others
-- spans: none a trial's samples are no spans
WITH state AS (
  SELECT key + 1 AS nr, value AS name FROM json_each('["useful", "lost", "reconfiguring", "idle", "pending"]')
), measure AS (
  SELECT nr, name, CASE name WHEN 'reconfiguring' THEN 'reconfig' ELSE name END || '_ms' AS sample FROM state
), parameter AS (
  SELECT scope, key, value, row_number() OVER (PARTITION BY scope ORDER BY id) AS place
  FROM tags WHERE scope GLOB 'trial *' AND key GLOB :by
), figure AS (
  SELECT t.id, t.name AS point, p.key AS parameter, CAST(p.value AS REAL) AS value, m.nr, m.name AS state, count(v.value) AS seeds,
    mean_in_order(v.value, v.i) AS mean, stddev(v.value) AS std, min(v.value) AS min, quantile(v.value, 0.05) AS p5, median(v.value) AS median,
    quantile(v.value, 0.95) AS p95, max(v.value) AS max
  FROM trials t JOIN measure m JOIN samples s ON s.trial = t.id AND s.name = m.sample JOIN sample_value v ON v.sample = s.id
    LEFT JOIN parameter p ON p.scope = 'trial ' || t.name AND p.place = 1
  GROUP BY t.id, m.nr
), whole AS (
  SELECT id, sum_in_order(mean, nr) AS mean FROM figure GROUP BY id
)
SELECT point, parameter, value, (SELECT group_concat(o.key || '=' || o.value, ' ') FROM (SELECT key, value FROM tags WHERE scope = 'trial ' || point AND key <> parameter ORDER BY id) o) AS others,
  state, seeds, CAST(round(f.mean * 1e6) AS INTEGER) AS mean, CAST(round(std * 1e6) AS INTEGER) AS std, CAST(round(min * 1e6) AS INTEGER) AS min,
  CAST(round(p5 * 1e6) AS INTEGER) AS p5, CAST(round(median * 1e6) AS INTEGER) AS median, CAST(round(p95 * 1e6) AS INTEGER) AS p95,
  CAST(round(max * 1e6) AS INTEGER) AS max, f.mean / nullif(w.mean, 0) AS share
FROM figure f JOIN whole w ON w.id = f.id ORDER BY f.id, nr;
