-- title: Means over the runs, by compute time: baseline1, baseline2, ours
-- about: One row for each kind and compute time (for baseline2 and each block size), the arithmetic means of what trial-figures gives for
--   the folders of all runs. Of ours only the folder with the smallest completion_time of each run counts (of equals the one with the
--   smaller blocks). The throughput is the mean of the runs' throughputs.
-- format: dataload
-- scope: none trials have no times and no lanes
-- param kind text '*' Only this kind (baseline1, baseline2, ours), a GLOB pattern
-- param dataset text '*' Only this data set, a GLOB pattern
-- param variant text '*' Only this variant, a GLOB pattern
-- param mode text '*' Only this mode (local, remote), a GLOB pattern
-- param sim_compute_time text '*' Only this compute time, in seconds, a GLOB pattern
-- param batch_size count 512 {1..} Samples in a batch
-- param skip count 0 Batches left out at the start of load_time and compute_time: the first holds the warm-up
-- param statistic text 'mean' {mean, median} Of a folder's times
-- param quantile percent 90% {0..100%} Of memory
-- column kind text
-- column dataset text
-- column variant text What else stands in the path
-- column mode text
-- column sim_compute_time real Seconds of simulated computing
-- column threadpool_size real
-- column block_size real Samples in a block
-- column io_time real Seconds
-- column processing_time real Seconds
-- column load_time real Seconds
-- column compute_time real Seconds
-- column completion_time real Seconds
-- column memory real MiB
-- column throughput real Samples a second
-- column num_batches real
-- column throughput_std real Over the runs (n - 1)
-- column folders count That were averaged
-- key: kind, dataset, variant, mode, sim_compute_time, block_size
-- measure: load_time, compute_time, completion_time, throughput (higher is better), io_time, processing_time, memory
-- sort: kind, dataset, variant, mode, sim_compute_time, block_size
-- plot: line x=sim_compute_time y=completion_time series=kind,dataset,variant,mode
-- drill: trial-figures kind=kind dataset=dataset variant=variant mode=mode sim_compute_time=sim_compute_time [block_size=block_size]
--   of='means' batch_size=:batch_size skip=:skip statistic=:statistic quantile=:quantile
-- covers: rows=folders
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
), figure AS (
  SELECT a.*, load_time + compute_time AS completion_time, 1.0 * :batch_size / (load_time + compute_time) AS throughput,
    (SELECT quantile / 1048576 FROM sample_sums((SELECT id FROM samples WHERE trial = a.id AND name = 'memory'), 0, :quantile)) AS memory,
    row_number() OVER (PARTITION BY kind, dataset, variant, mode, sim_compute_time, CASE kind WHEN 'ours' THEN run ELSE id END
      ORDER BY load_time + compute_time IS NULL, load_time + compute_time, block_size, trial) AS place
  FROM array a
)
SELECT kind, dataset, variant, mode, sim_compute_time, avg(threadpool_size) AS threadpool_size, avg(block_size) AS block_size,
  mean_in_order(io_time, id) AS io_time, mean_in_order(processing_time - io_time, id) AS processing_time,
  mean_in_order(load_time, id) AS load_time, mean_in_order(compute_time, id) AS compute_time,
  mean_in_order(completion_time, id) AS completion_time, mean_in_order(memory, id) AS memory,
  mean_in_order(throughput, id) AS throughput, avg(num_batches) AS num_batches, stddev(throughput) AS throughput_std, count(*) AS folders
FROM figure WHERE place = 1
GROUP BY kind, dataset, variant, mode, sim_compute_time, CASE kind WHEN 'baseline2' THEN block_size END
ORDER BY kind, dataset, variant, mode, sim_compute_time, block_size;
