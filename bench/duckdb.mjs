// Loads DFTracer files into DuckDB and times the questions of duckdb.sql: node duckdb.mjs TRACES/*.pfw.gz
// Needs node and the package @duckdb/node-api (found through NODE_PATH or a node_modules folder above). Prints "load SECONDS" and
// "NAME MILLISECONDS" lines: the median of five warm runs on two threads.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
const base = process.env.DUCKDB_NODE_MODULES ? join(process.env.DUCKDB_NODE_MODULES, 'x.js') : import.meta.url;
const { DuckDBInstance } = createRequire(base)('@duckdb/node-api');

const files = process.argv.slice(2).map((file) => `'${file.replaceAll("'", "''")}'`).join(',');
const db = await DuckDBInstance.create(process.env.DUCKDB_FILE ?? ':memory:', { threads: process.env.DUCKDB_THREADS ?? '2' });
const connection = await db.connect();
const now = () => Number(process.hrtime.bigint()) / 1e6;

let start = now();
// Typed columns for the fields that the questions need: its fastest way to load these files.
await connection.run(`CREATE TABLE ev AS SELECT id, name, cat, pid, tid, ts, dur, args.hostname AS hostname, args.fname AS fname,
  CASE WHEN cat = 'POSIX' AND (name LIKE '%write%' OR name LIKE '%read%' AND name NOT LIKE '%readdir%') AND args.ret > 0 THEN args.ret END AS size,
  args.ret AS ret, args.count AS count, args.fd AS fd
  FROM read_json([${files}], format='newline_delimited', ignore_errors=true,
  columns={id:'BIGINT', name:'VARCHAR', cat:'VARCHAR', pid:'BIGINT', tid:'BIGINT', ts:'BIGINT', dur:'BIGINT', ph:'VARCHAR',
  args:'STRUCT(hostname VARCHAR, fname VARCHAR, ret BIGINT, count BIGINT, fd BIGINT)'}) WHERE name IS NOT NULL`);
await connection.run('CHECKPOINT');
console.log(`load ${((now() - start) / 1000).toFixed(2)}`);

const text = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'duckdb.sql'), 'utf8');
for (const part of text.split('-- query: ').slice(1)) {
  const [head, ...rest] = part.split('\n');
  const sql = rest.join('\n').trim();
  const times = [];
  for (let i = 0; i < 6; i++) {
    start = now();
    await (await connection.run(sql)).getRows();
    if (i > 0) times.push(now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(`${head.split(' ')[0]} ${times[2].toFixed(1)}`);
}
