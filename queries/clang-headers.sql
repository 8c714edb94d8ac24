-- title: Headers: what including them cost
-- about: The time that clang was reading each file, with all that it includes. Without that, if the trace nests them on a lane.
-- format: chrome/clang
-- needs: name=Source
-- param header text '*' Only files that match this pattern
-- column header text
-- column n count How often it was read
-- column time duration Sum, with what it includes
-- column self duration Without what is nested in it
-- column mean duration
-- column max duration
-- key: header
-- measure: n, time (absent is 0), self, mean, max
-- sums: n, self
-- sort: -time, header
-- drill: span name='Source' kind<>'summary' arg.detail=header
-- covers: count=n duration=time self=self
SELECT arg1 AS header, n, dur_sum AS time, self_sum AS self, dur_sum * 1.0 / n AS mean, dur_max AS max
FROM span_sums('arg.detail', 'name = "Source" AND kind <> "summary"') WHERE n > 0 AND arg1 GLOB :header
ORDER BY 3 DESC, 1;
