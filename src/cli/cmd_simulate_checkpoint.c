/*
 * lanescope simulate checkpoint: the model by number of nodes, the best interval for a failure
 * rate, and what runs of as many nodes took. What was measured is asked of the saved query
 * scr-cases, so the figures here are those that the query gives.
 */
#include "config.h"
#include "cli/cmd_simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/query_call.h"
#include "simulate/checkpoint.h"
#include "simulate/preemption_source.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"

#define NODES_MAX 256
#define NS 1e9

struct measured_checkpoints {
	const char *run;
	int64_t nodes, checkpoints; /* by each process */
	struct value checkpoint, pfs, ssd;
};
struct checkpoint_call {
	struct query_call query; /* output, -p, runs */
	struct checkpoint_model model;
	int64_t nodes[NODES_MAX];
	size_t n_nodes;
	bool by_node, by_doubling;
	double cost_s, mtbf_s, node_mtbf_s; /* 0: not given */
	const char *failures;
	struct measured_checkpoints *measured;
	size_t n_measured;
};

/* ---- options ---- */

static int
parse_nodes(struct checkpoint_call *call, const char *text, struct err *err)
{
	call->n_nodes = 0;
	for (const char *at = text;; at++) {
		size_t length = strcspn(at, ",");
		int64_t nodes;
		if (!slice_int64((struct slice){at, length}, &nodes) || nodes < 1 ||
		    nodes > 1000000 || call->n_nodes == NODES_MAX) {
			return err_set(err, ERR_USAGE,
			               "--nodes %s: not a list of at most %d numbers of nodes",
			               text, NODES_MAX);
		}
		call->nodes[call->n_nodes++] = nodes;
		at += length;
		if (!*at) {
			return 0;
		}
	}
}

static int
parse_bytes(const char *name, const char *text, double *bytes, struct err *err)
{
	int64_t size;

	if (!parse_size(slice_of(text), &size) || size <= 0) {
		return err_set(err, ERR_USAGE, "--%s %s: not a size like 277GB", name, text);
	}
	*bytes = (double)size;
	return 0;
}

static int
parse_seconds(const char *name, const char *text, double *seconds, struct err *err)
{
	int64_t ns;
	double number;

	/* without a unit it would be ns, which nobody means */
	if (slice_double(slice_of(text), &number) && isfinite(number)) {
		return err_set(err, ERR_USAGE, "--%s %s: in which unit? say %ss or %sms", name,
		               text, text, text);
	}
	if (!parse_duration(slice_of(text), &ns) || ns <= 0) {
		return err_set(err, ERR_USAGE, "--%s %s: not a time like 90s or 6h", name, text);
	}
	*seconds = (double)ns / NS;
	return 0;
}

static int
parse_factor(const char *name, const char *text, double *factor, struct err *err)
{
	if (!slice_double(slice_of(text), factor) || !isfinite(*factor) || *factor <= 0) {
		return err_set(err, ERR_USAGE, "--%s %s: not a number above 0", name, text);
	}
	return 0;
}

static int
parse_rule(struct checkpoint_call *call, const char *text, struct err *err)
{
	bool both = strcmp(text, "both") == 0;

	call->by_node = both || strcmp(text, "node") == 0;
	call->by_doubling = both || strcmp(text, "doubling") == 0;
	return !call->by_node && !call->by_doubling
	           ? err_set(err, ERR_USAGE, "--exponent %s: node, doubling or both", text)
	           : 0;
}

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct checkpoint_call *call = user;

	switch (id) {
	case OPTION_DATA:
		return parse_bytes("data", value, &call->model.data_bytes, err);
	case OPTION_PFS_RATE:
		return parse_bytes("pfs-rate", value, &call->model.pfs_rate, err);
	case OPTION_SSD_RATE:
		return parse_bytes("ssd-rate", value, &call->model.ssd_rate, err);
	case OPTION_PFS_FACTOR:
		return parse_factor("pfs-factor", value, &call->model.pfs_factor, err);
	case OPTION_SSD_FACTOR:
		return parse_factor("ssd-factor", value, &call->model.ssd_factor, err);
	case OPTION_NODES:
		return parse_nodes(call, value, err);
	case OPTION_EXPONENT:
		return parse_rule(call, value, err);
	case OPTION_MTBF:
		return parse_seconds("mtbf", value, &call->mtbf_s, err);
	case OPTION_NODE_MTBF:
		return parse_seconds("node-mtbf", value, &call->node_mtbf_s, err);
	case OPTION_COST:
		return parse_seconds("cost", value, &call->cost_s, err);
	case OPTION_FAILURES:
		call->failures = value;
		return 0;
	default:
		return query_call_take(&call->query, id, value, err);
	}
}

