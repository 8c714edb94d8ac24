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
WITH sums AS (
  SELECT count(*) AS groups, coalesce(sum(n), 0) AS calls, max(dur_sum) AS time, sum(dur_sum) AS sum
  FROM span_sums(:by, 'category = ?1 AND path GLOB ?2 AND class GLOB ?3', :category, :path, :class) WHERE n > 0
), of_process AS (
  SELECT max(dur_sum) AS time FROM span_sums('host,process', 'category = ?1 AND path GLOB ?2 AND class GLOB ?3', :category, :path, :class)
), busy_process AS (
  SELECT max(busy) AS busy FROM span_busy('host,process', 'category = ?1 AND path GLOB ?2 AND class GLOB ?3', NULL, :category, :path, :class)
), busy_host AS (
  SELECT max(busy) AS busy, size_sum FROM (SELECT host, busy, size_sum FROM
    span_busy('host', 'category = ?1 AND path GLOB ?2 AND class GLOB ?3', NULL, :category, :path, :class) ORDER BY busy DESC, host LIMIT 1)
), run AS (
  SELECT busy, hidden, threads, size_sum, n
  FROM span_busy('', 'category = ?1 AND path GLOB ?2 AND class GLOB ?3', 'name GLOB ?4', :category, :path, :class, :compute)
)
SELECT :by AS grouping, groups, calls, sums.time, sum, of_process.time AS time_by_process, busy_process.busy AS busy_by_process,
  busy_host.busy AS busy_by_host, run.busy, run.hidden, run.threads, run.size_sum AS size,
  busy_host.size_sum * 1e9 / nullif(busy_host.busy, 0) AS bandwidth_by_host, run.size_sum * 1e9 / nullif(run.busy, 0) AS bandwidth
FROM sums, of_process, busy_process, busy_host, run WHERE calls > 0;
