-- title: Checkpoint, parallel file system and local disk, by process and thread and by process
-- about: The figures by which ways to write checkpoints are compared, one row a run; with several runs and --wide, one column a run. Each is
--   the largest sum of one group, and each is given by process and thread and by process alone: where many threads flush, the two
--   differ by large factors, and figures of different grouping must not be compared.
-- format: dftracer
-- param name text '*PyTorchCheckpointing.checkpoint*' Name of the checkpoint function, a GLOB pattern
-- param pfs text '*/p/lustre2/haridev/dlio/scr/checkpoints*' Paths on the parallel file system, a GLOB pattern
-- param ssd text '*/l/ssd/haridev/scr/checkpoints*' Paths on the node-local disk, a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- column checkpoint_by_process_thread duration
-- column checkpoint_by_process duration
-- column pfs_by_process_thread duration
-- column pfs_by_process duration
-- column ssd_by_process_thread duration
-- column ssd_by_process duration
-- column files count Trace files: half of them missing looks like half of the writes
-- measure: checkpoint_by_process_thread, checkpoint_by_process, pfs_by_process_thread, pfs_by_process, ssd_by_process_thread, ssd_by_process,
--   files
WITH checkpoint AS (
  SELECT max(largest) AS by_thread, max(total) AS by_process FROM (
    SELECT max(dur_sum) AS largest, sum(dur_sum) AS total FROM span_sums('process,thread', 'name GLOB ?1', :name) GROUP BY process)
), pfs AS (
  SELECT max(largest) AS by_thread, max(total) AS by_process FROM (
    SELECT max(dur_sum) AS largest, sum(dur_sum) AS total
    FROM span_sums('process,thread', 'category = ?1 AND path GLOB ?2', :category, :pfs) GROUP BY process)
), ssd AS (
  SELECT max(largest) AS by_thread, max(total) AS by_process FROM (
    SELECT max(dur_sum) AS largest, sum(dur_sum) AS total
    FROM span_sums('process,thread', 'category = ?1 AND path GLOB ?2', :category, :ssd) GROUP BY process)
)
SELECT checkpoint.by_thread AS checkpoint_by_process_thread, checkpoint.by_process AS checkpoint_by_process,
  pfs.by_thread AS pfs_by_process_thread, pfs.by_process AS pfs_by_process, ssd.by_thread AS ssd_by_process_thread,
  ssd.by_process AS ssd_by_process, (SELECT count(*) FROM source) AS files
FROM checkpoint, pfs, ssd;
