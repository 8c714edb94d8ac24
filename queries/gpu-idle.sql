-- title: Why streams were idle
-- about: Each gap between two pieces of work of a stream by its cause. host: the call that launched the second one began only after the first was done.
--   kernel: none of that, and the gap is shorter than least, as between kernels that follow each other. other: the rest, a wait on other streams, for
--   memory, or for what is not recorded. Work and call are matched by their correlation.
-- format: chrome/pytorch chrome/tensorflow
-- needs: devices
-- param least duration 30 {0..} Shorter gaps are those between kernels
-- column stream text
-- column cause text host, kernel or other
-- column idle duration
-- column share percent Of the stream's idle time
-- column gaps count
-- column mean duration
-- column longest duration
-- key: stream, cause
-- measure: idle, share, gaps, mean, longest
-- sort: stream, -idle, cause
-- drill: span lane_name=stream
WITH gaps AS (
  SELECT lane, start - before AS idle, CASE WHEN partner_start > before THEN 'host' WHEN start - before < :least THEN 'kernel' ELSE 'other' END AS cause
  FROM span_pairs('arg.correlation', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync")', 'kind = "thread" AND arg.correlation > 0')
  WHERE start > before
), sums AS (
  SELECT lane, cause, sum(idle) AS idle, count(*) AS gaps, max(idle) AS longest FROM gaps GROUP BY lane, cause
)
SELECT l.name AS stream, cause, idle, idle * 1.0 / sum(idle) OVER (PARTITION BY lane) AS share, gaps, idle * 1.0 / gaps AS mean, longest
FROM sums JOIN lanes l ON l.id = sums.lane
ORDER BY 1, 3 DESC, 2;
