-- title: Lanes: what each was busy with
-- about: Spans of each lane. Self adds up to the time in which the lane was busy; of_run is that time's part of the run. A lane of kind summary holds
--   what wraps a recording or repeats the sums of others: no time of its own. On one of kind aggregate self is at most: the time that the intervals
--   cover for which its records tell of calls.
-- format: any
-- needs: spans
-- column host text
-- column lane text
-- column kind text
-- column n count
-- column self duration Time in which the lane was busy, each instant counted once for each span that is innermost
-- column of_run percent Of the run's duration
-- column max duration
-- column size size
-- column start time First start
-- column finish time Last end
-- column lane_id integer
-- key: host, lane, kind
-- measure: n, self, of_run, size
-- sort: host, lane, kind
-- drill: span lane=lane_id
-- covers: count=n size=size
WITH sums AS (
  SELECT lane, n, self_sum AS self, dur_max AS max, CASE WHEN size_n > 0 THEN size_sum END AS size, start_min AS start, finish_max AS finish
  FROM span_sums('lane')
), intervals AS (
  SELECT lane, busy FROM (SELECT 1 FROM lanes WHERE kind = 'aggregate' LIMIT 1) CROSS JOIN span_busy('lane', 'kind = "aggregate"')
)
SELECT l.host, l.name AS lane, l.kind, coalesce(sums.n, 0) AS n, CASE l.kind WHEN 'summary' THEN NULL ELSE coalesce(busy, self, 0) END AS self,
  CASE l.kind WHEN 'summary' THEN NULL ELSE coalesce(busy, self, 0) END * 1.0 / nullif(duration_ns, 0) AS of_run, max, size, start, finish, l.id AS lane_id
FROM lanes l JOIN run LEFT JOIN sums ON sums.lane = l.id LEFT JOIN intervals ON intervals.lane = l.id
ORDER BY 1, 2, 3;