/* ---- what was measured ---- */

/* One number of a run. */
static int
ask_number(struct store *store, const char *sql, const char *argument, double *number,
           struct err *err)
{
	struct stmt *stmt = store_prepare(store, sql, err);

	if (!stmt) {
		return -1;
	}
	if (argument) {
		stmt_bind_text(stmt, 1, slice_of(argument));
	}
	int more = stmt_step(stmt, err);
	*number = more == 1 ? stmt_real(stmt, 0) : 0;
	stmt_free(stmt);
	return more < 0 ? -1 : 0;
}

/* What the checkpoint function is called: -p name, or the query's own. */
static const char *
function_name(const struct query_call *query)
{
	for (size_t i = 0; i < query->arguments.n; i++) {
		if (strcmp(query->arguments.all[i].name, "name") == 0) {
			return query->arguments.all[i].text;
		}
	}
	for (size_t i = 0; i < query->query->n_params; i++) {
		if (strcmp(query->query->params[i].name, "name") == 0) {
			return query->query->params[i].default_text;
		}
	}
	return "";
}

static struct value
figure(const struct result *result, const char *name, struct err *err)
{
	int column = result_column_find(result, name, err);
	return column >= 0 && result->n_rows ? *result_value(result, 0, (size_t)column)
	                                     : (struct value){.type = VALUE_NULL};
}

static int
measure_run(struct checkpoint_call *call, size_t i, struct measured_checkpoints *measured,
            struct err *err)
{
	const struct result *result = call->query.results[i];
	struct store *store = call->query.runs.stores[i];
	double hosts, calls;

	if (ask_number(store, "SELECT count(DISTINCT host) FROM lane", NULL, &hosts, err) ||
	    ask_number(store, "SELECT max(n) FROM span_sums('process', 'name GLOB ?1', ?1)",
	               function_name(&call->query), &calls, err)) {
		return -1;
	}
	*measured = (struct measured_checkpoints){.run = call->query.runs.names[i],
	                                          .nodes = hosts < 1 ? 1 : (int64_t)hosts,
	                                          .checkpoints = (int64_t)calls,
	                                          .checkpoint =
	                                              figure(result, "checkpoint_by_process", err),
	                                          .pfs = figure(result, "pfs_by_process", err),
	                                          .ssd = figure(result, "ssd_by_process", err)};
	for (size_t j = 0; j < call->n_nodes; j++) {
		if (call->nodes[j] == measured->nodes) {
			return 0;
		}
	}
	if (call->n_nodes < NODES_MAX) {
		call->nodes[call->n_nodes++] = measured->nodes;
	}
	return 0;
}

static int
measure(struct checkpoint_call *call, struct cli *cli, struct err *err)
{
	if (cli->n_words == 0) {
		return 0;
	}
	if (query_call_run(&call->query, cli, "scr-cases", true, err)) {
		return -1;
	}
	call->measured = xcalloc(call->query.runs.n, sizeof *call->measured);
	for (; call->n_measured < call->query.runs.n; call->n_measured++) {
		if (measure_run(call, call->n_measured, &call->measured[call->n_measured], err)) {
			return -1;
		}
	}
	SORT(call->nodes, call->n_nodes, compare_integers);
	return 0;
}

/* One of two that would not be seen in the answer is refused. */
static int
check_call(const struct checkpoint_call *call, bool has_runs, struct err *err)
{
	const char *rates[] = {call->mtbf_s > 0 ? "--mtbf" : NULL,
	                       call->node_mtbf_s > 0 ? "--node-mtbf" : NULL,
	                       call->failures ? "--failures" : NULL};
	const char *first = NULL;

	for (size_t i = 0; i < COUNT_OF(rates); i++) {
		if (first && rates[i]) {
			return err_set(err, ERR_USAGE, "%s and %s: give one rate of failures",
			               first, rates[i]);
		}
		first = rates[i] ? rates[i] : first;
	}
	return !has_runs && call->query.arguments.n > 0
	           ? err_set(err, ERR_USAGE,
	                     "-p %s=%s: a parameter of what is asked of a RUN, and none is named",
	                     call->query.arguments.all[0].name, call->query.arguments.all[0].text)
	           : 0;
}

