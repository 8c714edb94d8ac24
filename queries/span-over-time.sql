-- title: Over time: calls, busy lanes, queue, bandwidth
-- about: What went on in each window of time: calls and their bytes by the window in which they start, busy and waiting lanes on average
--   over the part of the window that lies in the run, or the scope.
--   busy is the time of outermost spans in the window over its length; of lanes whose spans overlap without nesting it is a lower bound. queue is the
--   same of spans that stand for waiting (tasks in the queue of a worker, or of a host). A span's time is divided among all windows that it
--   crosses, so that each column of calls, bytes and time adds up to the run's. Windows without anything have a row, up to 100 000 of them.
-- format: any
-- needs: spans
-- param window duration 0 {0ns..} Length of a window; 0: a round one, so that some hundred cover the run
-- param filter text '' Only spans for which this holds
-- column start time Of the window
-- column length duration Of the window
-- column calls count That start in it
-- column size size Bytes of these
-- column bandwidth rate Bytes by that part of the window
-- column time duration Of outermost spans, the part in the window
-- column busy_lanes real On average
-- column waiting duration Of waiting, the part in the window
-- column queue real Waiting at once, on average
-- key: start
-- measure: calls, size, bandwidth (higher is better), time, busy_lanes, waiting, queue
-- sums: calls, size, time, waiting
-- sort: start
-- plot: line x=start y=busy_lanes
-- drill: timeline start=start duration=length
-- spans: none a window holds parts of spans
WITH RECURSIVE window AS (
  SELECT CASE WHEN :window > 0 THEN :window ELSE round_step((SELECT duration_ns FROM run) / 200) END AS ns,
    CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END AS filter
), started AS (
  SELECT s.start, s.n, s.size_sum FROM window w JOIN span_sums('start(?1)', w.filter || 'kind NOT IN ("aggregate", "annotation", "waiting")', w.ns) s
), ran AS (
  SELECT s.time AS start, s.dur_sum FROM window w JOIN span_sums('time(?1)', w.filter || 'depth = 0 AND kind NOT IN ("aggregate", "annotation", "async", "summary", "waiting")', w.ns) s
), waited AS (
  SELECT s.time AS start, s.dur_sum FROM window w JOIN span_sums('time(?1)', w.filter || 'kind = "waiting"', w.ns) s
), all_starts AS (
  SELECT start FROM started UNION SELECT start FROM ran UNION SELECT start FROM waited
), steps(start) AS (
  SELECT min(start) FROM all_starts UNION ALL SELECT start + ns FROM steps, window WHERE start + ns <= (SELECT max(start) FROM all_starts) LIMIT 100000
), windows AS (
  SELECT start, coalesce(nullif(min(start + ns, range_end()) - max(start, range_start()), 0), ns) AS part
  FROM (SELECT start FROM all_starts UNION SELECT start FROM steps WHERE start IS NOT NULL), window
)
SELECT w.start, ns AS length, coalesce(s.n, 0) AS calls, coalesce(s.size_sum, 0) AS size, CAST(round(coalesce(s.size_sum, 0) * 1e9 / part) AS INTEGER) AS bandwidth,
  coalesce(r.dur_sum, 0) AS time, coalesce(r.dur_sum, 0) * 1.0 / part AS busy_lanes, coalesce(q.dur_sum, 0) AS waiting, coalesce(q.dur_sum, 0) * 1.0 / part AS queue
FROM window JOIN windows w LEFT JOIN started s ON s.start = w.start LEFT JOIN ran r ON r.start = w.start LEFT JOIN waited q ON q.start = w.start
ORDER BY w.start;
