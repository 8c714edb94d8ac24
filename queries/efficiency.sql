-- title: Parallel efficiency
-- about: How much of lanes x makespan was useful, and what became of the rest, as POP has it: load_balance is the mean of the lanes' useful
--   time over the largest; communication_efficiency is the largest over the makespan (what even the busiest lane lost to waiting, transfers and what
--   does not count); efficiency, their product, is the mean over the makespan. Useful is the time that spans of a lane cover which the
--   filter keeps; of tasks, while they ran. Lanes on which nothing useful ran do not count.
-- format: chrome cascade dasf dftracer
-- needs: spans
-- param filter text '' Only spans for which this holds are useful
-- column lanes count On which something useful ran
-- column makespan duration From the first planned time, or start, to the last end
-- column useful duration Sum over lanes
-- column mean duration Useful time of a lane
-- column max duration Of the lane with the most
-- column load_balance percent mean / max
-- column communication_efficiency percent max / makespan
-- column efficiency percent Their product, mean / makespan
-- measure: lanes, makespan, useful, mean, max, load_balance, communication_efficiency, efficiency
-- sums: none
-- drill: idle-by-lane filter=:filter records='single'
-- covers: rows=lanes busy=useful
-- spans: [:filter] kind NOT IN ('aggregate','annotation','async','summary','waiting')
SELECT count(*) AS lanes, m.duration AS makespan, sum(busy) AS useful, avg(busy) AS mean, max(busy) AS max,
  avg(busy) / nullif(max(busy), 0) AS load_balance, max(busy) * 1.0 / nullif(m.duration, 0) AS communication_efficiency,
  avg(busy) / nullif(m.duration, 0) AS efficiency
FROM span_idle(CASE WHEN trim(:filter) = '' THEN '' ELSE '(' || :filter || ') AND ' END ||
    'kind NOT IN ("aggregate", "annotation", "async", "summary", "waiting")', 0) i
  JOIN makespan m
GROUP BY m.duration;