/* Time between preemptions of a recorded trace. */
static int
measure_failures(struct checkpoint_call *call, struct cli *cli, struct err *err)
{
	struct preemption_params params = preemption_defaults;
	struct run_set runs;
	char *arguments[1] = {(char *)call->failures};

	if (!call->failures) {
		return 0;
	}
	if (run_set_open(&runs, cli, arguments, 1, false, err)) {
		return -1;
	}
	int rc = preemption_like(runs.stores[0], NULL, &params, err);
	run_set_close(&runs);
	if (rc == 0 && !(params.p_preempt > 0)) {
		rc = err_set(err, ERR_USAGE, "%s: no preemption in this run", call->failures);
	}
	call->mtbf_s = rc ? 0 : 60 / params.p_preempt;
	return rc;
}

/* ---- the table ---- */

static const struct result_column columns[] = {
    {.name = "nodes", .kind = KIND_COUNT, .is_key = true},
    {.name = "exponent", .is_key = true},
    {.name = "power", .kind = KIND_REAL},
    {.name = "pfs", .kind = KIND_DURATION, .is_measure = true},
    {.name = "ssd", .kind = KIND_DURATION, .is_measure = true},
    {.name = "flush", .kind = KIND_DURATION, .is_measure = true},
    {.name = "run", .is_key = true},
    {.name = "checkpoints", .kind = KIND_COUNT},
    {.name = "measured_checkpoint", .kind = KIND_DURATION, .is_measure = true},
    {.name = "measured_pfs", .kind = KIND_DURATION, .is_measure = true},
    {.name = "measured_ssd", .kind = KIND_DURATION, .is_measure = true},
    {.name = "mtbf", .kind = KIND_DURATION},
    {.name = "cost", .kind = KIND_DURATION},
    {.name = "cost_of"},
    {.name = "young", .kind = KIND_DURATION, .is_measure = true},
    {.name = "daly", .kind = KIND_DURATION, .is_measure = true},
};
enum { AT_RUN = 6, AT_MTBF = 11, N_COLUMNS = COUNT_OF(columns) };

/* Which columns this call fills. */
static size_t
choose_columns(const struct checkpoint_call *call, bool intervals,
               struct result_column chosen[N_COLUMNS], size_t *at_mtbf)
{
	size_t n = AT_RUN;

	memcpy(chosen, columns, AT_RUN * sizeof *columns);
	if (call->n_measured) {
		memcpy(chosen + n, columns + AT_RUN, (AT_MTBF - AT_RUN) * sizeof *columns);
		n += AT_MTBF - AT_RUN;
	}
	*at_mtbf = n;
	if (intervals) {
		memcpy(chosen + n, columns + AT_MTBF, (N_COLUMNS - AT_MTBF) * sizeof *columns);
		n += N_COLUMNS - AT_MTBF;
	}
	return n;
}

static struct value
seconds(double s)
{
	double ns = rint(s * NS);
	return value_integer(ns < 9e18 ? (int64_t)ns : INT64_MAX);
}

struct row_source {
	int64_t nodes;
	enum checkpoint_rule rule;
	const struct measured_checkpoints *measured; /* NULL: none */
};

static struct value *
add_row(struct result *table, const struct checkpoint_call *call, const struct row_source *source)
{
	struct checkpoint_times times =
	    checkpoint_model_times(&call->model, source->nodes, source->rule);
	struct value *row = result_add_row(table);

	row[0] = value_integer(source->nodes);
	row[1] = value_text(table, slice_of(checkpoint_rule_name(source->rule)));
	row[2] = value_real(times.exponent);
	row[3] = seconds(times.pfs_s);
	row[4] = seconds(times.ssd_s);
	row[5] = seconds(times.flush_s);
	if (source->measured) {
		row[6] = value_text(table, slice_of(source->measured->run));
		row[7] = value_integer(source->measured->checkpoints);
		row[8] = source->measured->checkpoint;
		row[9] = source->measured->pfs;
		row[10] = source->measured->ssd;
	}
	return row;
}

