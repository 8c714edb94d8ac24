-- title: Tasks that lack a stage
-- about: Tasks whose trace breaks off: what is missing, and how far they came. A run that crashed has them; so has a log that was cut.
-- format: cascade
-- needs: tasks
-- column task text
-- column worker text
-- column kind text
-- column missing_stages text Stages without a mark
-- column last time Time of the last mark that there is
-- key: task, worker
-- sort: task, worker
-- drill: task-times task=task worker=worker
-- spans: name=task [lane_name=worker]
-- covers: rows=1
WITH generation AS (
  SELECT coalesce((SELECT value FROM tags WHERE key = 'generation' AND scope IS NULL), '1') AS g
), found AS (
  SELECT name AS task, worker, kind,
    CASE WHEN planned IS NULL THEN ' planned' ELSE '' END || CASE WHEN enqueued IS NULL THEN ' enqueued' ELSE '' END ||
    CASE WHEN started IS NULL THEN ' started' ELSE '' END || CASE WHEN g <> '1' AND loaded IS NULL THEN ' loaded' ELSE '' END ||
    CASE WHEN g = '3' AND computed IS NULL THEN ' computed' ELSE '' END ||
    CASE WHEN g = '3' AND published IS NULL THEN ' published' ELSE '' END ||
    CASE WHEN g <> '3' AND finished IS NULL THEN ' finished' ELSE '' END ||
    CASE WHEN g = '3' AND completed IS NULL THEN ' completed' ELSE '' END AS missing,
    nullif(max(coalesce(planned, -1), coalesce(enqueued, -1), coalesce(started, -1), coalesce(loaded, -1), coalesce(computed, -1),
      coalesce(published, -1), coalesce(finished, -1), coalesce(completed, -1)), -1) AS last
  FROM tasks, generation
)
SELECT task, worker, kind, ltrim(missing) AS missing_stages, last FROM found WHERE missing <> '' ORDER BY 1, 2;
