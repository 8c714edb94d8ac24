-- title: Parameters and facts of the run
-- about: What the trace says about the run as a whole and about its hosts and processes.
-- format: any
-- column scope text Missing: the whole run
-- column key text
-- column value text
-- key: scope, key
-- sort: scope, key, value
SELECT scope, key, value FROM tags ORDER BY scope IS NOT NULL, scope, key, value;
