-- title: The critical path of a build
-- about: The actions that Bazel says decided how long the build took, in order, with target and mnemonic where the profile records them for the action of that
--   name. wait is the time since the one before was done. Rows without a share are the rest of the build: in each of its phases the time in which no action
--   of the path ran. of_run of all rows adds up to the run, where the path's actions do not overlap.
-- format: chrome/bazel
-- needs: category='critical path component'
-- column start time
-- column time duration
-- column share percent Of the path; none: not on the path
-- column of_run percent Of the run's duration
-- column wait duration
-- column action text
-- column target text
-- column mnemonic text
-- column id integer
-- key: action
-- measure: time, share, of_run, wait
-- sort: start, time, action
-- drill: timeline span=id start=start duration=time
-- covers: duration=time
-- spans: when share: id=id; none no action of the path ran then
WITH path AS (
  SELECT id, start, finish, inside AS time,
    CASE WHEN name GLOB 'action ''*''' THEN substr(name, 9, length(name) - 9) ELSE name END AS action
  FROM span_page('category = "critical path component"', 'start', 0, 1000000)
), actions AS (
  SELECT name, max(arg1) AS target, max(arg2) AS mnemonic
  FROM span_sums('name,arg.target,arg.mnemonic', 'category IN ("action processing", "complete action execution") AND arg.target IS NOT NULL') GROUP BY name
), marks AS (
  SELECT start_min AS start, name FROM span_sums('name,start(1)', 'category = "build phase marker"') WHERE n > 0
  UNION ALL SELECT start_min, name FROM event_sums('name,start(1)', 'category = "build phase marker"') WHERE n > 0
  UNION ALL SELECT range_start(), NULL
), phases AS (
  SELECT name, start, lead(start, 1, range_end()) OVER (ORDER BY start, name IS NOT NULL, name) AS finish FROM marks
), rests AS (
  SELECT f.name, f.start, f.finish - f.start - coalesce((SELECT union_ns(max(p.start, f.start), min(p.finish, f.finish) - max(p.start, f.start)) FROM path p
    WHERE p.start < f.finish AND p.finish > f.start), 0) AS time
  FROM phases f WHERE f.finish > f.start AND EXISTS (SELECT 1 FROM path)
), rows AS (
  SELECT start, time, time * 1.0 / sum(time) OVER () AS share, start - lag(finish) OVER (ORDER BY start, finish, action) AS wait, action, target, mnemonic, 0 AS is_rest, finish, id
  FROM path LEFT JOIN actions ON actions.name = path.action
  UNION ALL SELECT start, time, NULL, NULL, 'not on the path' || coalesce(': ' || name, ''), NULL, NULL, 1, start, NULL FROM rests WHERE time > 0
)
SELECT start, time, share, time * 1.0 / (SELECT nullif(duration_ns, 0) FROM run) AS of_run, wait, action, target, mnemonic, id
FROM rows
ORDER BY start, is_rest, finish, action;
