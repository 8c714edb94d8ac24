-- title: The longest spans
-- about: Spans that took longest, one by one. filter is a condition of the filter language: category = "POSIX" AND size > 1MiB.
--   A record that stands for many calls has the duration of the longest of them, and start is that of the interval it reports.
-- format: any
-- needs: spans
-- param rows count 100 How many
-- param filter text '' Only spans for which this holds
-- column duration duration
-- column self duration Without what is nested in it
-- column start time
-- column name text
-- column category text
-- column host text
-- column lane text
-- column size size
-- column path text
-- column calls count That a record stands for; none: the span is one
-- column id integer
-- sums: none
-- sort: -duration, id
-- drill: timeline span=id start=start duration=duration lane_name=lane
-- spans: id=id
-- covers: rows=1 size=size
WITH condition AS (
  SELECT CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END || 'kind <> "summary"' AS text
), longest AS (
  SELECT duration, self, start, name, category, host, lane_name, size, path, NULL AS calls, id
  FROM condition JOIN span_page(text || ' AND calls < 2', '-duration', 0, :rows)
  UNION ALL
  SELECT call_max, NULL, start, name, category, host, lane_name, size, path, calls, id
  FROM condition JOIN span_page(text || ' AND calls > 1', '-call_max', 0, :rows)
)
SELECT duration, self, start, name, category, host, lane_name AS lane, size, path, calls, id FROM longest
ORDER BY duration DESC, id LIMIT :rows;
