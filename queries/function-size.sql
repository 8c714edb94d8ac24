-- title: Bytes by function
-- about: Bytes that each function read or wrote. Functions that move none have 0.
-- format: dftracer chrome
-- needs: category=POSIX
-- param path text '*' Paths, a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- column name text
-- column calls count
-- column size size Sum
-- column mean size Of the calls that moved bytes
-- column rate rate Bytes a second of the time spent in it
-- key: name
-- measure: calls, size, mean, rate
-- sort: -size, name
-- drill: span name=name category=:category [path~:path]
-- covers: count=calls size=size
SELECT name, n AS calls, coalesce(size_sum, 0) AS size, size_sum * 1.0 / nullif(size_n, 0) AS mean,
  CASE WHEN size_n > 0 THEN size_sum * 1e9 / nullif(dur_sum, 0) END AS rate
FROM span_sums('name', CASE :path WHEN '*' THEN 'category = ?1' ELSE 'category = ?1 AND path GLOB ?2' END, :category, :path)
ORDER BY 3 DESC, name;
