-- title: Transfers of data sets: communication, load, transmission
-- about: One row for each data set and target (a worker; in generation 3 a host). A local transfer moves nothing: it starts and is
--   loaded when it is finished. A duration is missing where one of its two times is. Times on the run's own clock.
-- format: cascade
-- needs: transfers
-- param mode text '*' Only transfers whose mode is like this, a GLOB pattern (local, remote, redundant)
-- param dataset text '*' Only data sets like this, a GLOB pattern
-- param target text '*' Only to targets like this, a GLOB pattern
-- column dataset text
-- column target text
-- column origin text Where it came from (generation 3)
-- column mode text local, remote, redundant (the target's host had it already), or missing
-- column total duration Planned to finished (generation 3: completed)
-- column comm_delay duration Planned to started: the way from the controller to the source
-- column load_delay duration Started to loaded
-- column transmit_delay duration Loaded to finished (generation 3: received)
-- column unload_delay duration Received to unloaded (generation 3)
-- column report_delay duration Unloaded to completed: the way back to the controller (generation 3)
-- column planned clock
-- column started clock
-- column loaded clock
-- column received clock
-- column unloaded clock
-- column finished clock
-- column completed clock
-- column lane text Of its span
-- key: dataset, target
-- measure: total, comm_delay, load_delay, transmit_delay, unload_delay, report_delay
-- sort: dataset, target, origin, mode
-- drill: span name=dataset category='transfer' lane_name=lane [arg.mode=mode]
-- covers: whole=total
WITH run_facts AS (
  SELECT start_ns, coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS generation FROM run
)
SELECT t.name AS dataset, t.target, t.origin, t.mode,
  CASE generation WHEN '3' THEN t.completed ELSE t.finished END - t.planned AS total,
  t.started - t.planned AS comm_delay,
  t.loaded - t.started AS load_delay,
  CASE generation WHEN '3' THEN t.received ELSE t.finished END - t.loaded AS transmit_delay,
  t.unloaded - t.received AS unload_delay,
  t.completed - t.unloaded AS report_delay,
  start_ns + t.planned AS planned, start_ns + t.started AS started, start_ns + t.loaded AS loaded, start_ns + t.received AS received,
  start_ns + t.unloaded AS unloaded, start_ns + t.finished AS finished, start_ns + t.completed AS completed, (SELECT name FROM lanes WHERE id = t.lane) AS lane
FROM transfers t, run_facts
WHERE coalesce(t.mode, '') GLOB :mode AND t.name GLOB :dataset AND coalesce(t.target, '') GLOB :target
ORDER BY 1, 2, 3, 4;
