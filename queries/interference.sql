-- title: How much longer spans take while others run beside them
-- about: Durations of the spans that `of` takes, by how much of them lies beside spans that `while` takes, on other lanes of the same host (or process, or run).
--   slowed is the part of a time beside the others that is lost to them, each lane and name (where names stand four times and more) by itself: 0.2 is 1.25 times as long while wholly beside them; below
--   0 they run faster. low and high are what is left of it when what 95 % of shifts of the others in time give is taken off: a range that holds 0 shows
--   nothing. p is the share of shifts that give as much; of more than 25 000 spans that many are asked at each shift. Both kinds keep their order, as durations and the others depend on what was just before. Records that stand for
--   many calls are left out. Rows: the run, and each host, name (up to 64) and lane where there are several.
-- format: any
-- needs: spans
-- param of text Spans that may be slowed, a condition of the filter language
-- param while text Spans that may slow them
-- param within text 'host' {host, process, run} Beside: on another lane of the same
-- param shifts count 199 {0..100000} How many shifts in time
-- column level text run, host, name or lane
-- column what text The host, name or lane
-- column n count
-- column n_beside count Beside the others for 5 % or more of their time
-- column beside percent Part of their time that lies beside the others
-- column apart duration Mean, weighted by the share that does not lie beside the others
-- column together duration Mean, weighted by the share that does
-- column ratio real together / apart
-- column slowed percent Part of a time beside the others that is lost to them
-- column low percent
-- column high percent
-- column p real
-- column lost_time duration Sum of what is lost over all
-- column lane_id integer
-- key: level, what
-- measure: n, n_beside, beside, apart, together, ratio, slowed, lost_time (absent is 0)
-- sums: none
-- drill: span
-- spans: when level='host': [:of] host=what duration>0 kind<>'aggregate'; when level='name': [:of] name=what duration>0 kind<>'aggregate';
--   when level='lane': [:of] lane=lane_id duration>0 kind<>'aggregate'; :of duration>0 kind<>'aggregate'
-- covers: count=n
SELECT CASE i.level WHEN 0 THEN 'run' WHEN 1 THEN 'host' WHEN 2 THEN 'name' ELSE 'lane' END AS level,
  CASE i.level WHEN 1 THEN i.host WHEN 2 THEN i.name WHEN 3 THEN (SELECT coalesce(l.name, 'lane ' || l.id) FROM lanes l WHERE l.id = i.lane) END AS what,
  i.n, i.n_beside, i.beside_ns * 1.0 / nullif(i.sum_ns, 0) AS beside, i.apart_ns AS apart, i.together_ns AS together,
  i.together_ns / nullif(i.apart_ns, 0) AS ratio, round(i.slowed, 9) AS slowed, round(i.low, 9) AS low, round(i.high, 9) AS high, i.chance AS p,
  round(i.slowed * i.beside_ns) AS lost_time, i.lane AS lane_id -- rounded: last digits depend on the order of lanes
FROM span_interference(:of, :while, :within, :shifts) i
ORDER BY i.level, i.host, i.name, what, i.lane;
