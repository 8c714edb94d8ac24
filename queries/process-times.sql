-- title: Processes: calls, time, bytes
-- about: What each process did: the slow rank, the one with less work, the one that is not there.
-- format: any
-- needs: spans
-- column host text
-- column process text
-- column n count
-- column time duration Sum of durations; threads that overlap count each
-- column self duration Sum without what is nested in them, and without the headers that clang >= 19 records beside its thread
-- column size size
-- column start time First start
-- column finish time Last end
-- key: host, process
-- measure: n, time, self, size
-- sort: -time, host, process
-- drill: span host=host process=process kind<>'summary'
-- covers: count=n duration=time size=size
SELECT p.host, p.process, p.n, p.dur_sum AS time, w.self_sum AS self, CASE WHEN p.size_n > 0 THEN p.size_sum END AS size, p.start_min AS start,
  p.finish_max AS finish
FROM span_sums('host,process', 'kind <> "summary"') p
  LEFT JOIN span_sums('host,process', 'kind <> "summary"' || CASE (SELECT dialect FROM run) WHEN 'clang' THEN ' AND kind <> "async"' ELSE '' END) w
    ON w.host IS p.host AND w.process IS p.process
ORDER BY time DESC, 1, 2;
