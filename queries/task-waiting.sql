-- title: Tasks over time: how many wait, how many run
-- about: In each window of time how many tasks waited in the queue of a worker and how many ran on one, on average and at most, and how many
--   entered the queue, started and finished. Averages are over the part of the window that lies in the run, or the scope. A task waits from when the worker got it, or where that is not recorded (DASF) from the end of the last
--   task that it depends on, until it starts; one that depends on none then waits for nothing. One that never started or finished does so until the
--   end. Windows without any task have a row, up to 100 000 of them.
-- format: cascade dasf
-- needs: tasks
-- param window duration 0 {0ns..} Length of a window; 0: a round one, so that some hundred cover the run
-- param worker text '*' Only of workers like this, a GLOB pattern
-- column start time Of the window
-- column length duration Of the window
-- column queue real
-- column queue_most count
-- column running real
-- column running_most count
-- column queued count
-- column begun count
-- column done count
-- key: start
-- measure: queue, queue_most, running, running_most, queued, begun, done
-- sums: queued, begun, done
-- sort: start
-- plot: line x=start y=queue,running
-- drill: timeline start=start duration=length
-- spans: none a window holds parts of tasks
WITH RECURSIVE window AS (
  SELECT CASE WHEN :window > 0 THEN :window ELSE round_step(duration_ns / 200) END AS ns FROM run
), life AS (
  SELECT coalesce(t.enqueued, (SELECT max(n.finished) FROM dependency d JOIN task n ON n.id = d.from_id WHERE d.to_id = t.id AND d.type = 'task'), t.started) AS queued,
    t.started, t.finished
  FROM tasks t WHERE coalesce(t.worker, '') GLOB :worker
), move(time, waits, runs, queued, begun, done) AS (
  SELECT queued, 1, 0, 1, 0, 0 FROM life
  UNION ALL SELECT max(started, queued), -1, 0, 0, 0, 0 FROM life
  UNION ALL SELECT started, 0, 1, 0, 1, 0 FROM life
  UNION ALL SELECT finished, 0, -1, 0, 0, 1 FROM life
), seen AS ( -- what was before the range is so at its start
  SELECT max(time, range_start()) AS time, waits, runs, queued * (time >= range_start()) AS queued, begun * (time >= range_start()) AS begun, done * (time >= range_start()) AS done
  FROM move WHERE time <= range_end()
), steps(start) AS (
  SELECT min(time) / ns * ns FROM seen, window UNION ALL SELECT start + ns FROM steps, window WHERE start + ns < range_end() LIMIT 100000
), level AS (
  SELECT time, sum(waits) OVER by_time AS waits, sum(runs) OVER by_time AS runs, lead(time, 1, range_end()) OVER (ORDER BY time) - time AS lasts, queued, begun, done
  FROM (SELECT * FROM seen UNION ALL SELECT max(start, range_start()), 0, 0, 0, 0, 0 FROM steps WHERE start IS NOT NULL) WINDOW by_time AS (ORDER BY time)
)
SELECT min(time, range_end() - 1) / ns * ns AS start, ns AS length, sum(waits * lasts) * 1.0 / sum(lasts) AS queue, max(waits) AS queue_most,
  sum(runs * lasts) * 1.0 / sum(lasts) AS running, max(runs) AS running_most, sum(queued) AS queued, sum(begun) AS begun, sum(done) AS done
FROM level, window GROUP BY 1 ORDER BY 1;
