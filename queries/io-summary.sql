-- title: Overlap of input and output with computing
-- about: How long the run computed, did input and output, and application-level input and output, and how much of each was hidden behind
--   computing. Three conditions of the filter language say what is what; what computes is not I/O, and what is I/O is not application I/O.
--   Calls are charged to the window in which they start and are not cut at its end, so a figure may exceed the run's duration. The exact method takes in each
--   window the union of all threads' intervals. The approximate one sums each thread's time in each window and takes the
--   largest of all threads, separately for each of the three, as DLPAnalyzer does.
-- format: dftracer chrome
-- param window duration 30s {1ns..} Length of a window
-- param method text 'exact' {exact, approximate, both} How the overlap is found
-- param compute text 'name GLOB "*compute*"' What computing is
-- param io text 'category = "POSIX"' What input and output is
-- param app_io text 'category GLOB "*reader*" OR category GLOB "*checkpoint*"' What application-level input and output is
-- column method text
-- column total duration The run's makespan: from the first start to the last end
-- column io duration
-- column compute duration
-- column app_io duration
-- column unoverlapped_io duration I/O that is not hidden behind computing
-- column unoverlapped_compute duration
-- column unoverlapped_app_io duration
-- column unoverlapped_app_compute duration
-- column nodes count Different hosts
-- column processes count Different process ids of a host
-- column threads_compute count Different threads that compute
-- column threads_io count Different threads that do I/O
-- column events count Records that are spans or instants
-- column files count Different paths
-- key: method
-- measure: total, io, compute, app_io, unoverlapped_io, unoverlapped_compute, unoverlapped_app_io, unoverlapped_app_compute
-- sums: none
-- drill: span :compute OR :io OR :app_io
WITH conditions AS (
  SELECT '(' || :compute || ')' AS compute, 'NOT (' || :compute || ') AND (' || :io || ')' AS io,
    'NOT (' || :compute || ') AND NOT (' || :io || ') AND (' || :app_io || ')' AS app_io
), times AS (
  SELECT 'exact' AS method, sum(a_ns) AS io, sum(b_ns) AS compute, NULL AS app_io, sum(a_ns - both_ns) AS unoverlapped_io,
    sum(b_ns - both_ns) AS unoverlapped_compute, NULL AS unoverlapped_app_io, NULL AS unoverlapped_app_compute
  FROM conditions JOIN span_overlap(:window, io, compute) WHERE :method IN ('exact', 'both')
  UNION ALL
  SELECT 'exact', NULL, NULL, sum(a_ns), NULL, NULL, sum(a_ns - both_ns), sum(b_ns - both_ns)
  FROM conditions JOIN span_overlap(:window, app_io, compute) WHERE :method IN ('exact', 'both')
  UNION ALL
  SELECT 'approximate', sum(i), sum(c), sum(a), sum(max(0, i - c)), sum(max(0, c - i)), sum(max(0, a - c)), sum(max(0, c - a))
  FROM (
    SELECT max(i) AS i, max(c) AS c, max(a) AS a
    FROM (
      SELECT start, dur_sum AS i, 0 AS c, 0 AS a FROM conditions JOIN span_sums('start(?1),host,process,thread', io, :window)
        WHERE :method IN ('approximate', 'both')
      UNION ALL
      SELECT start, 0, dur_sum, 0 FROM conditions JOIN span_sums('start(?1),host,process,thread', compute, :window)
        WHERE :method IN ('approximate', 'both')
      UNION ALL
      SELECT start, 0, 0, dur_sum FROM conditions JOIN span_sums('start(?1),host,process,thread', app_io, :window)
        WHERE :method IN ('approximate', 'both')
    )
    GROUP BY start
  )
), by_method AS (
  SELECT method, coalesce(sum(io), 0) AS io, coalesce(sum(compute), 0) AS compute, coalesce(sum(app_io), 0) AS app_io,
    coalesce(sum(unoverlapped_io), 0) AS unoverlapped_io, coalesce(sum(unoverlapped_compute), 0) AS unoverlapped_compute,
    coalesce(sum(unoverlapped_app_io), 0) AS unoverlapped_app_io, coalesce(sum(unoverlapped_app_compute), 0) AS unoverlapped_app_compute
  FROM times WHERE :method IN (method, 'both') GROUP BY method
)
SELECT method, (SELECT duration FROM makespan) AS total, io, compute, app_io, unoverlapped_io, unoverlapped_compute,
  unoverlapped_app_io, unoverlapped_app_compute,
  (SELECT count(DISTINCT host) FROM lane) AS nodes, (SELECT count(*) FROM (SELECT DISTINCT host, process FROM lane WHERE process IS NOT NULL)) AS processes,
  (SELECT count(*) FROM conditions JOIN span_sums('host,process,thread', compute) WHERE n > 0) AS threads_compute,
  (SELECT count(*) FROM conditions JOIN span_sums('host,process,thread', io) WHERE n > 0) AS threads_io,
  (SELECT spans + events FROM run) AS events, (SELECT count(path) FROM span_sums('path', 'path IS NOT NULL')) AS files
FROM by_method
ORDER BY method DESC;
