-- title: The controller's phases
-- about: How long the controller spent in each phase of its iterations. Generation 2 reports act and wait of each iteration; generation 3
--   marks the start of each phase, which lasts to the next. Generation 1 records no phases.
-- format: cascade
-- needs: category=controller|events
-- column phase text
-- column n count
-- column sum duration
-- column mean duration
-- column median duration
-- column p95 duration
-- column max duration
-- column of_run percent Of the run's duration
-- column recorded text As spans, or in reports
-- key: phase
-- measure: n, sum, mean, median, p95, max, of_run
-- sort: -sum, phase
-- drill: span
-- spans: when recorded='spans': category='controller' name=phase; none the controller reported sums, which are no spans
-- covers: count=n duration=sum
WITH phases AS (
  SELECT name AS phase, n, dur_sum AS sum, dur_sum * 1.0 / n AS mean, dur_p50 AS median, dur_p95 AS p95, dur_max AS max, 'spans' AS recorded
  FROM span_sums('name', 'category = "controller"')
  UNION ALL
  SELECT 'act', sum(rows), sum(rows * arg1), sum(rows * arg1) * 1.0 / sum(rows), weighted_quantile(arg1, rows, 0.5),
    weighted_quantile(arg1, rows, 0.95), max(arg1), 'reports'
  FROM event_sums('arg.actDuration', 'category = "controller" AND arg.actDuration IS NOT NULL')
  UNION ALL
  SELECT 'wait', sum(rows), sum(rows * arg1), sum(rows * arg1) * 1.0 / sum(rows), weighted_quantile(arg1, rows, 0.5),
    weighted_quantile(arg1, rows, 0.95), max(arg1), 'reports'
  FROM event_sums('arg.waitDuration', 'category = "controller" AND arg.waitDuration IS NOT NULL')
)
SELECT phase, n, sum, mean, median, p95, max, sum * 1.0 / nullif(duration_ns, 0) AS of_run, recorded
FROM phases, run WHERE n > 0
ORDER BY sum DESC, phase;
