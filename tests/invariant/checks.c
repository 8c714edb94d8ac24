/*
 * What is compared of each saved query, beside the figures that its header's `covers:` names; a
 * query without either must say why there is nothing to compare.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/invariant/rows.h"

#define OTHERS_OF_DEVICE "kind = 'device' AND category NOT IN ('gpu_user_annotation', 'cuda_sync')"
/* of a stage of tasks or transfers, the column of what Enter opens that is called so */
#define STAGE                                                                                      \
	"SELECT count({!stage}) AS n, count(*) - count({!stage}) AS missing, "                     \
	"coalesce(sum({!stage}), 0) AS sum, avg({!stage}) AS mean, max({!stage}) AS max FROM "     \
	"behind"

/* of an array of a trial, the statistic that is asked for; none where a value is no number */
#define OF_ARRAY(array)                                                                            \
	"max(CASE WHEN sample = '" array "' AND missing = 0 THEN CASE {:statistic} WHEN 'median' " \
	"THEN median ELSE mean END END)"
#define MEMORY "max(CASE sample WHEN 'memory' THEN "

static const struct row_check checks[] = {
    {"controller-events", NULL, "iterations of the controller are neither spans nor rows"},
    {"controller-summary", NULL, "one row of figures of several kinds"},
    {"checkpoint-intervals",
     "SELECT coalesce(sum(CASE summed WHEN 0 THEN n - 1 END), 0) AS count, sum(CASE WHEN summed > "
     "0 THEN n END) AS summed FROM span_sums('host,process', 'name GLOB ?1', {:name})",
     NULL},
    {"counter-times",
     "SELECT count(*) AS samples, min(value) AS min, max(value) AS max FROM counter WHERE "
     "name = {name} AND lane = {@lane} AND time >= {@start} AND time < {@end}",
     NULL},
    {"file-spans", "SELECT start, duration, name, size, host, path FROM span WHERE id = {@span}",
     NULL},
    {"flow-spans",
     "SELECT a.start, a.name AS source, a.lane_name AS lane, b.name AS target, "
     "b.start - a.start - a.duration AS wait FROM span a JOIN span b WHERE a.id = {@span} AND "
     "b.id = {target_id}",
     NULL},
    {"function-resources", NULL,
     "a row is of a counter's samples, Enter lists the tasks beside which they were taken"},
    {"gpu-device-gaps",
     "SELECT count(CASE WHEN start < {@end} AND start + duration > {@start} THEN 1 END) AS none, "
     "max(CASE WHEN start = {@end} AND lane = {@lane} THEN lane_name END) AS lane, count(CASE WHEN "
     "start = {@end} AND lane = {@lane} AND name IS {next} THEN 1 END) AS some FROM span "
     "WHERE process = {process} AND " OTHERS_OF_DEVICE,
     NULL},
    {"gpu-gaps",
     "SELECT count(CASE WHEN start < {@end} AND start + duration > {@start} THEN 1 END) AS none, "
     "count(CASE WHEN {next} IS NULL OR start = {@end} AND name = {next} THEN 1 END) AS some "
     "FROM span WHERE lane = {@lane} AND " OTHERS_OF_DEVICE,
     NULL},
    {"idle-gaps",
     "SELECT (SELECT coalesce(sum(rows), 0) FROM span_sums('', f.text || ' AND start < ?1 AND "
     "finish > ?2', {@end}, {@start})) AS none, (SELECT coalesce(sum(rows), 0) FROM span_sums('', "
     "f.text || ' AND start = ?1 AND name = ?2', {@end}, {after})) + ({after} IS NULL) AS some "
     "FROM (SELECT CASE WHEN "
     "trim({:filter}) = '' THEN '' ELSE '(' || {:filter} || ') AND ' END || 'kind NOT IN "
     "(\"async\", \"annotation\", \"summary\", \"waiting\") AND lane = ' || {@lane} AS text) f",
     NULL},
    {"io-summary", NULL,
     "unions and overlaps of the spans that Enter lists, in windows: no figure is a sum"},
    {"lanes-alike", NULL, "a figure of an odd lane beside its group's; Enter lists all its spans"},
    {"preemption-capacity",
     "SELECT count(CASE WHEN time = {@start} AND nodes = {nodes} THEN 1 END) AS some, count(CASE "
     "WHEN time > {@start} AND time < {@end} AND nodes <> {nodes} THEN 1 END) AS none FROM "
     "capacity_state JOIN string ON string.id = pool WHERE text = {pool}",
     NULL},
    {"preemption-changes",
     "SELECT (SELECT count(*) FROM capacities WHERE time = {@start} AND pool = {pool} AND nodes = "
     "{nodes_after}) + (SELECT count(*) FROM preemptions WHERE time = {@start} AND pool = {pool} "
     "AND abs(nodes) = {nodes}) AS some",
     NULL},
    {"preemption-rollbacks", "SELECT max({@end} - {@start}, 0) AS lost_time", NULL},
    {"preemption-summary",
     "SELECT count(CASE WHEN change IN ('drop', 'shutdown') THEN 1 END) AS drop_rows, "
     "coalesce(sum(CASE WHEN change IN ('drop', 'shutdown') THEN nodes END), 0) AS dropped, "
     "sum(CASE change WHEN 'shutdown' THEN nodes END) AS stopped FROM behind",
     NULL},
    {"problems", NULL, "what was skipped became no row"},
    {"resource-times",
     "SELECT count(*) AS samples, min(value) AS min, max(value) AS max FROM counter WHERE "
     "name = {counter} AND host IS {host} AND lane_name LIKE 'resources%' AND time >= {@start} "
     "AND time < {@end}",
     NULL},
    {"scr-cases", NULL, "figures of several kinds of spans: checkpoint-time and path-time"},
    {"span-longest",
     "SELECT start, name, category, host, lane_name AS lane, size, path, CASE WHEN calls < 2 THEN "
     "self END AS self FROM span WHERE id = "
     "{@span}",
     NULL},
    {"span-over-time",
     "WITH w AS (SELECT CAST({@start} AS INTEGER) AS a, CAST({@end} AS INTEGER) AS e), s AS ("
     "SELECT kind, depth, calls, size, max(start, coalesce(range_start(), start)) AS a, "
     "min(start + duration, coalesce(range_end(), start + duration)) AS e FROM "
     "span_page({:filter}, 'start', 0, 10000000)) "
     "SELECT coalesce(sum(CASE WHEN kind NOT IN ('aggregate', 'annotation', 'waiting') AND "
     "s.a >= w.a AND s.a < w.e THEN calls END), 0) AS calls, "
     "coalesce(sum(CASE WHEN depth = 0 AND kind NOT IN ('aggregate', 'annotation', 'async', "
     "'summary', 'waiting') THEN max(0, min(s.e, w.e) - max(s.a, w.a)) END), 0) AS time, "
     "coalesce(sum(CASE WHEN kind = 'waiting' THEN max(0, min(s.e, w.e) - max(s.a, w.a)) END), 0) "
     "AS waiting FROM w JOIN s",
     NULL},
    {"tags", NULL, "a row is a fact of the run"},
    {"task-balance", NULL, "what a worker held in a second, as its last record says"},
    {"task-waiting",
     "WITH w AS (SELECT CAST({@start} AS INTEGER) AS a, CAST({@end} AS INTEGER) AS e), t AS ("
     "SELECT min(started, range_end() - 1) AS started, min(finished, range_end() - 1) AS finished "
     "FROM tasks WHERE coalesce(worker, '') GLOB {:worker} AND (started IS NULL OR started >= "
     "range_start())) "
     "SELECT count(CASE WHEN started >= w.a AND started < w.e THEN 1 END) AS begun FROM w JOIN t",
     NULL},
    {"task-summary", STAGE, NULL},
    {"transfer-summary", STAGE, NULL},
    {"sweep-measures",
     "SELECT count(value) AS seeds, mean_in_order(value, i) AS mean, min(value) AS min, max(value) "
     "AS max FROM "
     "sample_value WHERE sample = (SELECT s.id FROM samples s JOIN trials t ON t.id = s.trial "
     "WHERE "
     "t.name = {point} AND s.name = {measure})",
     NULL},
    {"sweep-times",
     "SELECT count(value) AS seeds, CAST(round(mean_in_order(value, i) * 1e6) AS INTEGER) AS mean, "
     "CAST(round(max(value) * 1e6) AS INTEGER) AS max FROM sample_value WHERE sample = (SELECT "
     "s.id FROM samples s JOIN trials t ON t.id = s.trial WHERE t.name = {point} AND s.name = "
     "replace({state}, 'reconfiguring', 'reconfig') || '_ms')",
     NULL},
    {"trial-block-sizes",
     "SELECT " OF_ARRAY("data_load_time") " + " OF_ARRAY("compute_time") " AS completion_time "
                                                                         "FROM behind",
     NULL},
    {"trial-figures",
     "SELECT " OF_ARRAY("data_load_time") " AS load_time, " OF_ARRAY(
	 "compute_time") " AS "
                         "compute_time, " OF_ARRAY(
			     "io_time") " / {block_size} AS io_time, " MEMORY
                                        "p90 END) / 1048576 AS memory, coalesce(" MEMORY
                                        "n - missing END), 0) AS memory_rows, "
                                        "coalesce(" MEMORY
                                        "missing END), 0) AS memory_skipped FROM behind",
     NULL},
    {"trial-improvement",
     "SELECT max(CASE kind WHEN 'baseline1' THEN {!measure} END) AS baseline1, max(CASE kind WHEN "
     "'ours' THEN {!measure} END) AS ours, (SELECT {!measure} FROM behind WHERE kind = "
     "'baseline2' ORDER BY completion_time IS NULL, completion_time LIMIT 1) AS baseline2 FROM "
     "behind",
     NULL},
    {"trial-means",
     "SELECT avg(threadpool_size) AS threadpool_size, avg(block_size) AS block_size, "
     "avg(io_time) AS io_time, avg(processing_time) AS processing_time, avg(load_time) AS "
     "load_time, avg(compute_time) AS compute_time, avg(completion_time) AS completion_time, "
     "avg(memory) AS memory, avg(throughput) AS throughput, avg(num_batches) AS num_batches FROM "
     "behind",
     NULL},
    {"trial-samples", NULL, "a row is an array, whose values are no rows"},
    {"trial-search",
     "SELECT count(CASE WHEN sample = {log} || ':batch_completion_time' AND n >= {step} AND min <= "
     "{best} AND max >= {completion_time} THEN 1 END) AS some FROM behind",
     NULL},
    {"worker-memory",
     "SELECT count(*) AS samples, CASE WHEN max(value) < 9.2e18 THEN "
     "CAST(max(value) AS INTEGER) END AS memory_max FROM counter WHERE "
     "name = 'managed_memory' AND lane = {@lane} AND host IS {host} AND time >= {@start} AND "
     "time < {@end}",
     NULL},
};

