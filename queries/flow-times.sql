-- title: Flows: what leads to what
-- about: Spans that flow events connect (a launch and its kernel, a forward and its backward step), by the names at both ends.
--   wait is the time from the end of the one to the start of the other, below zero where they overlap.
-- format: chrome
-- needs: flows
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
SELECT flow, source, target, n, wait_mean AS wait, wait_min AS min, wait_max AS max
FROM span_flows WHERE coalesce(flow, '') GLOB :flow
ORDER BY 4 DESC, 1, 2, 3;
