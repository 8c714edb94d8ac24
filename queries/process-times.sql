-- title: Processes: calls, time, bytes
-- about: What each process did: the slow rank, the one with less work, the one that is not there.
-- format: any
-- needs: spans
-- column host text
-- column process text
-- column spans count
-- column time duration Sum of durations; threads that overlap count each
-- column self duration Sum without what is nested in them
-- column size size
-- column start time First start
-- column finish time Last end
-- key: host, process
-- measure: spans, time, self, size
-- sort: -time, host, process
-- drill: span host=host process=process
WITH sums AS (
  SELECT l.host, l.process, sum(t.n) AS spans, sum(t.dur_sum) AS time, sum(t.self_sum) AS self, CASE WHEN sum(t.size_n) > 0 THEN sum(t.size_sum) END AS size,
    min(t.start_min) AS start, max(t.finish_max) AS finish
  FROM span_total t JOIN lane l ON l.id = t.lane GROUP BY l.host, l.process
)
SELECT h.text AS host, process, spans, time, self, size, start, finish
FROM sums LEFT JOIN string h ON h.id = sums.host
ORDER BY time DESC, 1, 2;
