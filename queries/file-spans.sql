-- title: The calls on one file, one by one
-- about: Every call on the files that match, in order of time. A record that stands for many calls is as long as the interval it reports; what it tells of the calls stands in calls and call_*.
-- format: any
-- needs: spans
-- param file text File names without folders, a GLOB pattern: model-1-600-0.pt
-- param rows count 1000 At most so many
-- column start time
-- column duration duration
-- column name text
-- column size size
-- column host text
-- column process text
-- column thread text
-- column path text
-- column calls count
-- column call_sum duration Of a record that stands for many calls: their durations
-- column call_min duration
-- column call_max duration
-- column id integer
-- key: path, name
-- measure: duration
-- sort: start, id
-- drill: timeline span=id start=start duration=duration
-- spans: id=id
-- covers: rows=1 size=size
SELECT start, duration, name, size, host, process, thread, path, calls, call_sum, call_min, call_max, id
FROM span_page('basename GLOB ?1', 'start', 0, :rows, :file)
ORDER BY start, id;
