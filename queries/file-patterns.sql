-- title: Kinds of files
-- about: Files by their names without numbers (layer-3-1-600.pt and layer-4-1-600.pt are both layer.pt): bytes and time of the process that
--   spent most on that kind (or of whatever by names), and of all.
-- format: dftracer chrome
-- needs: category=POSIX
-- param path text '*' Paths, a GLOB pattern
-- param remove text '[\d\-]+' What is cut out of names, a regular expression
-- param category text 'POSIX' Category of the calls
-- param by text 'host,process' What sums are over: host,process or host,process,thread; without host equal ids of two hosts are one
-- column pattern text
-- column calls count
-- column size size The largest sum of one group
-- column time duration The largest sum of one group
-- column size_sum size Over all groups
-- column sum duration Over all groups
-- column grouping text What sums are over
-- key: pattern
-- measure: calls, size (absent is 0), time (absent is 0), size_sum, sum
-- sums: calls, size_sum, sum
-- sort: pattern
-- drill: file-calls pattern=pattern remove=:remove category=:category path=:path
-- spans: none a row stands for files whose names differ by what was cut out
-- covers: calls=calls size=size_sum time=sum
SELECT pattern, sum(n) AS calls, max(coalesce(size_sum, 0)) AS size, max(dur_sum) AS time, coalesce(sum(size_sum), 0) AS size_sum,
  sum(dur_sum) AS sum, :by AS grouping
FROM span_sums('pattern(?3),' || :by, 'category = ?1 AND path GLOB ?2', :category, :path, :remove)
GROUP BY pattern
ORDER BY pattern;
