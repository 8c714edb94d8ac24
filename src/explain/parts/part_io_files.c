/*
 * Part io-files: when each file was used, first and last, how long at least one call was at it, and
 * how long nothing happened in between.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/parts/io.h"
#include "util/intern.h"

enum { PARAM_FILTER, PARAM_BY };

struct file_use {
	int64_t calls, start_ns, end_ns;
	struct interval *busy;
	size_t n_busy, capacity;
};

struct file_table {
	struct intern *names;
	struct file_use (*uses)[2]; /* by name's id, by run */
	size_t capacity;
};

static void
add_use(struct file_use *use, const struct io_group *group)
{
	if (use->calls == 0) {
		use->start_ns = group->start_ns;
		use->end_ns = group->end_ns;
	}
	use->calls = time_add(use->calls, group->n);
	use->start_ns = group->start_ns < use->start_ns ? group->start_ns : use->start_ns;
	use->end_ns = group->end_ns > use->end_ns ? group->end_ns : use->end_ns;
	if (group->n_busy) {
		MEM_GROW(use->busy, use->capacity, use->n_busy + group->n_busy);
		memcpy(use->busy + use->n_busy, group->busy, group->n_busy * sizeof *use->busy);
		use->n_busy += group->n_busy;
	}
}

static void
add_groups(struct file_table *table, const struct io_pair *pair, unsigned run,
           const struct io_by *by, const struct io_groups *groups)
{
	struct io_labels labels = {.labels = {NULL}};
	for (size_t i = 0; i < groups->n; i++) {
		if (groups->groups[i].path == TEXT_NONE) {
			continue;
		}
		io_labels_set(&labels, by, pair, run, &groups->groups[i]);
		uint32_t id = intern_id(table->names, slice_of(labels.labels[0]));
		size_t before = table->capacity;
		MEM_GROW(table->uses, table->capacity, (size_t)id + 1);
		if (table->capacity > before) {
			memset(table->uses + before, 0,
			       (table->capacity - before) * sizeof *table->uses);
		}
		add_use(&table->uses[id][run], &groups->groups[i]);
	}
	io_labels_fini(&labels);
}

enum {
	AT_FILE,
	AT_CALLS,
	AT_FIRST = AT_CALLS + 2,
	AT_LAST = AT_FIRST + 2,
	AT_BUSY = AT_LAST + 2,
	AT_GAPS = AT_BUSY + 2,
	AT_DELTA = AT_GAPS + 2,
	AT_SIZE, /* of the difference, to sort by */
	AT_END
};

static void
add_row(struct result *result, struct slice name, struct file_use *uses)
{
	struct value *row = result_add_row(result);
	int64_t busy[2] = {0, 0};
	row[AT_FILE] = value_text(result, name);
	for (unsigned run = 0; run < 2; run++) {
		struct file_use *use = &uses[run];
		row[AT_CALLS + run] = value_integer(use->calls);
		if (use->calls == 0) {
			continue;
		}
		use->n_busy = intervals_union(use->busy, use->n_busy);
		busy[run] = intervals_length(use->busy, use->n_busy);
		row[AT_FIRST + run] = value_integer(use->start_ns);
		row[AT_LAST + run] = value_integer(use->end_ns);
		row[AT_BUSY + run] = value_integer(busy[run]);
		row[AT_GAPS + run] =
		    value_integer(time_sub(time_sub(use->end_ns, use->start_ns), busy[run]));
	}
	int64_t delta = time_sub(busy[1], busy[0]);
	row[AT_DELTA] = value_integer(delta);
	row[AT_SIZE] = value_integer(delta < 0 ? time_sub(0, delta) : delta);
}

