-- title: Time between checkpoints
-- about: Gaps between the starts of consecutive checkpoint calls of each process: how many, and their distribution. At most a million calls are
--   looked at. Of a process of which records stand for many calls it is not known when each began: its calls are in no gap, and count as summed.
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
-- column summed count Calls of processes with records that stand for many: no distribution
-- measure: count, mean, min, median, max
-- sums: count
-- drill: span name~:name
WITH processes AS (
  SELECT host, process, n FROM span_sums('host,process', 'name GLOB ?1', :name) WHERE summed > 0
), calls AS (
  SELECT host, process, start FROM span_page('name GLOB ?1', 'start', 0, 1000000, :name) c
  WHERE NOT EXISTS (SELECT 1 FROM processes p WHERE p.host IS c.host AND p.process IS c.process)
), gaps AS (
  SELECT start - lag(start) OVER (PARTITION BY host, process ORDER BY start) AS gap FROM calls
)
SELECT count(gap) AS count, avg(gap) AS mean, stddev(gap) AS std, min(gap) AS min, quantile(gap, 0.25) AS p25, median(gap) AS median,
  quantile(gap, 0.75) AS p75, max(gap) AS max, (SELECT sum(n) FROM processes) AS summed
FROM gaps;
