-- title: Where the time goes, by category
-- about: All spans of a category together.
-- format: any
-- needs: spans
-- column category text
-- column names count Different names
-- column n count
-- column time duration Sum of durations
-- column self duration Sum without what is nested in them
-- column mean duration
-- column max duration
-- column size size
-- key: category
-- measure: n, time, self, mean, max, size
-- sort: -self, category
-- drill: span category=category
WITH sums AS (
  SELECT category, count(DISTINCT name) AS names, sum(n) AS n, sum(dur_sum) AS time, sum(self_sum) AS self, max(dur_max) AS max,
    CASE WHEN sum(size_n) > 0 THEN sum(size_sum) END AS size
  FROM span_total GROUP BY category
)
SELECT c.text AS category, names, n, time, self, time * 1.0 / n AS mean, max, size
FROM sums LEFT JOIN string c ON c.id = sums.category
ORDER BY self DESC, 1;
