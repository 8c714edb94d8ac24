-- title: Checkpoint time
-- about: Time in the application's checkpoint function: the sum over each process and thread of a host (or whatever by names), of which the largest
--   is the run's. Which grouping a figure has matters: with many threads, by process and by process and thread differ by large factors, so
--   it stands in the result.
-- format: dftracer chrome
-- needs: name=*PyTorchCheckpointing.checkpoint*
-- param name text '*PyTorchCheckpointing.checkpoint*' Name of the function, a GLOB pattern
-- param by text 'host,process,thread' What sums are over: host,process,thread or host,process; without host equal ids of two hosts are one
-- column grouping text What sums are over
-- column groups count How many of them have such a call
-- column calls count
-- column time duration The largest group's sum; missing if there is no call
-- column sum duration Over all groups
-- key: grouping
-- measure: calls (absent is 0), time (absent is 0), sum (absent is 0)
-- sums: none
-- drill: span name~:name
-- covers: count=calls duration=sum
SELECT :by AS grouping, count(*) AS groups, coalesce(sum(n), 0) AS calls, max(dur_sum) AS time, sum(dur_sum) AS sum
FROM span_sums(:by, 'name GLOB ?1', :name) WHERE n > 0;
