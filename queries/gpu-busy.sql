-- title: Devices: busy with what
-- about: For each device how long at least one of its streams did anything, and how long kernels that compute, kernels that communicate, and copies ran.
--   Time in which several streams run counts once. What communication is, is a condition of the filter language. MTIA's requests to its DMA engine are copies;
--   what it waits for computes nothing, but keeps it busy.
-- format: chrome/pytorch chrome/tensorflow
-- needs: devices
-- param communication text 'name GLOB "*[NnRr][Cc][Cc][Ll]*"' What communicates
-- column device text As in the names of its lanes, with its number where several are called so
-- column streams count
-- column kernels count Kernels, copies and fills
-- column span duration From the first start to the last end
-- column busy duration
-- column share percent Busy part of span
-- column of_run percent Busy part of the run
-- column idle duration
-- column compute duration
-- column communication duration
-- column copying duration Copies and fills
-- column process text The device's, in the trace
-- key: device
-- measure: kernels, span, busy (higher is better), share (higher is better), of_run (higher is better), idle, compute, communication, copying
-- sums: streams, kernels, busy, idle, compute, communication, copying
-- sort: device
-- drill: gpu-device-gaps process=process rows=kernels
-- spans: kind='device' category NOT IN ('gpu_user_annotation','cuda_sync') process=process
-- covers: duration=idle
WITH work AS (
  SELECT process, lane, sum(n) AS n, min(start_min) AS first, max(finish_max) AS last
  FROM span_sums('process,lane', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync")') GROUP BY process, lane
), devices AS (
  SELECT process, count(*) AS streams, sum(n) AS n, min(first) AS first, max(last) AS last FROM work GROUP BY process
), conditions AS (
  SELECT 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync") AND process = ?1' AS any,
    'category LIKE "%memcpy" OR category LIKE "%memset" OR name LIKE "memcpy%" OR name LIKE "memset%" OR (category = "mtia_ccp_events" AND name LIKE "%dma%")' AS memory,
    'category = "mtia_ccp_events" AND (name LIKE "%sync%" OR name LIKE "%wait%")' AS waits
), times AS (
  SELECT d.*, b.a_ns AS busy, c.a_ns AS compute, m.a_ns AS copying, c.b_ns AS communication
  FROM devices d JOIN conditions
    JOIN span_overlap(NULL, any, any, d.process) b
    JOIN span_overlap(NULL, any || ' AND NOT (' || memory || ') AND NOT (' || waits || ') AND NOT (' || :communication || ')', any || ' AND (' || :communication || ')', d.process) c
    JOIN span_overlap(NULL, any || ' AND (' || memory || ')', any, d.process) m
), told AS (
  SELECT process, coalesce((SELECT value FROM tags WHERE scope = 'process ' || process AND key = 'process_labels' AND value <> '' ORDER BY id DESC LIMIT 1),
    (SELECT value FROM tags WHERE scope = 'process ' || process AND key = 'process_name' AND value <> '' ORDER BY id DESC LIMIT 1), process) AS name
  FROM devices
), named AS (
  SELECT process, CASE WHEN count(*) OVER (PARTITION BY name) > 1 THEN name || ' ' || process ELSE name END AS device FROM told
)
SELECT device, streams, n AS kernels, last - first AS span, busy, busy * 1.0 / nullif(last - first, 0) AS share,
  busy * 1.0 / (SELECT nullif(duration_ns, 0) FROM run) AS of_run, last - first - busy AS idle, compute,
  communication, copying, times.process
FROM times JOIN named ON named.process IS times.process
ORDER BY 1;
