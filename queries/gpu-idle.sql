-- title: Why streams were idle
-- about: All idle time of each stream by its cause. before and after: until the stream's first work began, and since its last was done, within the run.
--   Of each gap between two pieces of work, host: the call that launched the second one began only after the first was done; kernel: none of that, and
--   the gap is shorter than least, as between kernels that follow each other; other: the rest, a wait on other streams, for memory, or for what is
--   not recorded. busy is no idle time: with it, of_run of a stream adds up to the run. Work and call are matched by their correlation.
-- format: chrome/pytorch chrome/tensorflow
-- needs: devices
-- param least duration 30us {0..} Shorter gaps are those between kernels
-- column stream text
-- column cause text before, host, kernel, other, after, or busy
-- column idle duration
-- column share percent Of the stream's idle time
-- column of_run percent Of the run's duration
-- column gaps count
-- column mean duration
-- column max duration
-- column lane_id integer
-- key: stream, cause
-- measure: idle, share, of_run, gaps, mean, max
-- sort: stream, -idle, cause
-- drill: gpu-gaps lane_id=lane_id cause=cause least=:least [rows=gaps]
-- spans: when cause='busy': lane=lane_id kind='device' category NOT IN ('gpu_user_annotation','cuda_sync'); none idle time is where no span is
-- covers: rows=gaps duration=idle
WITH gaps AS (
  SELECT lane, CASE cause WHEN 0 THEN 'host' WHEN 1 THEN 'kernel' ELSE 'other' END AS cause, gap_sum AS idle, gaps, gap_max AS max
  FROM span_pair_sums('lane,cause', :least, 'arg.correlation', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync")', 'kind = "thread" AND arg.correlation > 0')
  WHERE gaps > 0
), ends AS (
  SELECT lane, start_min - range_start() AS first, range_end() - finish_max AS rest
  FROM span_sums('lane', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync")') WHERE n > 0
), causes AS (
  SELECT * FROM gaps
  UNION ALL SELECT lane, 'before', first, 1, first FROM ends WHERE first > 0
  UNION ALL SELECT lane, 'after', rest, 1, rest FROM ends WHERE rest > 0
), sums AS (
  SELECT lane, cause, idle, idle * 1.0 / sum(idle) OVER (PARTITION BY lane) AS share, idle AS time, gaps, max FROM causes
  UNION ALL SELECT lane, 'busy', NULL, NULL, (SELECT duration_ns FROM run) - coalesce((SELECT sum(idle) FROM causes WHERE causes.lane = ends.lane), 0), NULL, NULL
  FROM ends
)
SELECT l.name AS stream, cause, idle, share, time * 1.0 / nullif(duration_ns, 0) AS of_run, gaps, idle * 1.0 / gaps AS mean, max, l.id AS lane_id
FROM sums JOIN run JOIN lanes l ON l.id = sums.lane
ORDER BY 1, idle DESC, 2;
