-- title: Templates: what instantiating them cost
-- about: The time that clang took to instantiate each template, or each instance of it. A template is called by its name with the arguments of each template in
--   it left out: std::vector<$>::push_back. What is instantiated within an instantiation of the same row counts once, within that of another row in both.
-- format: chrome/clang
-- needs: name=InstantiateFunction|name=InstantiateClass
-- param by text 'name' {name, instance} What a row is
-- param of text '*' Only instances of templates like this, a GLOB pattern over names without their arguments
-- param kind text '*' {*, function, class} Only these
-- column template text
-- column kind text function or class
-- column instances count Different arguments
-- column n count
-- column time duration With what it instantiates in turn, each instant of a lane once
-- column self duration Without what is nested in it
-- column mean duration Of one instantiation
-- column max duration
-- key: template, kind
-- measure: instances, n, time (absent is 0), self, mean, max
-- sums: instances, n, self
-- sort: -time, template, kind
-- drill: clang-templates by='instance' of=template kind=kind
-- spans: when :by='instance' kind='function': name='InstantiateFunction' arg.detail=template kind<>'summary'; when :by='instance':
--   name='InstantiateClass' arg.detail=template kind<>'summary'; none a row stands for instances, to which Enter leads
-- covers: rows=instances n=n self=self
WITH RECURSIVE spans AS (
  SELECT lane, arg1 AS instance, CASE name WHEN 'InstantiateFunction' THEN 'function' ELSE 'class' END AS kind, start, duration, n, self_sum
  FROM span_sums('lane,name,arg.detail,start(1),duration', 'name IN ("InstantiateFunction", "InstantiateClass") AND kind <> "summary"') WHERE n > 0
), hidden AS ( -- brackets of operators are none of arguments: char(2) and char(3) stand for them (operator<<int> is operator< of int)
  SELECT instance, replace(replace(replace(replace(replace(replace(
    regexp_replace(instance, 'operator<<([A-Za-z_])', 'operator' || char(2) || '<\1'), 'operator<=>', 'operator' || char(2) || '=' || char(3)),
    'operator<<', 'operator' || char(2) || char(2)), 'operator<', 'operator' || char(2)), 'operator->', 'operator-' || char(3)),
    'operator>>', 'operator' || char(3) || char(3)), 'operator>', 'operator' || char(3)) AS name
  FROM (SELECT DISTINCT instance FROM spans)
), collapsing AS ( -- the innermost arguments first; char(1) stands for those that are gone
  SELECT instance, name, 0 AS step FROM hidden
  UNION ALL SELECT instance, regexp_replace(name, '<[^<>]*>', char(1)), step + 1 FROM collapsing WHERE name REGEXP '<[^<>]*>' AND step < 100
), names AS (
  SELECT instance, replace(replace(replace(name, char(1), '<$>'), char(2), '<'), char(3), '>') AS name FROM collapsing WHERE NOT name REGEXP '<[^<>]*>' OR step = 100
), named AS (
  SELECT CASE :by WHEN 'instance' THEN spans.instance ELSE names.name END AS template, kind, lane, spans.instance, start, duration, n, self_sum
  FROM spans LEFT JOIN names ON names.instance IS spans.instance
  WHERE (:of = '*' OR coalesce(names.name, '') GLOB :of) AND kind GLOB :kind
), times AS (
  SELECT template, kind, lane, union_ns(start, duration) AS time FROM named GROUP BY template, kind, lane
)
SELECT template, kind, count(DISTINCT instance) AS instances, sum(n) AS n,
  (SELECT sum(time) FROM times WHERE times.template IS named.template AND times.kind = named.kind) AS time,
  sum(self_sum) AS self, sum(duration * n) * 1.0 / sum(n) AS mean, max(duration) AS max
FROM named
GROUP BY template, kind
ORDER BY 5 DESC, 1, 2;
