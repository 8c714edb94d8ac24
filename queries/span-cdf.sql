-- title: Latency: which share of calls took at most how long
-- about: Exact quantiles of the durations of each name, a row each: a quarter, a half, three quarters, 90, 95, 99 % and all. The names with
--   most time, as many as names says. Names with records that sum calls up have no distribution and are left out. filter is a condition of the filter language.
-- format: any
-- needs: spans
-- param filter text '' Only spans for which this holds
-- param names count 8 {1..} Names, those with most time
-- column name text
-- column share percent Of the calls took at most that long
-- column part percent Of them longer than the row before says
-- column duration duration
-- column n count Calls of the name
-- key: name, share
-- measure: duration
-- sums: none
-- sort: name, share
-- plot: cdf x=duration y=part series=name
-- drill: span name=name [:filter] kind<>'summary'
-- covers: count=n
WITH names AS (
  SELECT name, n, dur_sum, dur_p25, dur_p50, dur_p75, dur_p90, dur_p95, dur_p99, dur_max
  FROM span_sums('name', CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END || 'kind <> "summary"')
  WHERE n > 0 AND summed = 0 ORDER BY dur_sum DESC, name LIMIT :names
), points AS (
  SELECT name, n, 0.25 AS share, 0.25 AS part, dur_p25 AS duration FROM names
  UNION ALL SELECT name, n, 0.5, 0.25, dur_p50 FROM names
  UNION ALL SELECT name, n, 0.75, 0.25, dur_p75 FROM names
  UNION ALL SELECT name, n, 0.9, 0.15, dur_p90 FROM names
  UNION ALL SELECT name, n, 0.95, 0.05, dur_p95 FROM names
  UNION ALL SELECT name, n, 0.99, 0.04, dur_p99 FROM names
  UNION ALL SELECT name, n, 1.0, 0.01, dur_max FROM names
)
SELECT name, share, part, CAST(round(duration) AS INTEGER) AS duration, n FROM points ORDER BY name, share;
