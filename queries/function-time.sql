-- title: Time by function
-- about: For each function the time of the process that spent most in it (or of whatever by names), and of all. path narrows to some files;
--   with * calls without a file count too.
-- format: dftracer chrome
-- needs: category=POSIX
-- param path text '*' Paths, a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- param by text 'host,process' What sums are over: host,process or host,process,thread; without host equal ids of two hosts are one
-- column name text
-- column calls count
-- column time duration The largest sum of one group
-- column sum duration Over all groups
-- column mean duration Of one call
-- column grouping text What sums are over
-- key: name
-- measure: calls, time (absent is 0), sum, mean
-- sums: calls, sum
-- sort: name
-- drill: span name=name category=:category [path~:path]
-- covers: count=calls duration=sum
SELECT name, sum(n) AS calls, max(dur_sum) AS time, sum(dur_sum) AS sum, sum(dur_sum) * 1.0 / sum(n) AS mean, :by AS grouping
FROM span_sums('name,' || :by, CASE :path WHEN '*' THEN 'category = ?1' ELSE 'category = ?1 AND path GLOB ?2' END, :category, :path)
GROUP BY name
ORDER BY name;
