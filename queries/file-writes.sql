-- title: Writes by file, slowest first
-- about: For each file the time of the process that spent most writing it (or of whatever by names), and all bytes written; and busy: how long at
--   least one write was going on, of the busiest process, of the busiest host, and in the run. Sums count writes that run side by side each
--   with its whole duration; bandwidth is bytes over busy time.
-- format: dftracer chrome
-- needs: category=POSIX
-- param name text '*write*' Functions, a GLOB pattern
-- param file text '*' File names without folders, a GLOB pattern
-- param path text '*' Paths, a GLOB pattern
-- param class text '*' Classes of paths (pfs, ssd, shm ...), a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- param by text 'host,process' What sums are over: host,process or host,process,thread; without host equal ids of two hosts are one
-- param compute text '*compute*' Names of the spans that are computing, a GLOB pattern
-- column path text
-- column time duration The largest sum of one group
-- column size size Sum over all
-- column calls count
-- column rate rate Bytes a second of the time spent writing it
-- column busy_by_process duration Union of the writes of the busiest process of a host
-- column busy_by_host duration Union of the writes of the busiest host
-- column busy duration Union of all writes; at most, where records stand for many calls
-- column hidden duration Busy time in which a process computed on another thread than the writing one; missing where nothing computes
-- column threads count Threads that write it
-- column bandwidth_by_host rate Bytes a second of busy time, of the busiest host
-- column bandwidth rate Bytes a second of busy time, of the run
-- column grouping text What sums are over
-- key: path
-- measure: time (absent is 0), size, calls, rate, busy_by_process (absent is 0), busy_by_host (absent is 0), busy (absent is 0),
--   hidden (higher is better), threads, bandwidth_by_host, bandwidth
-- sums: size, calls
-- alternatives: time, busy
-- sort: -time, path
-- drill: span path=path category=:category name~:name class~:class [basename~:file]
-- covers: count=calls size=size
WITH part AS (
  SELECT path, max(dur_sum) AS time, coalesce(sum(size_sum), 0) AS size, sum(n) AS calls,
    sum(size_sum) * 1e9 / nullif(sum(dur_sum), 0) AS rate, NULL AS busy_by_process, NULL AS busy_by_host, NULL AS bandwidth_by_host,
    NULL AS busy, NULL AS hidden, NULL AS threads, NULL AS bandwidth
  FROM span_sums('path,' || :by, 'category = ?1 AND name GLOB ?2 AND path GLOB ?3 AND class GLOB ?4' || CASE :file WHEN '*' THEN '' ELSE ' AND basename GLOB ?5' END, :category, :name, :path, :class, :file)
  GROUP BY path
  UNION ALL SELECT path, NULL, NULL, NULL, NULL, max(CASE level WHEN 2 THEN busy END), max(CASE level WHEN 1 THEN busy END),
    max(CASE WHEN level = 1 AND place = 1 THEN size_sum * 1e9 / nullif(busy, 0) END), max(CASE level WHEN 0 THEN busy END),
    max(CASE level WHEN 0 THEN hidden END), max(CASE level WHEN 0 THEN threads END),
    max(CASE level WHEN 0 THEN size_sum * 1e9 / nullif(busy, 0) END)
  FROM (SELECT path, level, busy, hidden, threads, size_sum, row_number() OVER (PARTITION BY CASE level WHEN 1 THEN path END
      ORDER BY CASE level WHEN 1 THEN busy END DESC, CASE level WHEN 1 THEN host END) AS place -- of hosts alone
    FROM span_busy('path;host;process', 'category = ?1 AND name GLOB ?2 AND path GLOB ?3 AND class GLOB ?4' || CASE :file WHEN '*' THEN '' ELSE ' AND basename GLOB ?5' END,
      'name GLOB ?6', :category, :name, :path, :class, :file, :compute))
  GROUP BY path
)
SELECT path, max(time) AS time, max(size) AS size, max(calls) AS calls, max(rate) AS rate, max(busy_by_process) AS busy_by_process,
  max(busy_by_host) AS busy_by_host, max(busy) AS busy, max(hidden) AS hidden, max(threads) AS threads,
  max(bandwidth_by_host) AS bandwidth_by_host, max(bandwidth) AS bandwidth, :by AS grouping
FROM part
GROUP BY path
ORDER BY 2 DESC, path;
