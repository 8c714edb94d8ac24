// Loads DFTracer files into DuckDB and asks both it and lanescope the questions of duckdb.sql, by turns: node duckdb.mjs PROGRAM RUN TRACE...
// Needs node, bash and the package @duckdb/node-api (in DUCKDB_NODE_MODULES, or a node_modules folder above). Prints "load WALL CPU" in
// seconds, then for each question "NAME WALL CPU WALL CPU RATIO": milliseconds of lanescope (a whole process, its answer written as CSV) and
// of DuckDB (two threads, its answer written as CSV, too, after a first time that does not count), medians, and the median of the pairs'
// ratios of CPU time.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
const base = process.env.DUCKDB_NODE_MODULES ? join(process.env.DUCKDB_NODE_MODULES, 'x.js') : import.meta.url;
const { DuckDBInstance } = createRequire(base)('@duckdb/node-api');

const [program, run, ...traces] = process.argv.slice(2);
const files = traces.map((file) => `'${file.replaceAll("'", "''")}'`).join(',');
const pairs = Number(process.env.RUNS ?? 3);
const db = await DuckDBInstance.create(process.env.DUCKDB_FILE ?? ':memory:', { threads: process.env.DUCKDB_THREADS ?? '2' });
const connection = await db.connect();
const median = (list) => list.sort((a, b) => a - b)[Math.floor((list.length - 1) / 2)];

// Wall and CPU time in milliseconds.
async function of_duckdb(sql) {
  const cpu = process.cpuUsage();
  const begin = process.hrtime.bigint();
  await connection.run(sql);
  const wall = Number(process.hrtime.bigint() - begin) / 1e6;
  const used = process.cpuUsage(cpu);
  return [wall, (used.user + used.system) / 1000];
}
function of_lanescope(query, options) {
  const parameters = options.flatMap((option) => ['-p', option]);
  const script = 'TIMEFORMAT="%3R %3U %3S"; time "$0" "$@" >/dev/null';
  const child = spawnSync('bash', ['-c', script, program, 'query', query, run, ...parameters, '--format', 'csv'], { encoding: 'utf8' });
  const [wall, user, system] = child.stderr.trim().split('\n').pop().split(' ').map(Number);
  return child.status === 0 ? [wall * 1000, (user + system) * 1000] : null;
}

// Typed columns for the fields that the questions need: its fastest way to load these files.
const load = await of_duckdb(`CREATE TABLE ev AS SELECT id, name, cat, pid, tid, ts, dur, args.hostname AS hostname, args.fname AS fname,
  CASE WHEN cat = 'POSIX' AND (name LIKE '%write%' OR name LIKE '%read%' AND name NOT LIKE '%readdir%') AND args.ret > 0 THEN args.ret END AS size,
  args.ret AS ret, args.count AS count, args.fd AS fd
  FROM read_json([${files}], format='newline_delimited', ignore_errors=true,
  columns={id:'BIGINT', name:'VARCHAR', cat:'VARCHAR', pid:'BIGINT', tid:'BIGINT', ts:'BIGINT', dur:'BIGINT', ph:'VARCHAR',
  args:'STRUCT(hostname VARCHAR, fname VARCHAR, ret BIGINT, count BIGINT, fd BIGINT)'}) WHERE name IS NOT NULL`);
const kept = await of_duckdb('CHECKPOINT');
console.log(`load ${((load[0] + kept[0]) / 1000).toFixed(2)} ${((load[1] + kept[1]) / 1000).toFixed(2)}`);

const text = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'duckdb.sql'), 'utf8');
for (const part of text.split('-- query: ').slice(1)) {
  const [head, ...rest] = part.split('\n');
  const [query, ...options] = head.split(' ');
  const sql = `COPY (${rest.join('\n').trim().replace(/;$/, '')}) TO '/dev/null' (FORMAT csv)`;
  const mine = [], theirs = [];
  await of_duckdb(sql);
  for (let i = 0; i < pairs; i++) {
    const answer = of_lanescope(query, options);
    if (!answer) break;
    mine.push(answer);
    theirs.push(await of_duckdb(sql));
  }
  if (mine.length < pairs) {
    console.log(`${query} failed`);
    continue;
  }
  const column = (list, i) => median(list.map((pair) => pair[i]));
  const ratio = median(mine.map((pair, i) => pair[1] / theirs[i][1]));
  const figures = [column(mine, 0), column(mine, 1), column(theirs, 0), column(theirs, 1)].map((figure) => figure.toFixed(0));
  console.log(`${query} ${figures.join(' ')} ${ratio.toFixed(2)}`);
}
