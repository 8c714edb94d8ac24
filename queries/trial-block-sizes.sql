-- title: Block sizes one after the other, and where to stop
-- about: The folders of one compute time by the size of their blocks, in rising order, as a sweep over block sizes measures them (baseline2).
--   gain is what a size won over the best one before it. The sweep may stop early once so many sizes in a row gained at most so much;
--   stop marks that size. Times are in seconds a batch.
-- format: dataload
-- scope: none trials have no times and no lanes
-- param kind text 'baseline2' Folders of this kind, a GLOB pattern
-- param gain percent 5% What a block size must gain to be worth it
-- param steps count 3 {1..} Block sizes in a row that gain less
-- param dataset text '*' Only this data set, a GLOB pattern
-- param mode text '*' Only this mode (local, remote), a GLOB pattern
-- param skip count 0 Batches left out at the start of load_time and compute_time: the first holds the warm-up
-- param statistic text 'mean' {mean, median} Of a folder's times
-- column kind text
-- column dataset text
-- column variant text What else stands in the path
-- column mode text
-- column run text
-- column sim_compute_time real Seconds of simulated computing
-- column step count
-- column block_size integer Samples in a block
-- column completion_time real Seconds a batch
-- column best real The smallest up to here
-- column gain percent Over the best before
-- column low_gains count Of at most the threshold, one after the other
-- column stop text stop: here the search may end early
-- column trial text The folder
-- key: kind, dataset, variant, mode, run, sim_compute_time, block_size
-- measure: completion_time
-- sums: none
-- plot: line x=block_size y=completion_time series=dataset,variant,mode,run,sim_compute_time log=x
-- drill: trial-samples trial=trial skip=:skip
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
  WHERE coalesce(f.kind, '') GLOB :kind AND coalesce(f.dataset, '') GLOB :dataset AND coalesce(f.mode, '') GLOB :mode GROUP BY t.id
), step AS (
  SELECT a.*, load_time + compute_time AS completion_time,
    row_number() OVER (PARTITION BY kind, dataset, variant, mode, run, sim_compute_time ORDER BY block_size, trial) AS step
  FROM array a WHERE load_time + compute_time IS NOT NULL
), best AS (
  SELECT *, min(completion_time) OVER (PARTITION BY kind, dataset, variant, mode, run, sim_compute_time ORDER BY step
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS best FROM step
), gained AS (
  SELECT *, 1 - completion_time / best AS gain FROM best
), turned AS ( -- steps since the last one that gained enough
  SELECT *, sum(gain IS NULL OR gain > :gain) OVER (PARTITION BY kind, dataset, variant, mode, run, sim_compute_time ORDER BY step) AS turn FROM gained
), counted AS (
  SELECT *, sum(gain <= :gain) OVER (PARTITION BY kind, dataset, variant, mode, run, sim_compute_time, turn ORDER BY step) AS low_gains FROM turned
), marked AS (
  SELECT *, min(CASE WHEN low_gains >= :steps THEN step END) OVER (PARTITION BY kind, dataset, variant, mode, run, sim_compute_time) AS stop_step FROM counted
)
SELECT kind, dataset, variant, mode, run, sim_compute_time, step, block_size, completion_time,
  min(completion_time, coalesce(best, completion_time)) AS best, gain, low_gains, CASE step WHEN stop_step THEN 'stop' END AS stop, trial
FROM marked ORDER BY kind, dataset, variant, mode, run, sim_compute_time, step;