/* A row for each cost that is known: given, measured, or both of the model's. */
static void
add_rows(struct result *table, const struct checkpoint_call *call, const struct row_source *source,
         size_t at_mtbf)
{
	struct checkpoint_times times =
	    checkpoint_model_times(&call->model, source->nodes, source->rule);
	const struct measured_checkpoints *measured = source->measured;
	double mtbf_s = call->mtbf_s > 0 ? call->mtbf_s : call->node_mtbf_s / (double)source->nodes;
	struct {
		const char *of;
		double s;
	} costs[] = {{"given", call->cost_s}, {"measured", 0}, {"pfs", 0}, {"ssd", 0}};

	if (!(mtbf_s > 0)) {
		(void)add_row(table, call, source);
		return;
	}
	if (measured && measured->checkpoint.type == VALUE_INTEGER && measured->checkpoints > 0) {
		costs[1].s =
		    (double)measured->checkpoint.integer / NS / (double)measured->checkpoints;
	}
	if (!(costs[0].s > 0) && !(costs[1].s > 0)) {
		costs[2].s = times.pfs_s;
		costs[3].s = times.ssd_s;
	}
	for (size_t i = 0; i < COUNT_OF(costs); i++) {
		if (costs[i].s > 0) {
			struct value *row = add_row(table, call, source) + at_mtbf;
			row[0] = seconds(mtbf_s);
			row[1] = seconds(costs[i].s);
			row[2] = value_text(table, slice_of(costs[i].of));
			row[3] = seconds(checkpoint_young(costs[i].s, mtbf_s));
			row[4] = seconds(checkpoint_daly(costs[i].s, mtbf_s));
		}
	}
}

static void
add_nodes(struct result *table, const struct checkpoint_call *call, int64_t nodes, size_t at_mtbf)
{
	for (int rule = CHECKPOINT_BY_NODE; rule <= CHECKPOINT_BY_DOUBLING; rule++) {
		struct row_source source = {nodes, (enum checkpoint_rule)rule, NULL};
		bool any = false;
		if (!(rule == CHECKPOINT_BY_NODE ? call->by_node : call->by_doubling)) {
			continue;
		}
		for (size_t i = 0; i < call->n_measured; i++) {
			if (call->measured[i].nodes == nodes) {
				source.measured = &call->measured[i];
				add_rows(table, call, &source, at_mtbf);
				any = true;
			}
		}
		if (!any) {
			add_rows(table, call, &source, at_mtbf);
		}
	}
}

static int
answer(struct checkpoint_call *call, struct err *err)
{
	struct result_column chosen[N_COLUMNS];
	size_t at_mtbf;
	bool intervals = call->mtbf_s > 0 || call->node_mtbf_s > 0;
	size_t n = choose_columns(call, intervals, chosen, &at_mtbf);

	if (checkpoint_model_check(&call->model, err)) {
		return -1;
	}
	if (call->cost_s > 0 && !intervals) {
		return err_set(err, ERR_USAGE,
		               "--cost is for the best interval: with --mtbf, --node-mtbf or "
		               "--failures");
	}
	struct result *table = result_new("Checkpoint times", chosen, n);
	for (size_t i = 0; i < call->n_nodes; i++) {
		add_nodes(table, call, call->nodes[i], at_mtbf);
	}
	int rc = output_result(table, &call->query.output, err);
	result_free(table);
	return rc;
}

int
command_simulate_checkpoint(struct cli *cli)
{
	struct checkpoint_call call = {.model = checkpoint_defaults,
	                               .nodes = {1, 2, 4, 8},
	                               .n_nodes = 4,
	                               .by_node = true,
	                               .by_doubling = true};
	struct err err = ERR_INIT;
	int status = CLI_DONE;

	if (options_parse(cli, take, &call, &err) || check_call(&call, cli->n_words > 0, &err) ||
	    measure_failures(&call, cli, &err) || measure(&call, cli, &err) ||
	    answer(&call, &err)) {
		status = cli_usage(cli, &err);
	}
	query_call_free(&call.query);
	free(call.measured);
	return status;
}
