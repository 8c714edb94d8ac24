-- title: Sizes by how often they occur
-- about: How many calls moved exactly so many bytes, and how many bytes that makes: the sizes to tune buffers for. Calls that a record sums up are in a row without a size: how large each was is not known.
-- format: dftracer chrome
-- needs: category=POSIX
-- param name text '*' Functions, a GLOB pattern: *write*
-- param path text '*' Paths, a GLOB pattern
-- param file text '*' File names without folders, a GLOB pattern: model*.pt
-- param category text 'POSIX' Category of the calls
-- column size size
-- column count count
-- column sum size Bytes in all
-- column time duration Spent in these calls
-- key: size
-- measure: count, sum, time
-- sort: -count, size
-- plot: histogram x=size y=count
-- drill: span
-- spans: when size: size=size calls=1 category=:category [name~:name] [path~:path] [basename~:file]; calls<>1 size IS NOT NULL category=:category
--   [name~:name] [path~:path] [basename~:file]
-- covers: count=count duration=time size=sum
SELECT size, n AS count, size_sum AS sum, dur_sum AS time
FROM span_sums('size', 'category = ?1 AND size IS NOT NULL' || CASE :name WHEN '*' THEN '' ELSE ' AND name GLOB ?2' END
  || CASE :path WHEN '*' THEN '' ELSE ' AND path GLOB ?3' END
  || CASE :file WHEN '*' THEN '' ELSE ' AND basename GLOB ?4' END, :category, :name, :path, :file)
ORDER BY 2 DESC, 1;
