-- Schema of a run file, version 5: what lanescope upgrade reads (upgrade.c). It stays as it is; schema.sql is the newest.
CREATE TABLE run (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  name TEXT NOT NULL, format TEXT NOT NULL, dialect TEXT, clock TEXT NOT NULL,
  start_ns INTEGER NOT NULL, wall_start_ns INTEGER, -- on its clock; since 1970, NULL: the trace does not tell
  duration_ns INTEGER NOT NULL,
  tile_base_ns INTEGER NOT NULL, tile_levels INTEGER NOT NULL,
  sources INTEGER NOT NULL, lanes INTEGER NOT NULL, spans INTEGER NOT NULL, events INTEGER NOT NULL, counters INTEGER NOT NULL,
  tasks INTEGER NOT NULL, transfers INTEGER NOT NULL, records INTEGER NOT NULL, problems INTEGER NOT NULL,
  writer TEXT NOT NULL,                     -- version of the program that wrote the file
  "grouping" TEXT,                          -- why these sources are one run
  identity TEXT NOT NULL,                   -- 32 hexadecimal digits, made of the sources' digests, options and the version
  zero_pages INTEGER NOT NULL               -- pages of nothing but zeros; 0: where there is one, what was there is lost
);
CREATE TABLE source (
  id INTEGER PRIMARY KEY,                   -- from 0, in the order given
  path TEXT NOT NULL, dialect TEXT, raw_bytes INTEGER, plain_bytes INTEGER,
  records INTEGER NOT NULL, metadata INTEGER NOT NULL, aggregated INTEGER NOT NULL, bad_records INTEGER NOT NULL,
  spans INTEGER NOT NULL, events INTEGER NOT NULL, counters INTEGER NOT NULL, problems INTEGER NOT NULL,
  members INTEGER NOT NULL, truncated INTEGER NOT NULL,
  digest TEXT, place TEXT,                  -- of the raw bytes; its full path when it was read. NULL: not known
  device INTEGER, inode INTEGER, modified_ns INTEGER, changed_ns INTEGER, -- of the file then; NULL: it was none
  text_map BLOB NOT NULL, lane_map BLOB NOT NULL -- uint32 little-endian: code in this source's blocks -> string.id, lane.id
);
CREATE TABLE string (id INTEGER PRIMARY KEY, text TEXT NOT NULL);          -- from 0
CREATE TABLE argument (id INTEGER PRIMARY KEY, name TEXT NOT NULL);        -- from 0: names of records' arguments
CREATE TABLE lane (
  id INTEGER PRIMARY KEY,                   -- from 0
  host INTEGER, process, thread,            -- process, thread: INTEGER or TEXT itself
  name INTEGER NOT NULL, kind TEXT NOT NULL
);
CREATE TABLE task (
  id INTEGER PRIMARY KEY, source INTEGER NOT NULL,
  key INTEGER NOT NULL, name INTEGER NOT NULL, kind INTEGER, lane INTEGER, worker INTEGER,
  planned INTEGER, enqueued INTEGER, started INTEGER, loaded INTEGER, computed INTEGER, published INTEGER, finished INTEGER, completed INTEGER,
  recorded_start REAL, recorded_duration REAL, size INTEGER
);
CREATE TABLE transfer (
  id INTEGER PRIMARY KEY, source INTEGER NOT NULL,
  name INTEGER NOT NULL, lane INTEGER, origin INTEGER, target INTEGER, mode INTEGER,
  planned INTEGER, started INTEGER, loaded INTEGER, received INTEGER, unloaded INTEGER, finished INTEGER, completed INTEGER,
  size INTEGER
);
CREATE TABLE dependency (id INTEGER PRIMARY KEY, type TEXT NOT NULL, from_id INTEGER NOT NULL, to_id INTEGER NOT NULL, name INTEGER); -- type: task or span
CREATE TABLE capacity (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, time INTEGER NOT NULL, pool INTEGER, nodes INTEGER NOT NULL);
CREATE TABLE preemption (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, time INTEGER NOT NULL, pool INTEGER, nodes INTEGER NOT NULL);
CREATE TABLE trial (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, name INTEGER NOT NULL, path INTEGER);
CREATE TABLE sample (id INTEGER PRIMARY KEY, trial INTEGER NOT NULL, name INTEGER NOT NULL, type INTEGER NOT NULL, n INTEGER NOT NULL,
  data BLOB NOT NULL                        -- n IEEE doubles, little-endian; type: what the input stored
);
CREATE TABLE tag (id INTEGER PRIMARY KEY, scope INTEGER, key INTEGER NOT NULL, value INTEGER NOT NULL);
CREATE TABLE problem (
  id INTEGER PRIMARY KEY, source INTEGER,   -- NULL: the run as a whole
  kind TEXT NOT NULL, record INTEGER, "offset" INTEGER, reason TEXT NOT NULL, excerpt TEXT  -- excerpt: escaped, cut
);
-- Sums of the whole run by (lane, category, name), in this order; durations and self times in ns, sizes in bytes.
-- A sum that leaves 64 bits is a real; sums of squares are 128-bit integers, big-endian.
CREATE TABLE span_total (
  lane INTEGER NOT NULL, category INTEGER, name INTEGER,
  n INTEGER NOT NULL, rows INTEGER NOT NULL, -- n: calls; rows: spans (one may stand for many calls)
  start_min INTEGER NOT NULL, finish_max INTEGER NOT NULL,
  dur_sum INTEGER NOT NULL, dur_min INTEGER, dur_max INTEGER, dur_sumsq BLOB, self_sum INTEGER NOT NULL,
  size_n INTEGER NOT NULL, size_sum INTEGER NOT NULL, size_min INTEGER, size_max INTEGER, size_sumsq BLOB,
  summed INTEGER NOT NULL,                  -- of n: calls of rows that stand for many, which have no sums of squares
  unfinished_n INTEGER NOT NULL, unfinished_sum INTEGER NOT NULL -- of rows and dur_sum: spans whose end was not recorded
);
-- Column blocks (lanescope-schema(5), "Blocks").
CREATE TABLE block (
  id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, source INTEGER NOT NULL, sequence INTEGER NOT NULL,
  first_id INTEGER NOT NULL, n_rows INTEGER NOT NULL, start_min INTEGER NOT NULL, start_max INTEGER NOT NULL, end_max INTEGER NOT NULL
);
CREATE TABLE block_column (
  block INTEGER NOT NULL, field INTEGER NOT NULL, type INTEGER NOT NULL, flags INTEGER NOT NULL, width INTEGER NOT NULL,
  n_present INTEGER NOT NULL, same_as INTEGER NOT NULL, base INTEGER NOT NULL, scale INTEGER NOT NULL, first INTEGER NOT NULL,
  min INTEGER NOT NULL, max INTEGER NOT NULL, data INTEGER NOT NULL, bytes INTEGER NOT NULL,   -- data: block_data.id, 0 none
  PRIMARY KEY (block, field)
) WITHOUT ROWID;
CREATE TABLE block_data (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
CREATE TABLE tile (
  subject INTEGER NOT NULL, id INTEGER NOT NULL, level INTEGER NOT NULL, chunk INTEGER NOT NULL, cells BLOB NOT NULL,  -- subject: 0 lane, 1 host (id: string.id)
  PRIMARY KEY (subject, id, level, chunk)
) WITHOUT ROWID;
CREATE INDEX task_by_key ON task (key);
CREATE INDEX dependency_by_to ON dependency (to_id, type);
CREATE INDEX dependency_by_from ON dependency (from_id, type);
CREATE INDEX sample_by_trial ON sample (trial);
CREATE INDEX tag_by_key ON tag (key);
-- Few or none: whether there are any is asked with each query.
CREATE INDEX span_total_summed ON span_total (lane) WHERE summed > 0;
CREATE INDEX span_total_unfinished ON span_total (lane) WHERE unfinished_n > 0;
-- The same with their text, for people (and sqlite3).
CREATE VIEW lanes AS SELECT l.id, h.text AS host, l.process, l.thread, n.text AS name, l.kind
  FROM lane l LEFT JOIN string h ON h.id = l.host JOIN string n ON n.id = l.name;
CREATE VIEW tasks AS SELECT t.id, k.text AS key, n.text AS name, c.text AS kind, t.lane, w.text AS worker,
  t.planned, t.enqueued, t.started, t.loaded, t.computed, t.published, t.finished, t.completed, t.recorded_start, t.recorded_duration, t.size, t.source
  FROM task t JOIN string k ON k.id = t.key JOIN string n ON n.id = t.name LEFT JOIN string c ON c.id = t.kind LEFT JOIN string w ON w.id = t.worker;
CREATE VIEW transfers AS SELECT t.id, n.text AS name, t.lane, o.text AS origin, g.text AS target, m.text AS mode,
  t.planned, t.started, t.loaded, t.received, t.unloaded, t.finished, t.completed, t.size, t.source
  FROM transfer t JOIN string n ON n.id = t.name LEFT JOIN string o ON o.id = t.origin LEFT JOIN string g ON g.id = t.target LEFT JOIN string m ON m.id = t.mode;
CREATE VIEW tags AS SELECT t.id, s.text AS scope, k.text AS key, v.text AS value
  FROM tag t LEFT JOIN string s ON s.id = t.scope JOIN string k ON k.id = t.key JOIN string v ON v.id = t.value;
CREATE VIEW problems AS SELECT p.id, s.path AS source, p.kind, p.record, p."offset", p.reason, p.excerpt FROM problem p LEFT JOIN source s ON s.id = p.source;
-- Without the lanes that repeat what others hold: what sums of a run are made of.
CREATE VIEW work_total AS SELECT * FROM span_total WHERE lane NOT IN (SELECT id FROM lane WHERE kind = 'summary');
CREATE VIEW span_totals AS SELECT l.id AS lane, ln.text AS lane_name, h.text AS host, l.process, l.thread, c.text AS category, n.text AS name,
  t.n, t.rows, t.start_min, t.finish_max, t.dur_sum, t.dur_min, t.dur_max, t.dur_sumsq, t.self_sum, t.size_n, t.size_sum, t.size_min, t.size_max, t.size_sumsq, t.summed,
  t.unfinished_n, t.unfinished_sum
  FROM span_total t JOIN lane l ON l.id = t.lane JOIN string ln ON ln.id = l.name LEFT JOIN string h ON h.id = l.host
  LEFT JOIN string c ON c.id = t.category LEFT JOIN string n ON n.id = t.name;
CREATE VIEW capacities AS SELECT c.id, c.time, p.text AS pool, c.nodes FROM capacity c LEFT JOIN string p ON p.id = c.pool;
CREATE VIEW preemptions AS SELECT c.id, c.time, p.text AS pool, c.nodes FROM preemption c LEFT JOIN string p ON p.id = c.pool;
CREATE VIEW trials AS SELECT t.id, n.text AS name, p.text AS path FROM trial t JOIN string n ON n.id = t.name LEFT JOIN string p ON p.id = t.path;
CREATE VIEW trial_facts AS SELECT substr(scope, 7) AS path, max(CASE key WHEN 'kind' THEN value END) AS kind,
  max(CASE key WHEN 'dataset' THEN value END) AS dataset, max(CASE key WHEN 'variant' THEN value END) AS variant,
  max(CASE key WHEN 'mode' THEN value END) AS mode, max(CASE key WHEN 'run' THEN value END) AS run,
  CAST(max(CASE key WHEN 'sim_compute_time' THEN value END) AS REAL) AS sim_compute_time,
  CAST(max(CASE key WHEN 'threadpool_size' THEN value END) AS INTEGER) AS threadpool_size,
  CAST(max(CASE key WHEN 'block_size' THEN value END) AS INTEGER) AS block_size
  FROM tags WHERE scope GLOB 'trial *' GROUP BY scope;
CREATE VIEW samples AS SELECT s.id, s.trial, n.text AS name, y.text AS type, s.n, s.data
  FROM sample s JOIN string n ON n.id = s.name JOIN string y ON y.id = s.type;
CREATE VIEW dependencies AS SELECT d.id, d.type, d.from_id, d.to_id, n.text AS name FROM dependency d LEFT JOIN string n ON n.id = d.name;
CREATE VIEW sources AS SELECT id, path, dialect, raw_bytes, plain_bytes, records, metadata, aggregated, bad_records,
  spans, events, counters, problems, members, truncated, digest FROM source;
