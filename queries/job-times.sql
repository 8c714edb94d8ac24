-- title: What a simulated job's time went into
-- about: One row for each state of the job: useful (iterations that counted), lost (iterations rolled back), reconfiguring, idle (too few
--   instances for a pipeline) and pending (begun and not decided when the simulation ended), with its share of the whole time.
-- format: preemption/simulated
-- needs: category=job
-- column state text
-- column time duration
-- column share percent Of the run
-- column n count
-- key: state
-- measure: time, share
-- sort: -time
-- drill: span name=state lane_name='job'
-- covers: duration=time count=n
SELECT name AS state, dur_sum AS time, 1.0 * dur_sum / nullif((SELECT duration_ns FROM run), 0) AS share, n
FROM span_sums('name', 'lane_name = "job" AND category = "job"') ORDER BY time DESC, 1;
