-- title: Where transfer time goes, by stage
-- about: One row for each stage of a transfer's life. Total and communication delay are over all transfers; the later stages over
--   remote ones only, as nothing moves in a local one and a redundant one moves what is there already. n counts the transfers that have
--   the stage; means divide by it, and a sum over nothing is 0.
-- format: cascade
-- needs: transfers
-- column stage text
-- column mode text Which transfers: remote ones; missing: all
-- column n count Transfers that have this stage
-- column missing count Transfers that lack it
-- column sum duration
-- column mean duration
-- column max duration
-- key: stage
-- measure: sum, mean, max
-- sums: none
-- drill: transfer-times [mode=mode]
-- spans: none a row is a stage of transfers
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), stages AS (
  SELECT g, coalesce(t.mode = m.id, 0) AS is_remote,
    CASE g WHEN '3' THEN completed ELSE finished END - planned AS total, started - planned AS comm_delay, loaded - started AS load_delay,
    CASE g WHEN '3' THEN received ELSE finished END - loaded AS transmit_delay, unloaded - received AS unload_delay,
    completed - unloaded AS report_delay
  FROM transfer t JOIN generation LEFT JOIN (SELECT id FROM string WHERE text = 'remote') m
), rows AS (
  SELECT 1 AS nr, 'total' AS stage, NULL AS mode, count(total) AS n, count(*) AS all_n, sum(total) AS sum, avg(total) AS mean,
    max(total) AS max FROM stages
  UNION ALL SELECT 2, 'comm_delay', NULL, count(comm_delay), count(*), sum(comm_delay), avg(comm_delay), max(comm_delay) FROM stages
  UNION ALL SELECT 3, 'load_delay', 'remote', count(load_delay), count(*), sum(load_delay), avg(load_delay), max(load_delay)
    FROM stages WHERE is_remote
  UNION ALL SELECT 4, 'transmit_delay', 'remote', count(transmit_delay), count(*), sum(transmit_delay), avg(transmit_delay),
    max(transmit_delay) FROM stages WHERE is_remote
  UNION ALL SELECT 5, 'unload_delay', 'remote', count(unload_delay), count(*), sum(unload_delay), avg(unload_delay), max(unload_delay)
    FROM stages WHERE is_remote AND g = '3'
  UNION ALL SELECT 6, 'report_delay', 'remote', count(report_delay), count(*), sum(report_delay), avg(report_delay), max(report_delay)
    FROM stages WHERE is_remote AND g = '3'
)
SELECT stage, mode, n, all_n - n AS missing, coalesce(sum, 0) AS sum, mean, max
FROM rows WHERE nr <= 4 OR all_n > 0
ORDER BY nr;
