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
  SELECT t.id, t.name AS dataset, t.target, t.mode, l.host, t.planned, coalesce(t.unloaded, t.finished) AS done,
    -- newest traces name a data set after its task, a dot and the output's name
    CASE WHEN instr(t.name, '.') THEN rtrim(rtrim(t.name, replace(t.name, '.', '')), '.') END AS task
  FROM transfers t JOIN lanes l ON l.id = t.lane
), present AS (
  SELECT dataset, host, done AS since, 'delivered' AS why FROM moved WHERE done IS NOT NULL
  UNION ALL
  SELECT m.dataset, l.host, coalesce(k.finished, k.published), 'made'
  FROM (SELECT DISTINCT dataset, task FROM moved) m JOIN tasks k ON k.name IN (m.dataset, m.task) JOIN lanes l ON l.id = k.lane
  WHERE coalesce(k.finished, k.published) IS NOT NULL
), first AS (
  SELECT dataset, host, min(since) AS since, why FROM present GROUP BY dataset, host
)
SELECT m.dataset, m.target, m.mode, f.why, f.since, m.planned, m.done - m.planned AS lost_time
FROM moved m JOIN first f ON f.dataset = m.dataset AND f.host = m.host AND f.since <= m.planned
WHERE m.mode IS NOT 'local'
ORDER BY lost_time DESC, m.dataset, m.target;
