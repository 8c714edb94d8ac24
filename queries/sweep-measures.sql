-- title: Figures of a sweep by its parameters, with intervals
-- about: One row for each combination of parameters and each measure: mean and deviation over the seeds, the interval that holds the
--   true mean in 95 of 100 sweeps (Student's t; mean_low to mean_high), and quantiles. value is that of the parameter that `by` names, else of the first; others are the
--   other parameters.
-- format: preemption/sweep
-- needs: trials
-- scope: none trials have no times and no lanes
-- param measure text 'useful_fraction' Measures, a GLOB pattern: * for all, wasted_fraction, iterations_per_hour, lost_ms ...
-- param by text '*' The parameter whose value stands in value (p_preempt, depth ...), a GLOB pattern
-- column point text The combination: p_preempt=0.05 depth=8
-- column parameter text
-- column value real Of the parameter
-- column others text
-- column measure text
-- column seeds count
-- column mean real
-- column std real Over the seeds (n - 1)
-- column mean_low real
-- column mean_high real
-- column min real
-- column p5 real
-- column median real
-- column p95 real
-- column max real
-- key: point, parameter, measure
-- measure: mean
-- sums: none
-- plot: line x=value y=mean series=measure,others
-- spans: none a trial's samples are no spans
WITH parameter AS (
  SELECT scope, key, value, row_number() OVER (PARTITION BY scope ORDER BY id) AS place
  FROM tags WHERE scope GLOB 'trial *' AND key GLOB :by
), figure AS (
  SELECT t.id, t.name AS point, p.key AS parameter, CAST(p.value AS REAL) AS value, s.name AS measure, count(v.value) AS seeds,
    mean_in_order(v.value, v.i) AS mean, stddev(v.value) AS std, min(v.value) AS min, quantile(v.value, 0.05) AS p5,
    median(v.value) AS median, quantile(v.value, 0.95) AS p95, max(v.value) AS max
  FROM trials t JOIN samples s ON s.trial = t.id AND s.name GLOB :measure JOIN sample_value v ON v.sample = s.id
    LEFT JOIN parameter p ON p.scope = 'trial ' || t.name AND p.place = 1
  GROUP BY t.id, s.name
)
SELECT point, parameter, value, (SELECT group_concat(o.key || '=' || o.value, ' ') FROM (SELECT key, value FROM tags WHERE scope = 'trial ' || point AND key <> parameter ORDER BY id) o) AS others,
  measure, seeds, mean, std, mean - student_t(0.975, seeds - 1) * std / sqrt(seeds) AS mean_low,
  mean + student_t(0.975, seeds - 1) * std / sqrt(seeds) AS mean_high, min, p5, median, p95, max
FROM figure ORDER BY measure, id
