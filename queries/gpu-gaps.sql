-- title: Idle time of streams, one by one
-- about: The gaps that gpu-idle sums: each with its cause, longest first. next is the work that ended it; none behind a stream's last.
-- format: chrome/pytorch chrome/tensorflow
-- needs: devices
-- param lane_id integer -1 Only the stream with this id; -1: all
-- param cause text '*' Only gaps of this cause (before, host, kernel, other, after), a GLOB pattern
-- param least duration 30us {0..} Shorter gaps are those between kernels
-- param rows count 1000 How many
-- column stream text
-- column cause text before, host, kernel, other or after
-- column start time
-- column duration duration
-- column next text Name of the work that begins then
-- column lane_id integer
-- sort: -duration, stream, start
-- drill: timeline start=start duration=duration lane=lane_id
-- spans: none a gap is where no span is
WITH gaps AS (
  SELECT lane, before AS start, start - before AS duration, CASE WHEN partner_start > before THEN 'host' WHEN start - before < :least THEN 'kernel' ELSE 'other' END AS cause, name AS next
  FROM span_pairs('arg.correlation', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync")', 'kind = "thread" AND arg.correlation > 0')
  WHERE start > before
), ends AS (
  SELECT lane, start_min AS first, finish_max AS last, range_end() - finish_max AS rest
  FROM span_sums('lane', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync")') WHERE n > 0
), causes AS (
  SELECT lane, cause, start, duration, next FROM gaps
  UNION ALL SELECT lane, 'before', range_start(), first - range_start(), NULL FROM ends WHERE first > range_start()
  UNION ALL SELECT lane, 'after', last, rest, NULL FROM ends WHERE rest > 0
)
SELECT l.name AS stream, cause, start, duration, next, l.id AS lane_id
FROM causes c JOIN lanes l ON l.id = c.lane
WHERE (:lane_id < 0 OR l.id = :lane_id) AND cause GLOB :cause
ORDER BY duration DESC, 1, start LIMIT :rows;
