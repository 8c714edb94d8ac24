-- title: Calls by function
-- about: How often each function was called on some files: what one way of writing calls more often than another.
-- format: dftracer chrome
-- needs: category=POSIX
-- param path text '*' Paths, a GLOB pattern
-- param file text '*' File names without folders, a GLOB pattern: *model*
-- param category text 'POSIX' Category of the calls
-- column name text
-- column calls count
-- column time duration Sum
-- column size size Sum
-- key: name
-- measure: calls, time, size
-- sort: -calls, name
-- drill: span name=name category=:category [path~:path] [basename~:file]
-- covers: count=calls duration=time size=size
SELECT name, n AS calls, dur_sum AS time, coalesce(size_sum, 0) AS size
FROM span_sums('name', 'category = ?1' || CASE :path WHEN '*' THEN '' ELSE ' AND path GLOB ?2' END
  || CASE :file WHEN '*' THEN '' ELSE ' AND basename GLOB ?3' END, :category, :path, :file)
WHERE n > 0
ORDER BY 2 DESC, name;
