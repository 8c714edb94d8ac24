-- title: Transfers by mode
-- about: How many transfers were local (nothing moved), remote, or redundant (the target's host had the data already), and how long they
--   took from planned to finished (generation 3: completed). Transfers whose mode is not known are in none of the rows: see
--   transfer-incomplete.
-- format: cascade
-- needs: transfers
-- column mode text
-- column count count
-- column total duration Sum of planned to finished
-- column mean duration
-- column max duration
-- column comm_sum duration Sum of planned to started
-- key: mode
-- measure: count, total, mean, max, comm_sum
-- sort: -count, mode
-- drill: transfer-times mode=mode
-- spans: category='transfer' arg.mode=mode
-- covers: rows=count total=total comm_delay=comm_sum
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), sums AS (
  SELECT mode, count(*) AS count, coalesce(sum(CASE g WHEN '3' THEN completed ELSE finished END - planned), 0) AS total,
    avg(CASE g WHEN '3' THEN completed ELSE finished END - planned) AS mean,
    max(CASE g WHEN '3' THEN completed ELSE finished END - planned) AS max, coalesce(sum(started - planned), 0) AS comm_sum
  FROM transfer, generation WHERE mode IS NOT NULL GROUP BY mode
)
SELECT s.text AS mode, count, total, mean, max, comm_sum FROM sums JOIN string s ON s.id = sums.mode ORDER BY count DESC, 1;
