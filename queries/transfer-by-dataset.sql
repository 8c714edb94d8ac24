-- title: Transfers by data set
-- about: How often each data set was sent, and how long that took in all. One that is sent more often than there are hosts went somewhere
--   twice.
-- format: cascade
-- needs: transfers
-- column dataset text
-- column count count Transfers, of any mode
-- column targets count Different targets
-- column total duration Sum of planned to finished (generation 3: completed)
-- key: dataset
-- measure: count, total
-- sums: count, total
-- sort: -count, dataset
-- drill: transfer-times dataset=dataset
-- spans: category='transfer' name=dataset
-- covers: rows=count total=total
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), sums AS (
  SELECT name, count(*) AS count, count(DISTINCT target) AS targets,
    coalesce(sum(CASE g WHEN '3' THEN completed ELSE finished END - planned), 0) AS total
  FROM transfer, generation GROUP BY name
)
SELECT s.text AS dataset, count, targets, total FROM sums JOIN string s ON s.id = sums.name ORDER BY count DESC, 1;
