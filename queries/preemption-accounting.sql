-- title: What the job's time went into
-- about: One row: useful, lost and reconfiguring time of a profiled run, from its first reconfiguration to its last recorded loss. A rollback is a recorded
--   step that is not above the one before. What it loses begins with the last recorded step below it and ends with the first reconfiguration
--   that starts at or after the step before it. Wasted is the union of all such ranges and of the reconfigurations, up to
--   the last recorded loss. At most a million steps and reconfigurations are looked at.
-- format: preemption/reconfig preemption/loop_times
-- needs: category=reconfig counters
-- column start time First reconfiguration
-- column elapsed duration
-- column reconfigurations count
-- column reconfig duration Time in them
-- column rollbacks count
-- column lost_time duration Rolled back, outside of reconfigurations
-- column wasted duration
-- column wasted_share real
-- column steps_redone count
-- column loss_rows count Steps recorded
-- column last_step count
-- column steps_per_hour real
-- measure: wasted, wasted_share, lost_time, reconfig, steps_per_hour (higher is better)
-- sums: none
-- drill: preemption-rollbacks
-- spans: category='reconfig'
-- covers: rows=rollbacks
WITH loss_rows AS (
  SELECT id, time, lane_name, json_extract(args, '$.step') AS step FROM counter_page('name = "loss"', 'id', 0, 1000000)
), loss AS (
  SELECT row_number() OVER (ORDER BY time, id) AS i, time, step, lag(step) OVER (ORDER BY time, id) AS before_step, lag(time) OVER (ORDER BY time, id) AS before_time
  FROM loss_rows WHERE lane_name = (SELECT min(lane_name) FROM loss_rows)
), all_reconfigs AS (
  SELECT lane_name, start, duration FROM span_page('category = "reconfig"', 'start', 0, 1000000)
), reconfigs AS (
  SELECT start, duration FROM all_reconfigs WHERE lane_name = (SELECT min(lane_name) FROM all_reconfigs)
), rollbacks AS (
  -- The last step below it is joined: SQLite before 3.29 loses window functions (as of loss) in subqueries that it moves into others.
  SELECT max(e.i), e.time AS start, coalesce((SELECT min(r.start) FROM reconfigs r WHERE r.start >= l.before_time), l.time) AS finish,
    l.before_step - l.step + 1 AS redone
  FROM loss l LEFT JOIN loss e ON e.i < l.i AND e.step < l.step WHERE l.step <= l.before_step GROUP BY l.i
), ended AS (
  SELECT max(time) AS at FROM loss
), within AS (
  SELECT start, min(duration, at - start) AS duration FROM reconfigs, ended WHERE start < at
), ranges AS (
  SELECT start, duration FROM within UNION ALL SELECT start, min(finish, at) - start FROM rollbacks, ended WHERE finish > start
), sums AS (
  SELECT (SELECT min(start) FROM reconfigs) AS start, (SELECT at FROM ended) AS finish, (SELECT count(*) FROM within) AS reconfigurations,
    (SELECT union_ns(start, duration) FROM within) AS reconfig, (SELECT union_ns(start, duration) FROM ranges) AS wasted,
    (SELECT count(*) FROM rollbacks) AS rollbacks, (SELECT sum(redone) FROM rollbacks) AS redone, (SELECT count(*) FROM loss) AS loss_rows,
    (SELECT step FROM loss ORDER BY i DESC LIMIT 1) AS last_step
  LIMIT 1 -- so it is not moved either
)
SELECT start, finish - start AS elapsed, reconfigurations, reconfig, rollbacks, wasted - reconfig AS lost_time, wasted,
  wasted * 1.0 / (finish - start) AS wasted_share, coalesce(redone, 0) AS steps_redone, loss_rows, last_step,
  last_step * 3600e9 / (finish - start) AS steps_per_hour
FROM sums WHERE loss_rows > 0 AND reconfigurations > 0;
