-- title: Idle time of each lane
-- about: What no span of a lane covers between its first start and its last end: how much, in how many gaps, the longest. Only gaps of at least the
--   given length count. What passes before a lane's first span and after its last one is no gap: it stands in columns of its own. filter is a
--   condition of the filter language: what it leaves out counts as idle. Annotations projected onto a stream, and the queue and
--   the transfers of a worker, are no work of it: they have rows of their own, which are not looked at. Where records stand for many calls, busy is at most, gaps are at least.
-- format: chrome cascade dasf dftracer preemption
-- needs: spans
-- param least duration 0 {0..} Only gaps that are so long
-- param filter text '' Only spans for which this holds
-- param records text 'all' {all, single} single: without the lanes of records that stand for many calls
-- column lane text
-- column kind text
-- column span duration From the first start to the last end
-- column busy duration Covered by spans
-- column idle duration In gaps
-- column share percent Idle part of span
-- column gaps count
-- column max duration
-- column start time Of the longest gap
-- column late duration From the run's begin (in a scope: its range's) to the lane's first span
-- column early duration From the lane's last span to the run's (its range's) end
-- column lane_id integer
-- key: lane, kind
-- measure: span, busy, idle, share, gaps, max, late, early
-- sort: -idle, lane
-- drill: idle-gaps lane_id=lane_id least=:least filter=:filter rows=gaps
-- spans: lane=lane_id [:filter] kind NOT IN ('async','annotation','summary','waiting')
-- covers: rows=gaps duration=idle
SELECT l.name AS lane, l.kind, finish - start AS span, busy, idle, idle * 1.0 / nullif(finish - start, 0) AS share, gaps, longest AS max,
  longest_start AS start, start - range_start() AS late, range_end() - finish AS early, l.id AS lane_id
FROM span_idle(CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END || 'kind NOT IN (' || CASE :records WHEN 'single' THEN '"aggregate", ' ELSE '' END || '"async", "annotation", "summary", "waiting")', :least) i
  JOIN lanes l ON l.id = i.lane
ORDER BY idle DESC, 1;
