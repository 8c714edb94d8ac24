-- title: The longest spans
-- about: Spans that took longest, one by one. filter is a condition of the filter language: category = "POSIX" AND size > 1MiB.
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
-- column lane_name text
-- column size size
-- column path text
-- column id integer
-- sums: none
-- sort: -duration, id
-- drill: timeline start=start
SELECT duration, self, start, name, category, host, lane_name, size, path, id
FROM span_page(CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END || 'kind <> "summary"', '-duration', 0, :rows)
ORDER BY duration DESC, id;
