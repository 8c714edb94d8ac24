-- title: What the controller did
-- about: One row. Iterations are counted from the controller's reports (generation 2) or its wait phases (generation 3). Generation 1 records
--   neither: there, iterations are estimated as bursts of planned marks, a new one beginning where a task finished since the mark before
--   (on thirty simulated runs where the truth is known within 8 %, always low), and events are finished tasks and finished transfers; iterations_from says
--   which. In generation 1 a finished remote transfer may not have reached the controller.
-- format: cascade
-- column iterations count
-- column iterations_from text reports, wait phases, or bursts of planned marks (an estimate)
-- column events count Tasks computed and transfers finished
-- column events_per_iteration real
-- column events_tasks count
-- column events_local count Generation 1: finished local transfers
-- column events_remote count Transfers reported (generation 1: finished remote ones)
-- column events_redundant count Generation 1: finished redundant transfers
-- column act duration Time spent deciding and sending (generation 3: assign, plan, flush, act)
-- column wait duration Time spent waiting for events
-- column busy_wait duration Generation 2: sum over waits of busy workers times the wait
-- column actions_transmit count Generation 2: transfers ordered
-- column actions_submit count Generation 2: tasks ordered
-- column total duration The run's duration
-- measure: iterations, events, act, wait, busy_wait, total
-- drill: row
-- spans: none figures of the controller's reports and phases
WITH run_facts AS (
  SELECT duration_ns, coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g FROM run
), reports AS (
  SELECT sum(rows) AS n, sum(rows * arg1) AS act, sum(rows * arg2) AS wait, sum(rows * arg2 * arg3) AS busy_wait
  FROM event_sums('arg.actDuration,arg.waitDuration,arg.busyWorkers', 'category = "controller"')
), ordered AS (
  SELECT sum(rows * arg1) AS transmit, sum(rows * arg2) AS submit, sum(rows * arg3) AS transmitted, sum(rows * arg4) AS computed
  FROM event_sums('arg.actionsTransmit,arg.actionsSubmit,arg.eventsTransmited,arg.eventsComputed', 'category = "controller"')
), phases AS (
  SELECT sum(CASE WHEN name = 'wait' THEN n END) AS n, sum(CASE WHEN name IN ('assign', 'plan', 'flush', 'act') THEN dur_sum END) AS act,
    sum(CASE WHEN name = 'wait' THEN dur_sum END) AS wait
  FROM span_sums('name', 'category = "controller"')
), marks AS (
  SELECT planned AS at, 0 AS finished FROM task WHERE planned IS NOT NULL
  UNION ALL SELECT planned, 0 FROM transfer WHERE planned IS NOT NULL
  UNION ALL SELECT finished, 1 FROM task WHERE finished IS NOT NULL
), bursts AS (
  SELECT count(*) AS n FROM (SELECT finished, lag(finished, 1, 1) OVER (ORDER BY at, finished DESC) AS before FROM marks)
  WHERE finished = 0 AND before = 1
), done AS (
  SELECT (SELECT count(coalesce(finished, completed)) FROM task) AS tasks,
    count(CASE WHEN mode = 'local' THEN finished END) AS local,
    count(CASE WHEN mode = 'remote' THEN coalesce(finished, completed) END) AS remote,
    count(CASE WHEN mode = 'redundant' THEN finished END) AS redundant
  FROM transfers
), facts AS (
  SELECT g, duration_ns,
    CASE g WHEN '1' THEN bursts.n WHEN '2' THEN reports.n ELSE phases.n END AS iterations,
    CASE g WHEN '1' THEN 'bursts of planned marks (an estimate)' WHEN '2' THEN 'reports' ELSE 'wait phases' END AS iterations_from,
    CASE g WHEN '2' THEN computed ELSE done.tasks END AS tasks,
    CASE g WHEN '1' THEN done.local END AS local,
    CASE g WHEN '2' THEN transmitted ELSE done.remote END AS remote,
    CASE g WHEN '1' THEN done.redundant END AS redundant,
    CASE g WHEN '2' THEN reports.act WHEN '3' THEN phases.act END AS act,
    CASE g WHEN '2' THEN reports.wait WHEN '3' THEN phases.wait END AS wait,
    busy_wait, transmit, submit
  FROM run_facts, reports, ordered, phases, bursts, done
)
SELECT coalesce(iterations, 0) AS iterations, iterations_from, tasks + coalesce(local, 0) + remote + coalesce(redundant, 0) AS events,
  (tasks + coalesce(local, 0) + remote + coalesce(redundant, 0)) * 1.0 / nullif(iterations, 0) AS events_per_iteration,
  tasks AS events_tasks, local AS events_local, remote AS events_remote, redundant AS events_redundant, act, wait, busy_wait,
  transmit AS actions_transmit, submit AS actions_submit, duration_ns AS total
FROM facts;
