-- title: Writes by file, slowest first
-- about: For each file the time of the process that spent most writing it (or of whatever by names), and all bytes written.
-- format: dftracer chrome
-- needs: category=POSIX
-- param name text '*write*' Functions, a GLOB pattern
-- param file text '*' File names without folders, a GLOB pattern
-- param path text '*' Paths, a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- param by text 'process' What sums are over: process, or process,thread, or host,process ...
-- column path text
-- column time duration The largest sum of one group
-- column size size Sum over all
-- column calls count
-- column rate rate Bytes a second of the time spent writing it
-- column grouping text What sums are over
-- key: path
-- measure: time (absent is 0), size, calls, rate
-- sums: size, calls
-- sort: -time, path
-- drill: span path=path
SELECT path, max(dur_sum) AS time, coalesce(sum(size_sum), 0) AS size, sum(n) AS calls, sum(size_sum) * 1e9 / nullif(sum(dur_sum), 0) AS rate,
  :by AS grouping
FROM span_sums('path,' || :by, 'category = ?1 AND name GLOB ?2 AND path GLOB ?3' || CASE :file WHEN '*' THEN '' ELSE ' AND basename GLOB ?4' END,
  :category, :name, :path, :file)
GROUP BY path
ORDER BY 2 DESC, path;
