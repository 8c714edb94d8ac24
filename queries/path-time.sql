-- title: Time in a file system
-- about: Time in calls on files whose path and class match (a parallel file system, a node-local disk): the sum over each process and thread of
--   a host (or whatever by names), of which the largest is the run's; and busy: how long at least one such call was going on, of the busiest process,
--   of the busiest host, and in the run. Sums count what runs side by side as often as it does so; bandwidth is bytes over busy time. The
--   grouping stands in the result, as it changes the figure. No row where there is no such call.
-- format: dftracer chrome
-- needs: category=POSIX
-- param path text '*' Paths, a GLOB pattern: */scr/checkpoints/*
-- param class text '*' Classes of paths (pfs, ssd, shm ...), a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- param by text 'host,process,thread' What sums are over: host,process,thread or host,process; without host equal ids of two hosts are one
-- param compute text '*compute*' Names of the spans that are computing, a GLOB pattern
-- column grouping text What sums are over
-- column groups count How many of them have such a call
-- column calls count
-- column time duration The largest group's sum; missing if there is no call
-- column sum duration Over all groups
-- column time_by_process duration The largest sum of a process of a host
-- column busy_by_process duration Union of the calls of the busiest process of a host
-- column busy_by_host duration Union of the calls of the busiest host
-- column busy duration Union of all calls; at most, where records stand for many calls
-- column hidden duration Busy time in which a process computed on another thread than the calling one; missing where nothing computes
-- column threads count Threads that make such calls
-- column size size Bytes read and written
-- column bandwidth_by_host rate Bytes a second of busy time, of the busiest host
-- column bandwidth rate Bytes a second of busy time, of the run
-- key: grouping
-- measure: calls (absent is 0), time (absent is 0), sum (absent is 0), time_by_process (absent is 0), busy_by_process (absent is 0),
--   busy_by_host (absent is 0), busy (absent is 0), hidden (higher is better), threads, size (absent is 0), bandwidth_by_host, bandwidth
-- sums: none
-- alternatives: time, time_by_process, busy
-- drill: span category=:category path~:path class~:class
-- covers: count=calls duration=sum size=size
WITH sums AS (
  SELECT count(*) AS groups, coalesce(sum(n), 0) AS calls, max(dur_sum) AS time, sum(dur_sum) AS sum
  FROM span_sums(:by, 'category = ?1 AND path GLOB ?2 AND class GLOB ?3', :category, :path, :class) WHERE n > 0
), parts AS (
  SELECT level, busy, hidden, threads, dur_sum, size_sum, row_number() OVER (PARTITION BY level ORDER BY busy DESC, host) AS place
  FROM span_busy(';host;process', 'category = ?1 AND path GLOB ?2 AND class GLOB ?3', 'name GLOB ?4', :category, :path, :class, :compute)
), figures AS (
  SELECT max(CASE level WHEN 2 THEN dur_sum END) AS time_by_process, max(CASE level WHEN 2 THEN busy END) AS busy_by_process,
    max(CASE level WHEN 1 THEN busy END) AS busy_by_host, max(CASE WHEN level = 1 AND place = 1 THEN size_sum END) AS size_of_host,
    max(CASE level WHEN 0 THEN busy END) AS busy, max(CASE level WHEN 0 THEN hidden END) AS hidden,
    max(CASE level WHEN 0 THEN threads END) AS threads, max(CASE level WHEN 0 THEN size_sum END) AS size
  FROM parts
)
SELECT :by AS grouping, groups, calls, time, sum, time_by_process, busy_by_process, busy_by_host, busy, hidden, threads, size,
  size_of_host * 1e9 / nullif(busy_by_host, 0) AS bandwidth_by_host, size * 1e9 / nullif(busy, 0) AS bandwidth
FROM sums, figures WHERE calls > 0;