static struct result *
make_result(struct file_table *table, const char *label)
{
	struct result_column columns[AT_END] = {
	    [AT_FILE] = {.name = label, .is_key = true},
	    [AT_CALLS] = {.name = "calls_a", .kind = KIND_COUNT},
	    [AT_CALLS + 1] = {.name = "calls_b", .kind = KIND_COUNT},
	    [AT_FIRST] = {.name = "first_a", .kind = KIND_TIME, .about = "first start"},
	    [AT_FIRST + 1] = {.name = "first_b", .kind = KIND_TIME, .about = "first start"},
	    [AT_LAST] = {.name = "last_a", .kind = KIND_TIME, .about = "last end"},
	    [AT_LAST + 1] = {.name = "last_b", .kind = KIND_TIME, .about = "last end"},
	    [AT_BUSY] = {.name = "busy_a", .kind = KIND_DURATION},
	    [AT_BUSY + 1] = {.name = "busy_b", .kind = KIND_DURATION},
	    [AT_GAPS] = {.name = "gaps_a", .kind = KIND_DURATION},
	    [AT_GAPS + 1] = {.name = "gaps_b", .kind = KIND_DURATION},
	    [AT_DELTA] = {.name = "delta",
	                  .kind = KIND_DURATION,
	                  .is_measure = true,
	                  .about = "busy_b - busy_a"},
	    [AT_SIZE] = {.name = "size"},
	};
	struct err ignored = ERR_INIT;
	struct result *all = result_new(NULL, columns, AT_END);
	for (uint32_t i = 0; i < intern_count(table->names); i++) {
		add_row(all, intern_text(table->names, i), table->uses[i]);
	}
	char order[64];
	snprintf(order, sizeof order, "-size,%s", label);
	(void)result_sort(all, order, &ignored); /* these columns are there */
	struct result *result = result_new("Files", columns, AT_SIZE);
	for (size_t r = 0; r < all->n_rows; r++) {
		struct value *row = result_add_row(result);
		memcpy(row, result_value(all, r, 0), AT_SIZE * sizeof *row);
		row[AT_FILE] = value_text(result, row[AT_FILE].text);
	}
	result_free(all);
	return result;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct io_pair pair;
	struct io_by by;
	struct file_table table = {.capacity = 0};
	struct result *result = NULL;
	if (io_by_parse(&by, "io-files", arguments[PARAM_BY], err)) {
		return NULL;
	}
	if (by.n != 1 || by.mask != IO_FILE) {
		err_set(err, ERR_USAGE, "part io-files: by=%s: not file or pattern",
		        arguments[PARAM_BY]);
		return NULL;
	}
	if (io_pair_init(&pair, explain, arguments[PARAM_FILTER], NULL, err)) {
		return NULL;
	}
	table.names = intern_new();
	if (io_pair_read(&pair, &by, true, err) == 0) {
		add_groups(&table, &pair, 0, &by, &pair.groups[0]);
		add_groups(&table, &pair, 1, &by, &pair.groups[1]);
		result = make_result(&table, by.names[0]);
		io_pair_note(&pair, result);
	}
	for (uint32_t i = 0; i < intern_count(table.names); i++) {
		free(table.uses[i][0].busy);
		free(table.uses[i][1].busy);
	}
	free(table.uses);
	intern_free(table.names);
	io_pair_fini(&pair);
	return result;
}

static const struct query_param params[] = {
    IO_FILTER_PARAM,
    {.name = "by",
     .default_text = "file",
     .about = "rows: file, or pattern (of the file's name, numbers as #)",
     .kind = KIND_TEXT},
};

const struct explain_part explain_io_files = {
    .name = "io-files",
    .title = "Files: first use, last use, busy, gaps",
    .summed = EXPLAIN_SUMMED_BUSY,
    .about =
	"For each file the calls, the first start, the last end, the time in which at least one "
	"call was at it (busy), and "
	"the rest between first and last (gaps). Files are matched by path, else by basename, "
	"else by basename without numbers "
	"and hashes; a file of one run only has no times in the other. Times count from each "
	"run's own start.",
    .needs = "dftracer",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .drill = {"file-spans", "file=file"},
    .compute = compute,
};
