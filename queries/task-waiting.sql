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
WITH window AS (
  SELECT CASE WHEN :window > 0 THEN :window ELSE round_step(duration_ns / 200) END AS ns FROM run
)
SELECT start, ns AS length, queue_time * 1.0 / lasts AS queue, queue_most, run_time * 1.0 / lasts AS running, running_most, queued, begun, done
FROM window CROSS JOIN task_levels(ns, :worker)
ORDER BY start;
