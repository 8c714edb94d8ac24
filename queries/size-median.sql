-- title: Median size by function
-- about: The median of the bytes that one call of each function moved; exact, over all calls that moved any. Empty where records sum calls up: these have no distribution.
-- format: dftracer chrome
-- needs: category=POSIX
-- param path text '*' Paths, a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- column name text
-- column count count Calls that moved bytes
-- column summed count Calls known by their sums alone: no distribution
-- column median size
-- key: name
-- measure: count, median
-- sort: name
-- drill: size-counts name=name category=:category path=:path
-- spans: name=name category=:category size IS NOT NULL [path~:path]
-- covers: count=count
SELECT name, size_n AS count, nullif(summed, 0) AS summed, size_p50 AS median
FROM span_sums('name', CASE :path WHEN '*' THEN 'category = ?1' ELSE 'category = ?1 AND path GLOB ?2' END, :category, :path)
WHERE size_n > 0
ORDER BY name;
