-- title: Overlap of computing and communication on devices
-- about: How long each device ran kernels that communicate, how much of that was hidden behind kernels that compute, and how much was not. Of MTIA, what
--   neither moves data (DMA) nor waits.
-- format: chrome/pytorch chrome/tensorflow
-- needs: devices category=[Kk]ernel|category=mtia_ccp_events
-- param communication text 'name GLOB "*[NnRr][Cc][Cc][Ll]*"' What communicates
-- column device text As in the names of its lanes, with its number where several are called so
-- column compute duration At least one kernel computes
-- column communication duration At least one kernel communicates
-- column overlap duration Both
-- column share percent Part of communication that is hidden
-- column exposed duration Communication that is not
-- column of_run percent Exposed part of the run
-- column compute_kernels count
-- column communication_kernels count
-- column process text The device's, in the trace
-- key: device
-- measure: compute, communication, overlap (higher is better), share (higher is better), exposed, of_run
-- sort: device
-- drill: span kind='device' (category LIKE 'kernel' OR category='mtia_ccp_events' AND NOT (name LIKE '%dma%' OR name LIKE '%sync%' OR name LIKE
--   '%wait%')) process=process
-- covers: rows=compute_kernels+communication_kernels
WITH devices AS (
  SELECT DISTINCT process FROM span_sums('process', 'kind = "device" AND (category LIKE "kernel" OR category = "mtia_ccp_events" AND NOT (name LIKE "%dma%" OR name LIKE "%sync%" OR name LIKE "%wait%"))')
), times AS (
  SELECT d.process, o.*
  FROM devices d JOIN span_overlap(NULL, 'kind = "device" AND (category LIKE "kernel" OR category = "mtia_ccp_events" AND NOT (name LIKE "%dma%" OR name LIKE "%sync%" OR name LIKE "%wait%")) AND process = ?1 AND NOT (' || :communication || ')',
    'kind = "device" AND (category LIKE "kernel" OR category = "mtia_ccp_events" AND NOT (name LIKE "%dma%" OR name LIKE "%sync%" OR name LIKE "%wait%")) AND process = ?1 AND (' || :communication || ')', d.process) o
), told AS (
  SELECT process, coalesce((SELECT value FROM tags WHERE scope = 'process ' || process AND key = 'process_labels' AND value <> '' ORDER BY id DESC LIMIT 1),
    (SELECT value FROM tags WHERE scope = 'process ' || process AND key = 'process_name' AND value <> '' ORDER BY id DESC LIMIT 1), process) AS name
  FROM devices
), named AS (
  SELECT process, CASE WHEN count(*) OVER (PARTITION BY name) > 1 THEN name || ' ' || process ELSE name END AS device FROM told
)
SELECT device, a_ns AS compute, b_ns AS communication, both_ns AS overlap, both_ns * 1.0 / nullif(b_ns, 0) AS share, b_ns - both_ns AS exposed,
  (b_ns - both_ns) * 1.0 / (SELECT nullif(duration_ns, 0) FROM run) AS of_run,
  n_a AS compute_kernels, n_b AS communication_kernels, times.process
FROM times JOIN named ON named.process IS times.process
ORDER BY 1;
