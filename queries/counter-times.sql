-- title: Counters over time
-- about: Mean, smallest and largest value of each counter in each window of time in which it was sampled.
-- format: any
-- needs: counters
-- param window duration 1s {1ns..} Length of a window
-- param name text '*' Only counters with a name that matches this pattern
-- param host text '*' Only of hosts that match this pattern
-- param process text '*' Only of processes that match this pattern
-- column start time Of the window
-- column host text
-- column lane text
-- column name text
-- column samples count
-- column min real
-- column mean real
-- column max real
-- column lane_id integer
-- key: name, host, lane, start
-- measure: mean, min, max
-- sort: name, host, lane, start
-- plot: line x=start y=mean
-- drill: timeline start=start duration=:window lane=lane_id
-- spans: none a counter's samples are no spans
SELECT start, l.host, l.name AS lane, c.name, value_n AS samples, value_min AS min, value_sum / value_n AS mean, value_max AS max, l.id AS lane_id
FROM counter_sums('start(?1),lane,name', 'name GLOB ?2' || CASE :host WHEN '*' THEN '' ELSE ' AND host GLOB ?3' END || CASE :process WHEN '*' THEN '' ELSE ' AND process GLOB ?4' END,
    :window, :name, :host, :process) c JOIN lanes l ON l.id = c.lane
WHERE value_n > 0
ORDER BY 4, 2, 3, 1;
