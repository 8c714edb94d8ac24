-- title: Distribution of durations by name
-- about: Exact quantiles of the durations of each name: a mean hides stragglers. Empty where records sum calls up: these have no distribution. filter is a condition of the filter language.
-- format: any
-- needs: spans
-- param filter text '' Only spans for which this holds
-- column name text
-- column n count
-- column summed count Calls known by their sums alone: no distribution
-- column sum duration
-- column mean duration
-- column min duration
-- column p25 duration
-- column median duration
-- column p75 duration
-- column p95 duration
-- column p99 duration
-- column max duration
-- key: name
-- measure: n, sum, mean, median, p95, p99, max
-- sort: -sum, name
-- plot: bars x=name y=median
-- drill: span name=name [:filter] kind<>'summary'
-- covers: count=n duration=sum
SELECT name, n, nullif(summed, 0) AS summed, dur_sum AS sum, dur_sum * 1.0 / n AS mean, dur_min AS min, dur_p25 AS p25, dur_p50 AS median, dur_p75 AS p75, dur_p95 AS p95,
  dur_p99 AS p99, dur_max AS max
FROM span_sums('name', CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END || 'kind <> "summary"')
WHERE n > 0
ORDER BY 3 DESC, 1;
