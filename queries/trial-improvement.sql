-- title: Ours against the baselines, by compute time
-- about: Throughput, load time, completion time and memory of baseline1, baseline2 and ours side by side, joined by data set, mode and
--   compute time, as trial-means computes them (of baseline2 the block size with the smallest completion time). change_percent is
--   100 * (ours - baseline1) / baseline1: above 0 is better for throughput, below 0 for the others. present says which of the three
--   have a value, so what is on one side only is marked.
-- format: dataload
-- scope: none trials have no times and no lanes
-- param measure text '*' Only this measure, a GLOB pattern
-- param dataset text '*' Only this data set, a GLOB pattern
-- param mode text '*' Only this mode (local, remote), a GLOB pattern
-- param batch_size count 512 {1..} Samples in a batch
-- param skip count 0 Batches left out at the start of load_time and compute_time: the first holds the warm-up
-- param statistic text 'mean' {mean, median} Of a folder's times
-- param quantile percent 90% {0..100%} Of memory
-- column dataset text
-- column variant text What else stands in the path
-- column mode text
-- column sim_compute_time real Seconds of simulated computing
-- column measure text throughput (samples a second), load_time, completion_time or memory
-- column unit text Of the figures: 1/s, s or MiB
-- column baseline1 real
-- column baseline2 real
-- column ours real
-- column change_percent real Of ours against baseline1
-- column present text Which have a value: all, baseline1 and ours, ours only ...; none
-- key: dataset, variant, mode, sim_compute_time, measure
-- measure: baseline1, baseline2, ours
-- drill: trial-means dataset=dataset variant=variant mode=mode sim_compute_time=sim_compute_time batch_size=:batch_size
--   skip=:skip statistic=:statistic quantile=:quantile
-- spans: none a trial's samples are no spans
WITH statistic AS ( -- a value that is NULL was no number: then there is none of the array
  SELECT s.trial, s.name, s.n, CASE :statistic
      WHEN 'mean' THEN (SELECT CASE missing WHEN 0 THEN mean END FROM sample_sums(s.id, s.skip))
      WHEN 'median' THEN (SELECT CASE missing WHEN 0 THEN p50 END FROM sample_sums(s.id, s.skip))
    END AS value
  FROM (SELECT a.id, trial, text AS name, n, CASE WHEN text IN ('data_load_time', 'compute_time') THEN :skip ELSE 0 END AS skip
    FROM sample a JOIN string ON string.id = a.name WHERE text IN ('data_load_time', 'compute_time')) s
), array AS (
  SELECT t.id, t.name AS trial, f.kind, f.dataset, f.variant, f.mode, f.run, f.sim_compute_time, f.threadpool_size, f.block_size,
    max(CASE s.name WHEN 'data_load_time' THEN s.n END) AS num_batches, max(CASE s.name WHEN 'data_load_time' THEN s.value END) AS load_time,
    max(CASE s.name WHEN 'compute_time' THEN s.value END) AS compute_time
  FROM trials t LEFT JOIN trial_facts f ON f.path = t.path LEFT JOIN statistic s ON s.trial = t.id
  WHERE coalesce(f.dataset, '') GLOB :dataset AND coalesce(f.mode, '') GLOB :mode GROUP BY t.id
), figure AS (
  SELECT a.*, load_time + compute_time AS completion_time, 1.0 * :batch_size / (load_time + compute_time) AS throughput,
    (SELECT quantile / 1048576 FROM sample_sums((SELECT id FROM samples WHERE trial = a.id AND name = 'memory'), 0, :quantile)) AS memory,
    row_number() OVER (PARTITION BY kind, dataset, variant, mode, sim_compute_time, CASE kind WHEN 'ours' THEN run WHEN 'baseline2' THEN 0 ELSE id END
      ORDER BY load_time + compute_time IS NULL, load_time + compute_time, block_size, trial) AS place
  FROM array a
), measure AS (
  SELECT kind, coalesce(dataset, '') AS dataset, coalesce(variant, '') AS variant, coalesce(mode, '') AS mode, sim_compute_time,
    mean_in_order(throughput, id) AS throughput, mean_in_order(load_time, id) AS load_time,
    mean_in_order(completion_time, id) AS completion_time, mean_in_order(memory, id) AS memory
  FROM figure WHERE place = 1 AND sim_compute_time IS NOT NULL GROUP BY kind, dataset, variant, mode, sim_compute_time
), long AS (
  SELECT 1 AS nr, 'throughput' AS measure, kind, dataset, variant, mode, sim_compute_time, throughput AS value FROM measure
  UNION ALL SELECT 2, 'load_time', kind, dataset, variant, mode, sim_compute_time, load_time FROM measure
  UNION ALL SELECT 3, 'completion_time', kind, dataset, variant, mode, sim_compute_time, completion_time FROM measure
  UNION ALL SELECT 4, 'memory', kind, dataset, variant, mode, sim_compute_time, memory FROM measure
), wide AS (
  SELECT nr, measure, dataset, variant, mode, sim_compute_time, max(CASE kind WHEN 'baseline1' THEN value END) AS baseline1,
    max(CASE kind WHEN 'baseline2' THEN value END) AS baseline2, max(CASE kind WHEN 'ours' THEN value END) AS ours
  FROM long WHERE measure GLOB :measure GROUP BY nr, dataset, variant, mode, sim_compute_time
)
SELECT nullif(dataset, '') AS dataset, nullif(variant, '') AS variant, nullif(mode, '') AS mode, sim_compute_time, measure,
  CASE measure WHEN 'throughput' THEN '1/s' WHEN 'memory' THEN 'MiB' ELSE 's' END AS unit, baseline1, baseline2, ours, 100 * (ours - baseline1) / baseline1 AS change_percent,
  CASE (baseline1 IS NOT NULL) + 2 * (baseline2 IS NOT NULL) + 4 * (ours IS NOT NULL) WHEN 7 THEN 'all' WHEN 6 THEN 'baseline2 and ours'
    WHEN 5 THEN 'baseline1 and ours' WHEN 4 THEN 'ours only' WHEN 3 THEN 'baseline1 and baseline2' WHEN 2 THEN 'baseline2 only' WHEN 1 THEN 'baseline1 only'
    ELSE 'none' END AS present
FROM wide
ORDER BY dataset, variant, mode, sim_compute_time, nr;
