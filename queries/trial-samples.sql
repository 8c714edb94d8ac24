-- title: Samples of the trials: count, mean, spread
-- about: One row for each array of each folder, whatever its name. Values that are no numbers (NaN, moments of memory that can't be used) are
--   counted as missing and left out of the rest.
-- format: dataload
-- scope: none trials have no times and no lanes
-- param trial text '*' Only folders like this, a GLOB pattern
-- param sample text '*' Only arrays like this, a GLOB pattern
-- param skip count 0 Values left out at the start of data_load_time and compute_time: the first holds the warm-up
-- column trial text
-- column sample text
-- column type text As stored
-- column n count Values, without those left out
-- column missing count No numbers
-- column mean real
-- column std real
-- column min real
-- column median real
-- column p90 real
-- column p99 real
-- column max real
-- key: trial, sample
-- measure: mean, median, p90, p99, max
-- drill: row
-- spans: none a trial's samples are no spans
WITH part AS (
  SELECT id, trial, name, type, n, CASE WHEN name IN ('data_load_time', 'compute_time') THEN min(:skip, n) ELSE 0 END AS skip FROM samples
)
SELECT t.name AS trial, s.name AS sample, s.type, s.n - s.skip AS n, v.missing, v.mean, v.std, v.min, v.p50 AS median, v.p90, v.p99, v.max
FROM trials t JOIN part s ON s.trial = t.id CROSS JOIN sample_sums(s.id, s.skip) v
WHERE t.name GLOB :trial AND s.name GLOB :sample
ORDER BY t.name, s.name;
