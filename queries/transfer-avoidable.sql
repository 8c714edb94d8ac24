-- title: Transfers that need not have been
-- about: Remote and redundant transfers whose data set was on the target's host already when they were planned: made there by a task that
--   had finished, or delivered there by an earlier transfer. A local hand-over would have done; lost_time is what they took from planned to
--   finished (generation 3: to unloaded, as redundant ones have no later mark).
-- format: cascade
-- needs: transfers
-- column dataset text
-- column target text
-- column mode text
-- column why text made (on this host), or delivered (to it)
-- column since time When it was there
-- column planned time
-- column lost_time duration
-- key: dataset, target
-- measure: lost_time
-- sort: -lost_time, dataset, target
-- drill: transfer-times dataset=dataset target=target [mode=mode]
-- covers: rows=1
-- spans: name=dataset category='transfer' [arg.mode=mode]
WITH moved AS (
  SELECT t.name AS dataset, t.target, t.mode, l.host, t.planned, coalesce(t.unloaded, t.finished) AS done
  FROM transfer t JOIN lane l ON l.id = t.lane
), named AS (
  SELECT DISTINCT dataset FROM moved
), maker AS (
  SELECT dataset, dataset AS task FROM named
  -- newest traces name a data set after its task, a dot and the output's name
  UNION ALL SELECT n.dataset, t.id FROM named n JOIN string d ON d.id = n.dataset JOIN string t
    ON t.text = rtrim(rtrim(d.text, replace(d.text, '.', '')), '.')
  WHERE instr(d.text, '.')
), present AS (
  SELECT dataset, host, done AS since, 'delivered' AS why FROM moved WHERE done IS NOT NULL
  UNION ALL
  SELECT m.dataset, l.host, coalesce(k.finished, k.published), 'made'
  FROM maker m JOIN task k ON k.name = m.task JOIN lane l ON l.id = k.lane
  WHERE coalesce(k.finished, k.published) IS NOT NULL
), first AS (
  SELECT dataset, host, min(since) AS since, why FROM present GROUP BY dataset, host
)
SELECT d.text AS dataset, g.text AS target, o.text AS mode, f.why, f.since, m.planned, m.done - m.planned AS lost_time
FROM moved m JOIN first f ON f.dataset = m.dataset AND f.host = m.host AND f.since <= m.planned
  JOIN string d ON d.id = m.dataset LEFT JOIN string g ON g.id = m.target LEFT JOIN string o ON o.id = m.mode
WHERE o.text IS NOT 'local'
ORDER BY lost_time DESC, 1, 2;
