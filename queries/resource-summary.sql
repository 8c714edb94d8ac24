-- title: Resources of hosts: range and mean of each counter
-- about: What the resource samples of each host say: processor and memory of the process, network and disks of the host, the GPU where
--   there is one. Rates are bytes a second.
-- format: dasf
-- needs: counters lane=resources*
-- column host text
-- column counter text
-- column samples count
-- column mean real
-- column min real
-- column max real
-- column std real
-- key: host, counter
-- measure: mean, min, max
-- sort: host, counter
-- drill: resource-times counter=counter host=host
-- spans: none a counter's samples are no spans
-- covers: samples=samples
SELECT host, name AS counter, value_n AS samples, value_sum / value_n AS mean, value_min AS min, value_max AS max,
  value_std AS std
FROM counter_sums('host,name', 'lane_name LIKE "resources%"')
WHERE value_n > 0
ORDER BY 1, 2;
