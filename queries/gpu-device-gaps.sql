-- title: Devices: gaps in which all streams were idle
-- about: The longest times between the first and the last work of a device in which none of its streams did anything, one by one, with the work that
--   ended each. What one stream waits for may run on another: gpu-gaps has the gaps of each stream. At most a million pieces of work are looked at.
-- format: chrome/pytorch chrome/tensorflow
-- needs: devices
-- param process text '*' Only the device of this process, a GLOB pattern
-- param rows count 100 How many
-- column process text The device's, in the trace
-- column start time
-- column duration duration
-- column next text Name of the work that begins then
-- column lane text Its stream
-- column lane_id integer
-- sort: -duration, process, start
-- drill: timeline start=start duration=duration lane=lane_id
-- spans: none a gap is where no span is
WITH work AS (
  SELECT process, start, name, lane, lane_name, max(start + duration) OVER (PARTITION BY process ORDER BY start, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM span_page('kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync")', 'start', 0, 1000000)
)
SELECT process, before AS start, start - before AS duration, name AS next, lane_name AS lane, lane AS lane_id
FROM work WHERE start > before AND process GLOB :process
ORDER BY 3 DESC, 1, 2 LIMIT :rows;
