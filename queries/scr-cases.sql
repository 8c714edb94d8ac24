-- title: Checkpoint, parallel file system and local disk: by process and thread, by process, and busy
-- about: The figures by which ways to write checkpoints are compared, one row a run; with several runs and --wide, one column a run. Times of
--   calls are given in three ways: the largest sum of a process and thread, the largest sum of a process (of one host, as ids of two may be equal), and busy, how long at least one call
--   was going on. Where many threads flush they differ by large factors, and figures of different grouping must not be compared; a note says
--   where runs rank differently by them. On the parallel file system, where training data lie, too, only files count whose path has
--   checkpoint in it, if the run has such files; on the local disk all do. Bandwidth is bytes over busy time; hidden is busy time behind which a process computed.
-- format: dftracer
-- param name text '*PyTorchCheckpointing.checkpoint*' Name of the checkpoint function, a GLOB pattern
-- param pfs text 'pfs' The parallel file system: a class of paths, or a GLOB pattern over paths
-- param path text '' Paths that count on the parallel file system, a GLOB pattern; '': *checkpoint* where the run has such paths, else all
-- param ssd text 'ssd' The node-local disk: a class of paths, or a GLOB pattern over paths
-- param category text 'POSIX' Category of the calls
-- param compute text '*compute*' Names of the spans that are computing, a GLOB pattern
-- column checkpoint_by_process_thread duration
-- column checkpoint_by_process duration
-- column pfs_by_process_thread duration Calls on the parallel file system: the largest sum of a process and thread
-- column pfs_by_process duration The largest sum of a process
-- column pfs_busy_by_process duration Union of the calls of the busiest process of a host
-- column pfs_busy_by_host duration Union of the calls of the busiest host
-- column pfs_busy duration Union of all calls; at most, where records stand for many calls
-- column pfs_hidden duration Busy time in which a process computed on another thread than the calling one; missing where nothing computes
-- column pfs_threads count Threads that make such calls
-- column pfs_size size Bytes read and written
-- column pfs_bandwidth_by_host rate Bytes a second of busy time, of the busiest host
-- column pfs_bandwidth rate Bytes a second of busy time, of the run
-- column ssd_by_process_thread duration Calls on the local disk: the largest sum of a process and thread
-- column ssd_by_process duration The largest sum of a process
-- column ssd_busy_by_process duration Union of the calls of the busiest process of a host
-- column ssd_busy_by_host duration Union of the calls of the busiest host
-- column ssd_busy duration Union of all calls; at most, where records stand for many calls
-- column ssd_hidden duration Busy time in which a process computed on another thread than the calling one; missing where nothing computes
-- column ssd_threads count Threads that make such calls
-- column ssd_size size Bytes read and written
-- column ssd_bandwidth_by_host rate Bytes a second of busy time, of the busiest host
-- column ssd_bandwidth rate Bytes a second of busy time, of the run
-- column pfs_paths text Paths that counted on the parallel file system
-- column files count Trace files: half of them missing looks like half of the writes
-- measure: checkpoint_by_process_thread, checkpoint_by_process, pfs_by_process_thread, pfs_by_process, pfs_busy_by_process, pfs_busy_by_host,
--   pfs_busy, pfs_hidden (higher is better), pfs_threads, pfs_size, pfs_bandwidth_by_host (higher is better),
--   pfs_bandwidth (higher is better),
--   ssd_by_process_thread, ssd_by_process, ssd_busy_by_process, ssd_busy_by_host,
--   ssd_busy, ssd_hidden (higher is better), ssd_threads, ssd_size, ssd_bandwidth_by_host (higher is better),
--   ssd_bandwidth (higher is better),
--   files
-- sums: none
-- alternatives: checkpoint_by_process_thread, checkpoint_by_process; pfs_by_process_thread, pfs_by_process, pfs_busy;
--   ssd_by_process_thread, ssd_by_process, ssd_busy
-- drill: row
-- spans: none its figures are of several kinds of spans: checkpoint-time and path-time lead to them
WITH chosen AS (
  SELECT CASE WHEN :path <> '' THEN :path WHEN n > 0 THEN '*checkpoint*' ELSE '*' END AS paths
  FROM span_sums('', 'category = ?1 AND path GLOB "*checkpoint*"', :category)
), checkpoint AS (
  SELECT max(largest) AS by_thread, max(total) AS by_process FROM (
    SELECT max(dur_sum) AS largest, sum(dur_sum) AS total FROM span_sums('host,process,thread', 'name GLOB ?1', :name) GROUP BY host, process)
), pfs AS (
  SELECT max(largest) AS by_thread, max(total) AS by_process FROM (
    SELECT max(dur_sum) AS largest, sum(dur_sum) AS total
    FROM span_sums('host,process,thread', 'category = ?1 AND (class = ?2 OR path GLOB ?2) AND path GLOB ?3',
      :category, :pfs, (SELECT paths FROM chosen)) GROUP BY host, process)
), pfs_parts AS (
  SELECT level, n, busy, hidden, threads, size_sum, row_number() OVER (PARTITION BY level ORDER BY busy DESC, host) AS place
  FROM span_busy(';host;process', 'category = ?1 AND (class = ?2 OR path GLOB ?2) AND path GLOB ?3',
    'name GLOB ?4', :category, :pfs, (SELECT paths FROM chosen), :compute)
), pfs_busy AS (
  SELECT max(CASE level WHEN 2 THEN busy END) AS by_process, max(CASE level WHEN 1 THEN busy END) AS by_host,
    max(CASE WHEN level = 1 AND place = 1 THEN size_sum END) AS size_of_host, max(CASE WHEN level = 0 AND n > 0 THEN busy END) AS busy,
    max(CASE WHEN level = 0 AND n > 0 THEN hidden END) AS hidden, max(CASE level WHEN 0 THEN threads END) AS threads,
    max(CASE level WHEN 0 THEN size_sum END) AS size
  FROM pfs_parts
), ssd AS (
  SELECT max(largest) AS by_thread, max(total) AS by_process FROM (
    SELECT max(dur_sum) AS largest, sum(dur_sum) AS total
    FROM span_sums('host,process,thread', 'category = ?1 AND (class = ?2 OR path GLOB ?2)', :category, :ssd) GROUP BY host, process)
), ssd_parts AS (
  SELECT level, n, busy, hidden, threads, size_sum, row_number() OVER (PARTITION BY level ORDER BY busy DESC, host) AS place
  FROM span_busy(';host;process', 'category = ?1 AND (class = ?2 OR path GLOB ?2)',
    'name GLOB ?3', :category, :ssd, :compute)
), ssd_busy AS (
  SELECT max(CASE level WHEN 2 THEN busy END) AS by_process, max(CASE level WHEN 1 THEN busy END) AS by_host,
    max(CASE WHEN level = 1 AND place = 1 THEN size_sum END) AS size_of_host, max(CASE WHEN level = 0 AND n > 0 THEN busy END) AS busy,
    max(CASE WHEN level = 0 AND n > 0 THEN hidden END) AS hidden, max(CASE level WHEN 0 THEN threads END) AS threads,
    max(CASE level WHEN 0 THEN size_sum END) AS size
  FROM ssd_parts
)
SELECT checkpoint.by_thread AS checkpoint_by_process_thread, checkpoint.by_process AS checkpoint_by_process,
  pfs.by_thread AS pfs_by_process_thread, pfs.by_process AS pfs_by_process, pfs_busy.by_process AS pfs_busy_by_process,
  pfs_busy.by_host AS pfs_busy_by_host, pfs_busy.busy AS pfs_busy, pfs_busy.hidden AS pfs_hidden, pfs_busy.threads AS pfs_threads,
  pfs_busy.size AS pfs_size, pfs_busy.size_of_host * 1e9 / nullif(pfs_busy.by_host, 0) AS pfs_bandwidth_by_host,
  pfs_busy.size * 1e9 / nullif(pfs_busy.busy, 0) AS pfs_bandwidth,
  ssd.by_thread AS ssd_by_process_thread, ssd.by_process AS ssd_by_process, ssd_busy.by_process AS ssd_busy_by_process,
  ssd_busy.by_host AS ssd_busy_by_host, ssd_busy.busy AS ssd_busy, ssd_busy.hidden AS ssd_hidden, ssd_busy.threads AS ssd_threads,
  ssd_busy.size AS ssd_size, ssd_busy.size_of_host * 1e9 / nullif(ssd_busy.by_host, 0) AS ssd_bandwidth_by_host,
  ssd_busy.size * 1e9 / nullif(ssd_busy.busy, 0) AS ssd_bandwidth,
  (SELECT paths FROM chosen) AS pfs_paths, (SELECT count(*) FROM source) AS files
FROM checkpoint, pfs, pfs_busy, ssd, ssd_busy;
