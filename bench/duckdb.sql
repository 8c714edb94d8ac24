-- The questions of lanescope's saved queries in DuckDB's SQL, over table ev (see duckdb.mjs).
-- query: checkpoint-time
SELECT count(*), sum(n), max(d), sum(d) FROM (SELECT pid, tid, count(*) AS n, sum(dur) AS d FROM ev WHERE name LIKE '%PyTorchCheckpointing.checkpoint%' GROUP BY pid, tid);
-- query: path-time path=*/scr/checkpoints/*
SELECT max(d), sum(d), sum(s) FROM (SELECT pid, tid, sum(dur) AS d, sum(size) AS s FROM ev WHERE cat = 'POSIX' AND fname LIKE '%/scr/checkpoints/%' GROUP BY pid, tid);
-- query: function-time
SELECT name, sum(n), max(d), sum(d) FROM (SELECT name, pid, count(*) AS n, sum(dur) AS d FROM ev WHERE cat = 'POSIX' GROUP BY name, pid) GROUP BY name ORDER BY name;
-- query: function-size
SELECT name, sum(size) FROM ev WHERE cat = 'POSIX' GROUP BY name ORDER BY name;
-- query: size-median
SELECT name, median(size) FROM ev WHERE cat = 'POSIX' GROUP BY name ORDER BY name;
-- query: size-describe
SELECT name, count(size), avg(size), stddev(size), min(size), quantile_cont(size, [0.25, 0.5, 0.75]), max(size) FROM ev WHERE cat = 'POSIX' GROUP BY name ORDER BY name;
-- query: file-patterns
SELECT p, max(s), max(d) FROM (SELECT regexp_replace(regexp_extract(fname, '[^/]*$'), '[\d\-]+', '', 'g') AS p, pid, sum(size) AS s, sum(dur) AS d FROM ev WHERE cat = 'POSIX' AND fname IS NOT NULL GROUP BY p, pid) GROUP BY p ORDER BY p;
-- query: call-counts
SELECT name, count(*) AS n, sum(dur), sum(size) FROM ev WHERE cat = 'POSIX' GROUP BY name ORDER BY n DESC, name;
-- query: size-counts
SELECT size, count(*) AS n, sum(size), sum(dur) FROM ev WHERE cat = 'POSIX' AND size IS NOT NULL GROUP BY size ORDER BY n DESC, size;
-- query: file-writes
SELECT fname, max(d), sum(s), sum(n) FROM (SELECT fname, pid, count(*) AS n, sum(dur) AS d, sum(size) AS s FROM ev WHERE cat = 'POSIX' AND name LIKE '%write%' GROUP BY fname, pid) GROUP BY fname ORDER BY 2 DESC;
-- query: span-by-category
SELECT cat, count(*), sum(dur) FROM ev GROUP BY cat ORDER BY 3 DESC;
-- query: span-totals
SELECT name, cat, count(*), sum(dur), avg(dur), max(dur), sum(size) FROM ev GROUP BY name, cat ORDER BY 4 DESC;
-- query: span-longest
SELECT * FROM ev ORDER BY dur DESC LIMIT 100;
-- query: span-quantiles
SELECT name, count(*), quantile_cont(dur, [0.25, 0.5, 0.75, 0.9, 0.95, 0.99]) FROM ev GROUP BY name;
-- query: process-times
SELECT pid, count(*), sum(dur), sum(size) FROM ev GROUP BY pid;
-- query: io-summary method=approximate
SELECT sum(i), sum(c), sum(a) FROM (SELECT max(i) AS i, max(c) AS c, max(a) AS a FROM (SELECT (ts - (SELECT min(ts) FROM ev)) // 30000000 AS w, pid, tid, sum(dur) FILTER (cat = 'POSIX' AND name NOT LIKE '%compute%') AS i, sum(dur) FILTER (name LIKE '%compute%') AS c, sum(dur) FILTER (cat <> 'POSIX' AND name NOT LIKE '%compute%' AND (cat LIKE '%reader%' OR cat LIKE '%checkpoint%')) AS a FROM ev GROUP BY ALL) GROUP BY w);
-- query: scr-cases
SELECT (SELECT max(d) FROM (SELECT sum(dur) AS d FROM ev WHERE name LIKE '%PyTorchCheckpointing.checkpoint%' GROUP BY pid, tid)), (SELECT max(d) FROM (SELECT sum(dur) AS d FROM ev WHERE name LIKE '%PyTorchCheckpointing.checkpoint%' GROUP BY pid)), (SELECT max(d) FROM (SELECT sum(dur) AS d FROM ev WHERE cat = 'POSIX' AND fname LIKE '%/p/lustre2/haridev/dlio/scr/checkpoints%' GROUP BY pid, tid)), (SELECT max(d) FROM (SELECT sum(dur) AS d FROM ev WHERE cat = 'POSIX' AND fname LIKE '%/p/lustre2/haridev/dlio/scr/checkpoints%' GROUP BY pid)), (SELECT max(d) FROM (SELECT sum(dur) AS d FROM ev WHERE cat = 'POSIX' AND fname LIKE '%/l/ssd/haridev/scr/checkpoints%' GROUP BY pid, tid)), (SELECT max(d) FROM (SELECT sum(dur) AS d FROM ev WHERE cat = 'POSIX' AND fname LIKE '%/l/ssd/haridev/scr/checkpoints%' GROUP BY pid));
