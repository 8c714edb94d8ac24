-- title: Calls on each file
-- about: For each file and function the calls, their time and bytes. Narrow it with file or path: a run may touch many files.
-- format: dftracer chrome
-- needs: category=POSIX
-- param file text '*' File names without folders, a GLOB pattern: model-1-600-0.pt
-- param path text '*' Paths, a GLOB pattern
-- param category text 'POSIX' Category of the calls
-- param pattern text '*' Only files whose name is like this once remove is cut out of it, a GLOB pattern
-- param remove text '[\d\-]+' What is cut out of names for that, a regular expression
-- column path text
-- column name text
-- column calls count
-- column time duration Sum
-- column size size Sum
-- key: path, name
-- measure: calls, time, size
-- sort: path, name
-- drill: span path=path name=name category=:category [basename~:file]
-- covers: count=calls duration=time size=size
SELECT path, name, n AS calls, dur_sum AS time, coalesce(size_sum, 0) AS size
FROM span_sums('path,name', 'category = ?1 AND path GLOB ?2' || CASE :file WHEN '*' THEN '' ELSE ' AND basename GLOB ?3' END,
    :category, :path, :file)
WHERE :pattern = '*' OR regexp_replace(basename(path), :remove, '') GLOB :pattern
ORDER BY 1, 2;
