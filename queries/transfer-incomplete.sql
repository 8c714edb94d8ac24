-- title: Transfers that lack a stage
-- about: Transfers whose trace breaks off: which marks are missing for what they are. Where the mode is missing too, all marks of a remote
--   one are expected.
-- format: cascade
-- needs: transfers
-- column dataset text
-- column target text
-- column mode text
-- column missing_stages text Stages without a mark
-- column planned time
-- key: dataset, target
-- sort: dataset, target
-- drill: transfer-times dataset=dataset target=target [mode=mode]
-- covers: rows=1
-- spans: name=dataset category='transfer' [arg.mode=mode]
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), found AS (
  SELECT name AS dataset, target, mode, planned,
    CASE WHEN mode IS NULL THEN ' mode' ELSE '' END || CASE WHEN planned IS NULL THEN ' planned' ELSE '' END ||
    CASE WHEN mode IS NOT 'local' AND started IS NULL THEN ' started' ELSE '' END ||
    CASE WHEN mode IS NOT 'local' AND loaded IS NULL THEN ' loaded' ELSE '' END ||
    CASE WHEN g = '3' AND received IS NULL THEN ' received' ELSE '' END ||
    CASE WHEN g = '3' AND unloaded IS NULL THEN ' unloaded' ELSE '' END ||
    CASE WHEN g = '3' AND mode IS NOT 'redundant' AND completed IS NULL THEN ' completed' ELSE '' END ||
    CASE WHEN g <> '3' AND finished IS NULL THEN ' finished' ELSE '' END AS missing
  FROM transfers, generation
)
SELECT dataset, target, mode, ltrim(missing) AS missing_stages, planned FROM found WHERE missing <> '' ORDER BY 1, 2;
