-- title: Rollbacks of the job
-- about: One row for each time that the recorded step did not go on: from which step to which, and what was lost. Lost time begins with the last recorded
--   step below the one gone back to and ends with the first reconfiguration that starts at or after the step before.
-- format: preemption/reconfig preemption/loop_times
-- needs: category=reconfig counters
-- column at time The first step after it
-- column from_step count
-- column to_step count
-- column start time Lost from here
-- column finish time to here
-- column lost_time duration Of rollbacks that overlap in both: see preemption-accounting for all
-- key: at
-- measure: lost_time (absent is 0)
-- sums: none
-- sort: at
-- drill: timeline start=start finish=finish
-- spans: none a rollback is between two steps
WITH loss_rows AS (
  SELECT id, time, lane_name, json_extract(args, '$.step') AS step FROM counter_page('name = "loss"', 'id', 0, 1000000)
), loss AS (
  SELECT row_number() OVER (ORDER BY time, id) AS i, time, step, lag(step) OVER (ORDER BY time, id) AS before_step, lag(time) OVER (ORDER BY time, id) AS before_time
  FROM loss_rows WHERE lane_name = (SELECT min(lane_name) FROM loss_rows)
), all_reconfigs AS (
  SELECT lane_name, start FROM span_page('category = "reconfig"', 'start', 0, 1000000)
), reconfigs AS (
  SELECT start FROM all_reconfigs WHERE lane_name = (SELECT min(lane_name) FROM all_reconfigs)
), rollbacks AS (
  -- The last step below it is joined: SQLite before 3.29 loses window functions (as of loss) in subqueries that it moves into others.
  SELECT l.time, l.before_step, l.step, max(e.i), e.time AS start,
    coalesce((SELECT min(r.start) FROM reconfigs r WHERE r.start >= l.before_time), l.time) AS finish
  FROM loss l LEFT JOIN loss e ON e.i < l.i AND e.step < l.step WHERE l.step <= l.before_step GROUP BY l.i
)
SELECT time AS at, before_step AS from_step, step AS to_step, start, finish, max(finish - start, 0) AS lost_time FROM rollbacks ORDER BY time;