const struct row_check *
row_check_find(const char *query)
{
	size_t i = NAME_FIND(slice_of(query), checks);

	return i < COUNT_OF(checks) ? &checks[i] : NULL;
}

static void
say(const char *query, const char *what)
{
	printf("# %s: %s\n", query, what);
	counts.failures++;
}

void
row_checks_look(const struct query_library *library)
{
	size_t n_covers = 0, n_facts = 0, n_nothing = 0;

	for (size_t i = 0; i < query_library_count(library); i++) {
		const struct saved_query *query = query_library_get(library, i);
		const struct row_check *check = row_check_find(query->name);

		n_covers += query->covers != NULL;
		n_facts += check && check->facts;
		n_nothing += check && check->nothing;
		if (!query->covers && !check) {
			say(query->name, "neither covers: nor a line in checks.c");
		} else if (check && !check->facts == !check->nothing) {
			say(query->name, "facts, or why there are none");
		} else if (query->covers && check && check->nothing) {
			say(query->name, "covers: and a reason why nothing is compared");
		}
	}
	for (size_t i = 0; i < COUNT_OF(checks); i++) {
		if (!query_library_find(library, checks[i].query, &(struct err)ERR_INIT)) {
			say(checks[i].query, "no such query");
		}
	}
	printf("# %zu queries: of %zu the header covers figures, of %zu what is behind a row is "
	       "asked for, of %zu there is nothing to compare\n",
	       query_library_count(library), n_covers, n_facts, n_nothing);
}
