-- title: Distribution of sizes by function
-- about: Sizes of the calls of each function: count, mean, standard deviation (n - 1), extremes and quartiles (linear interpolation; exact). Where records sum calls up there is no distribution: deviation and quartiles are empty.
-- format: dftracer chrome
-- needs: category=POSIX
-- param name text '*' Functions, a GLOB pattern: *write*
-- param path text '*' Paths, a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- column name text
-- column count count Calls that moved bytes
-- column summed count Calls known by their sums alone: no distribution
-- column mean size
-- column std size
-- column min size
-- column p25 size
-- column median size
-- column p75 size
-- column max size
-- column sum size
-- key: name
-- measure: count, mean, median, max, sum
-- sort: name
-- drill: size-counts name=name category=:category path=:path
-- spans: name=name category=:category size IS NOT NULL [path~:path]
-- covers: count=count sum=sum
SELECT name, size_n AS count, nullif(summed, 0) AS summed, size_sum * 1.0 / size_n AS mean,
  size_std AS std,
  size_min AS min, size_p25 AS p25, size_p50 AS median, size_p75 AS p75, size_max AS max, size_sum AS sum
FROM span_sums('name', 'category = ?1' || CASE :name WHEN '*' THEN '' ELSE ' AND name GLOB ?2' END || CASE :path WHEN '*' THEN '' ELSE ' AND path GLOB ?3' END, :category, :name, :path)
WHERE size_n > 0
ORDER BY name;
