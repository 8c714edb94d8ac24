-- title: Search logs step by step, and where they could have stopped
-- about: One row for each configuration that a search tried, in order. gain is what the step won over the best one before it (below 0: it was
--   slower). The search may stop early once so many steps in a row gained at most so much; stop marks that step. chosen marks the steps
--   of the configuration that the folder was measured with.
-- format: dataload
-- scope: none trials have no times and no lanes
-- param gain percent 5% What a step must gain to be worth it
-- param steps count 3 {1..} Steps in a row that gain less
-- param trial text '*' Only folders like this, a GLOB pattern
-- column trial text The folder
-- column log text The log's name
-- column step count
-- column threadpool_size integer
-- column block_size integer Samples in a block
-- column completion_time real Seconds a batch
-- column best real The smallest up to here
-- column gain percent Over the best before
-- column low_gains count Of at most the threshold, one after the other
-- column stop text stop: here the search may end early
-- column chosen text
-- key: trial, log, step
-- measure: completion_time
-- sums: none
-- drill: trial-samples trial=trial
-- spans: none a trial's samples are no spans
WITH part AS ( -- a log is three arrays, FILE:COLUMN
  SELECT s.id, t.id AS folder, t.name AS trial, substr(s.name, 1, instr(s.name, ':') - 1) AS log,
    substr(s.name, instr(s.name, ':') + 1) AS field, f.threadpool_size AS chosen_threads, f.block_size AS chosen_size
  FROM samples s JOIN trials t ON t.id = s.trial LEFT JOIN trial_facts f ON f.path = t.path
  WHERE s.name LIKE '%:%' AND t.name GLOB :trial
), step AS (
  SELECT p.trial, p.log, p.chosen_threads, p.chosen_size, v.i + 1 AS step,
    CAST(max(CASE p.field WHEN 'threadpool_size' THEN v.value END) AS INTEGER) AS threadpool_size,
    CAST(max(CASE p.field WHEN 'block_size' THEN v.value END) AS INTEGER) AS block_size,
    max(CASE p.field WHEN 'batch_completion_time' THEN v.value END) AS completion_time
  FROM part p CROSS JOIN sample_value v ON v.sample = p.id GROUP BY p.folder, p.log, v.i
), best AS (
  SELECT *, min(completion_time) OVER (PARTITION BY trial, log ORDER BY step ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS best
  FROM step
), gained AS (
  SELECT *, 1 - completion_time / best AS gain FROM best
), turned AS ( -- steps since the last one that gained enough
  SELECT *, sum(gain IS NULL OR gain > :gain) OVER (PARTITION BY trial, log ORDER BY step) AS turn FROM gained
), counted AS (
  SELECT *, sum(gain <= :gain) OVER (PARTITION BY trial, log, turn ORDER BY step) AS low_gains FROM turned
), marked AS (
  SELECT *, min(CASE WHEN low_gains >= :steps THEN step END) OVER (PARTITION BY trial, log) AS stop_step FROM counted
)
SELECT trial, log, step, threadpool_size, block_size, completion_time, min(completion_time, coalesce(best, completion_time)) AS best, gain,
  low_gains, CASE step WHEN stop_step THEN 'stop' END AS stop,
  CASE WHEN threadpool_size = chosen_threads AND block_size = chosen_size THEN 'chosen' END AS chosen
FROM marked ORDER BY trial, log, step;
