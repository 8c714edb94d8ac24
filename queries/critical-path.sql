-- title: The critical path of a build
-- about: The actions that Bazel says decided how long the build took, in order, with target and mnemonic where the profile records them for the action of that
--   name. wait is the time since the one before was done.
-- format: chrome/bazel
-- needs: category='critical path component'
-- column start time
-- column time duration
-- column share percent Of the path
-- column wait duration
-- column action text
-- column target text
-- column mnemonic text
-- key: action
-- measure: time, share, wait
-- sort: start, time, action
-- drill: timeline start=start duration=time
WITH path AS (
  SELECT start_min AS start, finish_max AS finish, dur_sum AS time,
    CASE WHEN name GLOB 'action ''*''' THEN substr(name, 9, length(name) - 9) ELSE name END AS action
  FROM span_sums('name,start(1)', 'category = "critical path component"')
), actions AS (
  SELECT name, max(arg1) AS target, max(arg2) AS mnemonic
  FROM span_sums('name,arg.target,arg.mnemonic', 'category IN ("action processing", "complete action execution") AND arg.target IS NOT NULL') GROUP BY name
)
SELECT start, time, time * 1.0 / sum(time) OVER () AS share, start - lag(finish) OVER (ORDER BY start, finish, action) AS wait, action, target, mnemonic
FROM path LEFT JOIN actions ON actions.name = path.action
ORDER BY start, finish, action;
