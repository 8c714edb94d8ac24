-- title: Figures of each folder of results: loading, computing, throughput, memory
-- about: One row a folder, also the table of baseline2 (kind=baseline2). Times are means of its arrays, in seconds: load_time is what the
--   training loop waited for a batch, compute_time what lies between two requests, completion_time both; io_time is the time of a read by
--   the size of a block, processing_time what a sample takes beside it. memory is a quantile, in MiB, of the sums over all containers;
--   moments with fewer than two containers are skipped. What can't be computed (no array, an empty one, a value that is no number) is
--   missing, the rest stays.
-- format: dataload
-- scope: none trials have no times and no lanes
-- param kind text '*' Only this kind (baseline1, baseline2, ours), a GLOB pattern
-- param dataset text '*' Only this data set, a GLOB pattern
-- param variant text '*' Only this variant, a GLOB pattern
-- param mode text '*' Only this mode (local, remote), a GLOB pattern
-- param sim_compute_time text '*' Only this compute time, in seconds, a GLOB pattern
-- param block_size real -1 Of baseline2 only folders with blocks of this many samples; -1: all
-- param of text 'all' {all, means} means: only the folders that count in trial-means
-- param batch_size count 512 {1..} Samples in a batch
-- param skip count 0 Batches left out at the start of load_time and compute_time: the first holds the warm-up
-- param statistic text 'mean' {mean, median} Of a folder's times
-- param quantile percent 90% {0..100%} Of memory
-- column trial text The folder
-- column kind text
-- column dataset text
-- column variant text What else stands in its path
-- column mode text
-- column run text
-- column sim_compute_time real Seconds of simulated computing
-- column threadpool_size integer
-- column block_size integer Samples in a block
-- column num_batches count
-- column load_time real Seconds
-- column compute_time real Seconds
-- column completion_time real Seconds
-- column throughput real Samples a second
-- column io_time real Seconds
-- column processing_time real Seconds
-- column memory real MiB
-- column memory_rows count Moments at which memory was measured and that were used
-- column memory_skipped count Moments that were not used
-- key: trial
-- measure: load_time, compute_time, completion_time, throughput (higher is better), io_time, processing_time, memory
-- sums: none
-- sort: kind, dataset, variant, mode, run, sim_compute_time, block_size, trial
-- drill: trial-samples trial=trial skip=:skip
-- spans: none a trial's samples are no spans
WITH statistic AS ( -- a value that is NULL was no number: then there is none of the array
  SELECT s.trial, s.name, s.n, CASE :statistic
      WHEN 'mean' THEN (SELECT CASE missing WHEN 0 THEN mean END FROM sample_sums(s.id, s.skip))
      WHEN 'median' THEN (SELECT CASE missing WHEN 0 THEN p50 END FROM sample_sums(s.id, s.skip))
    END AS value
  FROM (SELECT a.id, trial, text AS name, n, CASE WHEN text IN ('data_load_time', 'compute_time') THEN :skip ELSE 0 END AS skip
    FROM sample a JOIN string ON string.id = a.name WHERE text IN ('data_load_time', 'compute_time', 'io_time', 'processing_time')) s
), array AS (
  SELECT t.id, t.name AS trial, f.kind, f.dataset, f.variant, f.mode, f.run, f.sim_compute_time, f.threadpool_size, f.block_size,
    max(CASE s.name WHEN 'data_load_time' THEN s.n END) AS num_batches, max(CASE s.name WHEN 'data_load_time' THEN s.value END) AS load_time,
    max(CASE s.name WHEN 'compute_time' THEN s.value END) AS compute_time, max(CASE s.name WHEN 'io_time' THEN s.value END) / f.block_size AS io_time,
    max(CASE s.name WHEN 'processing_time' THEN s.value END) AS processing_time
  FROM trials t LEFT JOIN trial_facts f ON f.path = t.path LEFT JOIN statistic s ON s.trial = t.id
  WHERE coalesce(f.kind, '') GLOB :kind AND coalesce(f.dataset, '') GLOB :dataset AND coalesce(f.variant, '') GLOB :variant
    AND coalesce(f.mode, '') GLOB :mode AND coalesce(CAST(f.sim_compute_time AS TEXT), '') GLOB :sim_compute_time GROUP BY t.id
), placed AS (
  SELECT *, row_number() OVER (PARTITION BY kind, dataset, variant, mode, sim_compute_time, CASE kind WHEN 'ours' THEN run ELSE id END
    ORDER BY load_time + compute_time IS NULL, load_time + compute_time, block_size, trial) AS place
  FROM array
)
SELECT trial, kind, dataset, variant, mode, run, sim_compute_time, threadpool_size, block_size, num_batches, load_time, compute_time,
  load_time + compute_time AS completion_time, :batch_size / (load_time + compute_time) AS throughput, io_time,
  processing_time - io_time AS processing_time,
  (SELECT quantile / 1048576 FROM sample_sums((SELECT id FROM samples WHERE trial = a.id AND name = 'memory'), 0, :quantile)) AS memory,
  coalesce((SELECT n FROM sample_sums((SELECT id FROM samples WHERE trial = a.id AND name = 'memory'))), 0) AS memory_rows,
  coalesce((SELECT missing FROM sample_sums((SELECT id FROM samples WHERE trial = a.id AND name = 'memory'))), 0) AS memory_skipped
FROM placed a
WHERE (place = 1 OR :of = 'all') AND (:block_size < 0 OR kind IS NOT 'baseline2' OR block_size = :block_size)
ORDER BY kind, dataset, variant, mode, run, sim_compute_time, block_size, trial;
