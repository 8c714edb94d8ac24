-- title: Bandwidth of file systems
-- about: How long at least one call on a file was going on (the union of the calls, however many ran side by side): for each class of path over the
--   whole run, for each host and for each process; beside it the plain sum of the calls' durations, how much of the busy time was hidden behind
--   computing of another thread of the same process, and bytes over busy time. Where records stand for many calls, busy is at most.
-- format: dftracer chrome
-- needs: category=POSIX
-- param path text '*' Paths, a GLOB pattern
-- param class text '*' Classes of paths (pfs, ssd, shm ...), a GLOB pattern
-- param name text '*' Functions, a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- param compute text '*compute*' Names of the spans that are computing, a GLOB pattern
-- column class text
-- column scope text run, host or process
-- column host text
-- column process text
-- column calls count
-- column threads count Threads that make such calls
-- column sum duration Of all calls
-- column busy duration Union of the calls
-- column hidden duration Busy time in which a process computed on another thread than the calling one; missing where nothing computes
-- column size size Bytes read and written
-- column bandwidth rate Bytes a second of busy time
-- key: class, scope, host, process
-- measure: busy, sum, hidden (higher is better), calls, threads, size, bandwidth (higher is better)
-- sums: none
-- alternatives: sum, busy
-- drill: span
-- spans: when scope='run': category=:category name~:name path~:path class~:class class=class; when scope='host': category=:category name~:name
--   path~:path class~:class class=class host=host; category=:category name~:name path~:path class~:class class=class host=host process=process
-- covers: count=calls duration=sum size=size
SELECT class, CASE level WHEN 0 THEN 'run' WHEN 1 THEN 'host' ELSE 'process' END AS scope, host, process, n AS calls, threads, dur_sum AS sum, busy,
  hidden, size_sum AS size, size_sum * 1e9 / nullif(busy, 0) AS bandwidth
FROM span_busy('class;host;process', 'category = ?1 AND name GLOB ?2 AND path GLOB ?3 AND class GLOB ?4', 'name GLOB ?5',
  :category, :name, :path, :class, :compute)
ORDER BY class, level, host, process;
