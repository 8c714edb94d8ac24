/*
 * Virtual tables: how SQL sees column blocks.
 *
 *     span, event, counter                          every row           vtab_rows.c, vtab_row.c
 *     span_sums(by, filter, p1 ...), event_, counter_   a row a group    vtab_sums.c
 *     span_page(filter, order, offset, n, p1 ...), ...  a page of rows   vtab_page.c
 *     span_busy(by, filter, beside, p1 ...)         busy and hidden time  vtab_busy.c
 *     span_overlap(window, a, b, p1 ...)            unions of intervals  vtab_overlap.c
 *     span_pairs(key, spans, partners, p1 ...)      joined by a value    vtab_pairs.c
 *     span_gaps(filter, least, n, p1 ...), span_idle    gaps of lanes    vtab_gaps.c
 *     arguments of all these                                             vtab_arguments.c
 *     capacity_state                                states of pools      vtab_capacity.c
 *     sample_value                                  values of samples    vtab_samples.c
 *
 * All are eponymous-only: they exist on every connection that registers them, and none can be
 * created, so a run file needs no schema entries for them and stays an ordinary database. The
 * price: SQLite resolves their names without regard to the schema's, so that
 * `attached.span_sums(...)` of an ATTACHed run would silently read the run of the main database.
 * One connection, one run: runs are compared by one query each.
 *
 * The tables keep pointers to one vtab_run, which counts them: the extension may be loaded twice on
 * a connection while statements of the first time still run, and the source must outlive the last
 * of them.
 *
 * A scan may take seconds inside of one xFilter. It is stopped by the reader's cancel flag, or by
 * interrupting the connection: the dataset fetches columns through statements of the same
 * connection, which notice. Either way the statement ends with SQLITE_INTERRUPT.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "store/functions.h"
#include "util/mem.h"

#define CONFIG_INNOCUOUS 2 /* SQLITE_VTAB_INNOCUOUS, known from 3.31 on */

static const struct vtab_type types[] = {
    {"span", BLOCK_SPAN, &vtab_rows_module, vtab_rows_declare},
    {"event", BLOCK_EVENT, &vtab_rows_module, vtab_rows_declare},
    {"counter", BLOCK_COUNTER, &vtab_rows_module, vtab_rows_declare},
    {"span_sums", BLOCK_SPAN, &vtab_sums_module, vtab_sums_declare},
    {"event_sums", BLOCK_EVENT, &vtab_sums_module, vtab_sums_declare},
    {"counter_sums", BLOCK_COUNTER, &vtab_sums_module, vtab_sums_declare},
    {"span_page", BLOCK_SPAN, &vtab_page_module, vtab_page_declare},
    {"event_page", BLOCK_EVENT, &vtab_page_module, vtab_page_declare},
    {"counter_page", BLOCK_COUNTER, &vtab_page_module, vtab_page_declare},
    {"span_busy", BLOCK_SPAN, &vtab_busy_module, vtab_busy_declare},
    {"span_overlap", BLOCK_SPAN, &vtab_overlap_module, vtab_overlap_declare},
    {"span_pairs", BLOCK_SPAN, &vtab_pairs_module, vtab_pairs_declare},
    {"span_gaps", BLOCK_SPAN, &vtab_gaps_module, vtab_gaps_declare},
    {"span_idle", BLOCK_SPAN, &vtab_idle_module, vtab_idle_declare},
    {"capacity_state", BLOCK_SPAN, &vtab_capacity_module, vtab_capacity_declare}, /* of no kind */
    {"sample_value", BLOCK_SPAN, &vtab_samples_module, vtab_samples_declare},     /* of no kind */
};

/* What a registered module knows. */
struct module_data {
	const struct vtab_type *type;
	struct vtab_run *run;
};

static void
run_release(struct vtab_run *run)
{
	if (--run->references == 0) {
		if (run->source.release) {
			run->source.release(run->source.user);
		}
		free(run);
	}
}

static void
module_free(void *data)
{
	struct module_data *module = data;
	run_release(module->run);
	free(module);
}

int
vtab_connect(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **table,
             char **message)
{
	const struct module_data *module = data;
	struct strbuf sql = {NULL, 0, 0};
	(void)argc;
	(void)argv;
	(void)message;
	strbuf_add_text(&sql, "CREATE TABLE x(");
	module->type->declare(module->type->kind, &sql);
	strbuf_add_text(&sql, ")");
	int result = sqlite3_declare_vtab(db, sql.data);
	strbuf_free(&sql);
	if (result != SQLITE_OK) {
		return result;
	}
	if (sqlite3_libversion_number() >= 3031000) {
		sqlite3_vtab_config(db, CONFIG_INNOCUOUS);
	}
	struct vtab *vtab = xcalloc(1, sizeof(*vtab));
	vtab->type = module->type;
	vtab->db = db;
	vtab->rows = row_shape(vtab->type->kind);
	vtab->dimensions = dimension_shape();
	vtab->run = module->run;
	vtab->run->references++;
	*table = &vtab->base;
	return SQLITE_OK;
}

int
vtab_disconnect(sqlite3_vtab *table)
{
	struct vtab *vtab = (struct vtab *)table;
	run_release(vtab->run);
	free(vtab);
	return SQLITE_OK;
}

