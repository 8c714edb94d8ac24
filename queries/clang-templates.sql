-- title: Templates: what instantiating them cost
-- about: The time that clang took to instantiate each template, by name (what stands before its arguments) or one by one.
-- format: chrome/clang
-- needs: name=InstantiateFunction|name=InstantiateClass
-- param by text 'name' {name, instance} What a row is
-- column template text
-- column kind text function or class
-- column instances count Different arguments
-- column n count
-- column time duration Sum, with what it instantiates in turn
-- column self duration Without what is nested in it
-- column mean duration
-- column max duration
-- key: template, kind
-- measure: instances, n, time, self, mean, max
-- sort: -time, template
WITH instances AS (
  SELECT arg1 AS instance, CASE name WHEN 'InstantiateFunction' THEN 'function' ELSE 'class' END AS kind, n, dur_sum, self_sum, dur_max
  FROM span_sums('name,arg.detail', 'name IN ("InstantiateFunction", "InstantiateClass") AND kind <> "summary"') WHERE n > 0
)
SELECT CASE WHEN :by = 'instance' OR instr(instance, '<') = 0 THEN instance ELSE substr(instance, 1, instr(instance, '<') - 1) END AS template, kind,
  count(DISTINCT instance) AS instances, sum(n) AS n, sum(dur_sum) AS time, sum(self_sum) AS self, sum(dur_sum) * 1.0 / sum(n) AS mean, max(dur_max) AS max
FROM instances
GROUP BY 1, kind
ORDER BY 5 DESC, 1, 2;
