-- title: Resources of hosts over time
-- about: Each counter of each host in steps of time. Steps without samples have no row.
-- format: dasf
-- needs: counters lane=resources*
-- param window duration 1s {1ns..} Length of a step
-- param counter text '*' Only counters like this, a GLOB pattern (cpu, memory, gpu_utilization, host_net_io.read_bps, ...)
-- param host text '*' Only hosts like this, a GLOB pattern
-- column start time
-- column host text
-- column counter text
-- column samples count
-- column mean real
-- column min real
-- column max real
-- key: start, host, counter
-- measure: mean, min, max
-- sort: start, host, counter
-- plot: line x=start y=mean
-- drill: timeline start=start duration=:window
-- spans: none a counter's samples are no spans
SELECT start, host, name AS counter, value_n AS samples, value_sum / value_n AS mean, value_min AS min, value_max AS max
FROM counter_sums('start(?1),host,name', 'lane_name LIKE "resources%" AND name GLOB ?2 AND host GLOB ?3', :window, :counter, :host)
WHERE value_n > 0
ORDER BY 1, 2, 3;