int
vtab_fail(struct vtab *vtab, const struct err *err)
{
	sqlite3_free(vtab->base.zErrMsg);
	vtab->base.zErrMsg = sqlite3_mprintf("%s", err->message);
	return result_of_err(err);
}

const struct dataset *
vtab_dataset(struct vtab *vtab, struct err *err)
{
	return vtab->run->source.dataset(vtab->run->source.user, err);
}

const struct cancel *
vtab_cancel(struct vtab *vtab)
{
	return vtab->run->source.cancel(vtab->run->source.user);
}

int
vtab_take_census(struct vtab *vtab, const char *filter,
                 const struct scan_value parameters[SCAN_PARAMETERS], bool is_beside,
                 struct err *err)
{
	const struct vtab_source *source = &vtab->run->source;
	return source->take_census && vtab->type->kind == BLOCK_SPAN
	           ? source->take_census(source->user, filter, parameters, is_beside, err)
	           : 0;
}

void
vtab_result_text(sqlite3_context *context, struct slice text)
{
	sqlite3_result_text64(context, text.ptr ? text.ptr : "", text.len, SQLITE_STATIC,
	                      SQLITE_UTF8);
}

void
vtab_result_code(sqlite3_context *context, const struct dataset *dataset, uint32_t code)
{
	if (code < dataset->n_texts) { /* TEXT_NONE is not: NULL */
		vtab_result_text(context, dataset->texts[code]);
	}
}

int
vtab_register(sqlite3 *db, const struct vtab_source *source, struct err *err)
{
	struct vtab_run *run = xcalloc(1, sizeof(*run));
	*run = (struct vtab_run){*source, 1};
	int status = 0;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]) && !status; i++) {
		struct module_data *module = xcalloc(1, sizeof(*module));
		*module = (struct module_data){&types[i], run};
		run->references++;
		int result = sqlite3_create_module_v2(db, types[i].name, types[i].methods, module,
		                                      module_free); /* frees on failure, too */
		/* Versions that refuse to replace a module say misuse: the first one stays. */
		if (result != SQLITE_OK && result != SQLITE_MISUSE) {
			status = err_set(err, ERR_INTERNAL, "virtual table %s: %s", types[i].name,
			                 sqlite3_errmsg(db));
		}
	}
	run_release(run);
	return status;
}

/* --- Run readers --------------------------------------------------------- */

static const struct dataset *
reader_dataset(void *reader, struct err *err)
{
	return run_reader_dataset(reader, err);
}

static const struct cancel *
reader_cancel(void *reader)
{
	return run_reader_cancel(reader);
}

static int
reader_take_census(void *reader, const char *filter,
                   const struct scan_value parameters[SCAN_PARAMETERS], bool is_beside,
                   struct err *err)
{
	return run_reader_take_census(reader, filter, parameters, is_beside, err);
}

static void
reader_release(void *reader)
{
	run_reader_free(reader);
}

struct vtab_source
vtab_reader_source(struct run_reader *reader, bool is_owned)
{
	return (struct vtab_source){reader, reader_dataset, reader_cancel,
	                            is_owned ? reader_release : NULL, reader_take_census};
}

int
lanescope_register(sqlite3 *db, struct run_reader *reader, struct err *err)
{
	if (functions_register(db, err)) {
		return -1;
	}
	if (!reader) {
		return 0;
	}
	struct vtab_source source = vtab_reader_source(reader, false);
	return vtab_register(db, &source, err);
}

int
vtab_listed_filter(sqlite3_vtab_cursor *base, const char *names, int argc, sqlite3_value **argv,
                   int (*run)(struct vtab *vtab, sqlite3_vtab_cursor *base, struct err *err))
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	struct err err = ERR_INIT;
	bool is_same;
	cursor->at = 0;
	if (arguments_set(&cursor->arguments, names, argc, argv, &is_same)) {
		return SQLITE_NOMEM;
	}
	if (is_same && cursor->is_run) {
		return SQLITE_OK;
	}
	free(cursor->rows);
	cursor->rows = NULL;
	cursor->n = 0;
	cursor->is_run = false;
	if (run(vtab, base, &err)) {
		err_wrap(&err, "%s", vtab->type->name);
		return vtab_fail(vtab, &err);
	}
	cursor->is_run = true;
	return SQLITE_OK;
}

void
vtab_listed_fini(struct listed_cursor *cursor)
{
	free(cursor->rows);
	arguments_free(&cursor->arguments);
}

int
vtab_listed_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct listed_cursor *listed = xcalloc(1, sizeof *listed);
	(void)table;
	*cursor = &listed->base;
	return SQLITE_OK;
}

int
vtab_listed_close(sqlite3_vtab_cursor *base)
{
	vtab_listed_fini((struct listed_cursor *)base);
	free(base);
	return SQLITE_OK;
}

int
vtab_listed_next(sqlite3_vtab_cursor *base)
{
	((struct listed_cursor *)base)->at++;
	return SQLITE_OK;
}

int
vtab_listed_eof(sqlite3_vtab_cursor *base)
{
	const struct listed_cursor *cursor = (const struct listed_cursor *)base;
	return cursor->at >= cursor->n;
}

int
vtab_listed_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = ((struct listed_cursor *)base)->at + 1;
	return SQLITE_OK;
}
