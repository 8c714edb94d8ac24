-- title: Microtraces
-- about: Durations that the program measured itself and logged without a time of their own (generation 3): how often, how long in all and
--   on average, by kind.
-- format: cascade
-- needs: counters
-- column kind text
-- column count count
-- column sum duration
-- column mean duration
-- column min duration
-- column max duration
-- key: kind
-- measure: sum, mean, max
-- sort: -sum, kind
-- drill: counter-times name=kind
-- spans: none the program logged how long they took, not when
-- covers: samples=count
SELECT name AS kind, value_n AS count, CAST(value_sum AS INTEGER) AS sum, value_sum / value_n AS mean, CAST(value_min AS INTEGER) AS min,
  CAST(value_max AS INTEGER) AS max
FROM counter_sums('name', '')
WHERE value_n > 0
ORDER BY value_sum DESC, name;
