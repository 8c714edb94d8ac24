-- title: Figures of a job's profile
-- about: One row for each figure that a simulation takes from a profiled run, by world size where it depends on it: the mean time of a reconfiguration
--   (without the first, the start-up), of an iteration, of writing and of loading a checkpoint. Rank 0 measures for all unless another is
--   named; only the first rank of a stage writes checkpoints, the others' times of that mean nothing. Loading lies inside of the reconfiguration.
-- format: preemption/reconfig preemption/loop_times
-- needs: category=loop|category=reconfig|trials
-- param rank integer 0 {0..} Rank whose measurements are used
-- column figure text reconfiguration, iteration, checkpoint or load
-- column world_size integer Of iterations
-- column count count Measurements
-- column mean duration
-- column seconds integer The mean, rounded to seconds
-- column min duration
-- column median duration
-- column max duration
-- column lane_id integer
-- column first time The first reconfiguration, which is the job's start: what began later counts
-- key: figure, world_size
-- measure: mean
-- sums: none
-- drill: row
-- covers: count=count
-- spans: when figure='iteration': category='loop' process=:rank arg.world_size=world_size; when figure='reconfiguration': category='reconfig' lane=lane_id start>first; none
--   the profile has times of checkpoints as samples
WITH all_reconfigs AS (
  SELECT lane, lane_name, json_extract(args, '$.elapsed_s') AS elapsed, row_number() OVER of_lane AS i, first_value(start) OVER of_lane AS first
  FROM span_page('category = "reconfig"', 'start', 0, 1000000) WINDOW of_lane AS (PARTITION BY lane_name ORDER BY start)
), measured AS (
  SELECT 1 AS place, 'reconfiguration' AS figure, NULL AS world_size, elapsed AS x, 1 AS n, lane, first
  FROM all_reconfigs WHERE i > 1 AND lane_name = (SELECT min(lane_name) FROM all_reconfigs)
  UNION ALL SELECT 2, 'iteration', arg1, arg2, rows, NULL, NULL FROM span_sums('arg.world_size,arg.train_s', 'category = "loop" AND process = ?1', :rank)
  UNION ALL SELECT 3 + (s.name = 'load_times.elapsed_s'), CASE s.name WHEN 'load_times.elapsed_s' THEN 'load' ELSE 'checkpoint' END, NULL, v.value, 1, NULL, NULL
  FROM trials t JOIN samples s ON s.trial = t.id JOIN sample_value v ON v.sample = s.id
  WHERE t.name = 'rank ' || :rank AND s.name IN ('async-checkpoint.elapsed_s', 'load_times.elapsed_s')
)
SELECT figure, world_size, sum(n) AS count, sum_in_order(x * n, x) / sum(n) * 1e9 AS mean, CAST(round(sum_in_order(x * n, x) / sum(n)) AS INTEGER) AS seconds, min(x) * 1e9 AS min,
  weighted_quantile(x, n, 0.5) * 1e9 AS median, max(x) * 1e9 AS max, max(lane) AS lane_id, max(first) AS first
FROM measured GROUP BY place, world_size ORDER BY place, world_size;
