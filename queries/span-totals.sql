-- title: Where the time goes, by name
-- about: All spans of a name together: how many, how long, and how long without what is nested in them (self).
-- format: any
-- needs: spans
-- column name text
-- column category text
-- column n count
-- column time duration Sum of durations
-- column self duration Sum without what is nested in them
-- column mean duration
-- column max duration
-- column size size
-- key: name, category
-- measure: n, time, self, mean, max, size
-- sort: -self, name, category
-- drill: span name=name category=category
WITH sums AS (
  SELECT name, category, sum(n) AS n, sum(dur_sum) AS time, sum(self_sum) AS self, max(dur_max) AS max, CASE WHEN sum(size_n) > 0 THEN sum(size_sum) END AS size
  FROM span_total GROUP BY name, category
)
SELECT s.text AS name, c.text AS category, n, time, self, time * 1.0 / n AS mean, max, size
FROM sums LEFT JOIN string s ON s.id = sums.name LEFT JOIN string c ON c.id = sums.category
ORDER BY self DESC, 1, 2;
