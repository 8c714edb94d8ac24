-- title: Lives of instances
-- about: One row for each named instance: how often it came, and how long it was there. One that never left counts until the end of the trace.
--   States that follow each other (booting, standby, active) are one life. The pool is the run's only one where an instance names none.
-- format: preemption/events preemption/jsonl preemption/simulated
-- needs: category=instance
-- scans: a life is made of the states that follow each other, which no sum by group tells
-- column pool text
-- column instance text
-- column lives count
-- column first time
-- column last time When it left for the last time
-- column time duration Sum
-- column mean duration
-- column max duration
-- column host text The pool that the instance itself names; empty where it names none
-- key: pool, instance
-- measure: time (higher is better), mean (higher is better)
-- sort: first, instance
-- drill: span lane_name=instance category='instance' [host=host]
-- covers: duration=time
WITH states AS (
  SELECT lane, host, lane_name, start, finish, inside, id,
    lag(finish) OVER of_lane IS NOT start OR lag(name) OVER of_lane IS name AS begins
  FROM (SELECT lane, host, lane_name, start, finish, inside, id, name FROM span WHERE category = 'instance')
  WINDOW of_lane AS (PARTITION BY lane ORDER BY start, id)
), numbered AS (
  SELECT lane, host, lane_name, start, finish, inside, sum(begins) OVER (PARTITION BY lane ORDER BY start, id) AS nr FROM states
), lives AS (
  SELECT lane, host, lane_name, min(start) AS start, max(finish) AS finish, sum(inside) AS inside FROM numbered GROUP BY lane, nr
)
SELECT coalesce(host, (SELECT CASE count(DISTINCT pool) WHEN 1 THEN min(pool) END FROM capacities)) AS pool, lane_name AS instance, count(*) AS lives,
  min(start) AS first, max(finish) AS last, sum(inside) AS time, avg(finish - start) AS mean, max(finish - start) AS max, host
FROM lives GROUP BY lane ORDER BY 4, 2;
