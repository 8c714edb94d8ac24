-- title: Flows: what leads to what
-- about: Spans that flow events connect (a launch and its kernel, a forward and its backward step), by the names at both ends.
--   wait is the time from the end of the one to the start of the other, below zero where they overlap.
-- format: chrome
-- scans: nearly every span may be an end of a flow, so one pass over all is cheaper than looking up each
-- param flow text '*' Only flows with a name that matches this pattern
-- column flow text
-- column source text
-- column target text
-- column n count
-- column wait duration Mean
-- column min duration
-- column max duration
-- key: flow, source, target
-- measure: n, wait, min, max
-- sort: -n, flow, source, target
-- drill: span name=source
WITH ends AS (
  SELECT d.id, d.name AS flow, d.from_id, d.to_id FROM dependencies d WHERE d.type = 'span' AND coalesce(d.name, '') GLOB :flow
), spans AS (
  SELECT id, start, finish, name FROM span WHERE +id IN (SELECT from_id FROM ends UNION SELECT to_id FROM ends)
)
SELECT flow, a.name AS source, b.name AS target, count(*) AS n, avg(b.start - a.finish) AS wait, min(b.start - a.finish) AS min, max(b.start - a.finish) AS max
FROM ends JOIN spans a ON a.id = from_id JOIN spans b ON b.id = to_id
GROUP BY flow, 2, 3
ORDER BY 4 DESC, 1, 2, 3;
