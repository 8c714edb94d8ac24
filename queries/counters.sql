-- title: Counters: range and mean of each
-- about: Every counter of the run with how often it was sampled, and its values.
-- format: any
-- needs: counters
-- column name text
-- column samples count
-- column min real
-- column mean real
-- column max real
-- key: name
-- measure: samples, min, mean, max
-- sort: name
-- drill: counter-times name=name
SELECT name, value_n AS samples, value_min AS min, value_sum / value_n AS mean, value_max AS max
FROM counter_sums('name', '')
WHERE value_n > 0
ORDER BY name;
