-- title: Time in a file system
-- about: Time in calls on files whose path matches (a parallel file system, a node-local disk): the sum over each process and thread (or
--   whatever by names), of which the largest is the run's. The grouping stands in the result, as it changes the figure.
-- format: dftracer chrome
-- needs: category=POSIX
-- param path text '*' Paths, a GLOB pattern: */scr/checkpoints/*
-- param category text 'POSIX' Category of the calls
-- param by text 'process,thread' What sums are over: process,thread or process or host,process ...
-- column grouping text What sums are over
-- column groups count How many of them have such a call
-- column calls count
-- column time duration The largest group's sum; missing if there is no call
-- column sum duration Over all groups
-- column size size Bytes read and written
-- key: grouping
-- measure: calls (absent is 0), time (absent is 0), sum (absent is 0), size (absent is 0)
-- sums: none
-- drill: span category=:category path~:path
SELECT :by AS grouping, count(*) AS groups, coalesce(sum(n), 0) AS calls, max(dur_sum) AS time, sum(dur_sum) AS sum,
  coalesce(sum(size_sum), 0) AS size
FROM span_sums(:by, 'category = ?1 AND path GLOB ?2', :category, :path) WHERE n > 0;
