-- title: Idle gaps, one by one
-- about: The longest times between the first and the last span of a lane that none of its spans covers, with the outermost spans around them.
--   filter is a condition of the filter language: what it leaves out counts as idle. Queues and transfers of a worker, and annotations
--   beside a stream, are rows of their lane, not lanes that could be idle.
-- format: chrome cascade dasf dftracer preemption
-- needs: spans
-- param lane text '*' Only lanes with a name that matches this pattern
-- param lane_id integer -1 Only the lane with this id; -1: all
-- param least duration 1us {0..} Only gaps that are so long
-- param rows count 100 How many
-- param filter text '' Only spans for which this holds
-- column lane text
-- column start time
-- column duration duration
-- column before text The span that ended then; of several the longest
-- column after text The span that begins then; of several the longest
-- column lane_id integer
-- sort: -duration, lane, start
-- drill: timeline start=start duration=duration lane=lane_id
-- spans: none a gap is where no span is
SELECT l.name AS lane, start, duration, before_name AS before, after_name AS after, l.id AS lane_id
FROM span_gaps(CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END || 'lane_name GLOB ?1 AND kind NOT IN ("async", "annotation", "summary", "waiting")'
    || CASE WHEN :lane_id < 0 THEN '' ELSE ' AND lane = ?2' END, :least, :rows, :lane, :lane_id) g
  JOIN lanes l ON l.id = g.lane
ORDER BY 3 DESC, 1, 2;
