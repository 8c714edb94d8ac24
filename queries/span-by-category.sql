-- title: Where the time goes, by category
-- about: All spans of a category together. Headers that clang >= 19 records beside its thread have no self: that time is in what the thread did.
-- format: any
-- needs: spans
-- column category text
-- column names count Different names
-- column n count
-- column time duration Sum of durations: a span within another of its category counts in both
-- column self duration Sum without what is nested in them
-- column mean duration
-- column max duration
-- column size size
-- key: category
-- measure: n, time, self, mean, max, size
-- sums: n, time, self, size
-- sort: -self, category
-- drill: span category=category kind<>'summary'
-- covers: count=n duration=time self=self size=size
SELECT s.category, k.names, s.n, s.dur_sum AS time,
  CASE WHEN s.category = 'Source' AND (SELECT dialect FROM run) = 'clang' THEN NULL ELSE s.self_sum END AS self, s.dur_sum * 1.0 / s.n AS mean,
  s.dur_max AS max, CASE WHEN s.size_n > 0 THEN s.size_sum END AS size
FROM span_sums('category', 'kind <> "summary"') s
  JOIN (SELECT c.text AS category, names FROM (SELECT category, count(DISTINCT name) AS names FROM work_total GROUP BY category) t
    LEFT JOIN string c ON c.id = t.category) k ON k.category IS s.category
ORDER BY self DESC, 1;
