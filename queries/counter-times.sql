-- title: Counters over time
-- about: Mean, smallest and largest value of each counter in each window of time in which it was sampled.
-- format: any
-- needs: counters
-- param window duration 1s {1ns..} Length of a window
-- param name text '*' Only counters with a name that matches this pattern
-- column start time Of the window
-- column lane text
-- column name text
-- column samples count
-- column min real
-- column mean real
-- column max real
-- key: name, lane, start
-- measure: mean, min, max
-- sort: name, lane, start
-- drill: timeline start=start lane_name=lane
SELECT start, lane_name AS lane, name, value_n AS samples, value_min AS min, value_sum / value_n AS mean, value_max AS max
FROM counter_sums('start(?1),lane_name,name', 'name GLOB ?2', :window, :name) WHERE value_n > 0
ORDER BY 3, 2, 1;
