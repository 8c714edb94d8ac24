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
SELECT host, process, n AS spans, dur_sum AS time, self_sum AS self, CASE WHEN size_n > 0 THEN size_sum END AS size, start_min AS start, finish_max AS finish
FROM span_sums('host,process', 'kind <> "summary"')
ORDER BY time DESC, 1, 2;
