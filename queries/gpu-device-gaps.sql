-- title: Devices: gaps in which all streams were idle
-- about: The longest times between the first and the last work of a device in which none of its streams did anything, one by one, with the work that
--   ended each. What one stream waits for may run on another: gpu-gaps has the gaps of each stream.
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
SELECT l.process, start, duration, after_name AS next, l.name AS lane, l.id AS lane_id
FROM span_gaps_within('process', 'kind = "device" AND category NOT IN ("gpu_user_annotation", "cuda_sync") AND process GLOB ?1', 0, min(:rows, 10000000), :process) g
  JOIN lanes l ON l.id = g.after_lane
ORDER BY 3 DESC, 1, 2;
