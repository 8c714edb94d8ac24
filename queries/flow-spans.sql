-- title: Flows, one by one
-- about: Each pair of spans that a flow event connects, longest wait first: from the end of the one to the start of the other, below zero where they overlap.
-- format: chrome
-- needs: flows
-- scans: the two ends of each flow are looked up by their ids
-- param flow text '*' Only flows with a name that matches this pattern
-- param source text '*' Only from spans of a name that matches this pattern
-- param target text '*' Only to spans of a name that matches this pattern
-- param rows count 1000 How many
-- column start time Of the first
-- column wait duration From the end of the one to the start of the other
-- column flow text
-- column source text
-- column target text
-- column lane text Of the first
-- column id integer Of the first
-- column target_id integer Of the other
-- sort: -wait, start, id
-- drill: timeline span=id start=start
-- covers: rows=2
-- spans: id IN (id, target_id)
SELECT a.start, b.start - a.finish AS wait, d.name AS flow, a.name AS source, b.name AS target, a.lane_name AS lane, a.id, b.id AS target_id
FROM dependencies d JOIN span a ON a.id = d.from_id JOIN span b ON b.id = d.to_id
WHERE d.type = 'span' AND coalesce(d.name, '') GLOB :flow AND coalesce(a.name, '') GLOB :source AND coalesce(b.name, '') GLOB :target
ORDER BY 2 DESC, 1, a.id LIMIT :rows;
