-- title: Where the time goes, by name
-- about: All spans of a name together: how many, how long, and how long without what is nested in them (self). Headers
--   that clang >= 19 records beside its thread have no self: that time is in what the thread did.
-- format: any
-- needs: spans
-- column name text
-- column category text
-- column n count
-- column time duration Sum of durations: a span within another of its name counts in both
-- column self duration Sum without what is nested in them
-- column mean duration
-- column max duration
-- column size size
-- key: name, category
-- measure: n, time, self, mean, max, size
-- sort: -self, name, category
-- drill: span name=name category=category kind<>'summary'
-- covers: count=n duration=time self=self size=size
SELECT name, category, n, dur_sum AS time,
  CASE WHEN category = 'Source' AND (SELECT dialect FROM run) = 'clang' THEN NULL ELSE self_sum END AS self, dur_sum * 1.0 / n AS mean, dur_max AS max,
  CASE WHEN size_n > 0 THEN size_sum END AS size
FROM span_sums('name,category', 'kind <> "summary"')
ORDER BY self DESC, 1, 2;
