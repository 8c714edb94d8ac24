-- title: Idle time of each lane
-- about: What no span of a lane covers between its first start and its last end: how much, in how many gaps, the longest. Only gaps of at least the
--   given length count. filter is a condition of the filter language: what it leaves out counts as idle.
-- format: chrome cascade dasf
-- param least duration 0 Only gaps that are so long
-- param filter text '' Only spans for which this holds
-- column lane text
-- column kind text
-- column span duration From the first start to the last end
-- column busy duration Covered by spans
-- column idle duration In gaps
-- column share percent Idle part of span
-- column gaps count
-- column longest duration
-- column start time Of the longest gap
-- key: lane, kind
-- measure: span, busy, idle, share, gaps, longest
-- sort: -idle, lane
-- drill: idle-gaps lane=lane
WITH covered AS (
  SELECT lane, start_min AS start, finish_max AS finish,
    max(finish_max) OVER (PARTITION BY lane ORDER BY start_min ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM span_sums('lane,start(1)', CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END || 'kind NOT IN ("async", "aggregate")')
), gaps AS (
  SELECT lane, min(start) AS first, max(finish) AS last, sum(max(0, start - coalesce(before, start))) AS uncovered,
    sum(CASE WHEN start - before >= max(:least, 1) THEN start - before ELSE 0 END) AS idle, sum(start - before >= max(:least, 1)) AS gaps,
    max(start - before) AS longest
  FROM covered GROUP BY lane
)
SELECT l.name AS lane, l.kind, last - first AS span, last - first - uncovered AS busy, idle, idle * 1.0 / nullif(last - first, 0) AS share,
  coalesce(gaps, 0) AS gaps, CASE WHEN gaps > 0 THEN longest END AS longest,
  CASE WHEN gaps > 0 THEN (SELECT min(before) FROM covered WHERE covered.lane = gaps.lane AND covered.start - before = longest) END AS start
FROM gaps JOIN lanes l ON l.id = gaps.lane
ORDER BY idle DESC, 1;
