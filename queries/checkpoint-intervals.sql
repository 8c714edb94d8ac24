-- title: Time between checkpoints
-- about: Gaps between the starts of consecutive checkpoint calls of each process: how many, and their distribution. At most a million calls are
--   looked at.
-- format: dftracer chrome
-- needs: name=*PyTorchCheckpointing.checkpoint*
-- param name text '*PyTorchCheckpointing.checkpoint*' Name of the function, a GLOB pattern
-- column count count
-- column mean duration
-- column std duration Standard deviation (n - 1)
-- column min duration
-- column p25 duration
-- column median duration
-- column p75 duration
-- column max duration
-- measure: count, mean, min, median, max
-- sums: count
-- drill: span name~:name
WITH calls AS (
  SELECT host, process, start FROM span_page('name GLOB ?1', 'start', 0, 1000000, :name)
), gaps AS (
  SELECT start - lag(start) OVER (PARTITION BY host, process ORDER BY start) AS gap FROM calls
)
SELECT count(gap) AS count, avg(gap) AS mean, stddev(gap) AS std, min(gap) AS min, quantile(gap, 0.25) AS p25, median(gap) AS median,
  quantile(gap, 0.75) AS p75, max(gap) AS max
FROM gaps;
