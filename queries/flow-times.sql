-- title: Flows: what leads to what
-- about: Spans that flow events connect (a launch and its kernel, a forward and its backward step), by the names at both ends.
--   wait is the time from the end of the one to the start of the other, below zero where they overlap.
-- format: chrome
-- needs: flows
-- scans: the two ends of each flow are looked up by their ids
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
-- sums: n
-- sort: -n, flow, source, target
-- drill: flow-spans flow=flow source=source target=target rows=n
-- spans: none a row stands for pairs of spans
-- covers: rows=n
SELECT d.name AS flow, a.name AS source, b.name AS target, count(*) AS n, avg(b.start - a.finish) AS wait, min(b.start - a.finish) AS min,
  max(b.start - a.finish) AS max
FROM dependencies d JOIN span a ON a.id = d.from_id JOIN span b ON b.id = d.to_id
WHERE d.type = 'span' AND coalesce(d.name, '') GLOB :flow
GROUP BY 1, 2, 3
ORDER BY 4 DESC, 1, 2, 3;
