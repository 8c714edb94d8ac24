-- title: Counters: range and mean of each
-- about: Every counter of the run with how often it was sampled, and its values; for each host, where there are several, and
--   for each process of a host, where several have it.
-- format: any
-- needs: counters
-- column name text
-- column host text Where the run has counters of several
-- column process text Where several of the host have it
-- column samples count
-- column min real
-- column mean real
-- column max real
-- key: name, host, process
-- measure: samples, min, mean, max
-- sort: name, host, process
-- drill: counter-times name=name [host=host] [process=process]
-- spans: none a counter's samples are no spans
-- covers: samples=samples
WITH told AS (
  SELECT name, host, process, count(*) OVER (PARTITION BY name, host) AS n_processes,
    count(*) OVER () - count(*) OVER (PARTITION BY host) AS n_elsewhere, value_n, value_sum, value_min, value_max
  FROM counter_sums('name,host,process', '')
  WHERE value_n > 0
)
SELECT name, CASE WHEN n_elsewhere > 0 THEN host END AS host, CASE WHEN n_processes > 1 THEN process END AS process, value_n AS samples,
  value_min AS min, value_sum / value_n AS mean, value_max AS max
FROM told
ORDER BY 1, 2, 3;
