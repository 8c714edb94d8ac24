/*
 * Part io-calls: calls that one way of doing I/O makes more often than another, by file.
 *
 * Counts by file and operation name what is extra; which code makes the calls is told by an
 * example: the first such call of the run that has more, its thread and the span it lies in. Rows
 * with as many calls in both runs say nothing about the question and are only counted.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "explain/parts/io.h"
#include "util/intern.h"

enum { PARAM_FILTER, PARAM_BY, PARAM_CLASSES };

struct calls {
	char *labels[IO_LABELS_MAX];
	int64_t n[2], time_ns[2], size_bytes[2], first_id[2];
};

struct call_table {
	struct intern *keys;
	struct calls *rows;
	size_t n, capacity;
	struct arena *arena;
};

static struct calls *
find_row(struct call_table *table, const struct io_by *by, const struct io_labels *labels)
{
	struct strbuf key = {0};
	for (size_t i = 0; i < by->n; i++) {
		strbuf_add(&key, labels->labels[i], strlen(labels->labels[i]) + 1);
	}
	uint32_t id = intern_id(table->keys, strbuf_slice(&key));
	strbuf_free(&key);
	if (id == table->n) {
		MEM_GROW(table->rows, table->capacity, table->n + 1);
		struct calls *row = &table->rows[table->n++];
		*row = (struct calls){.first_id = {INT64_MAX, INT64_MAX}};
		for (size_t i = 0; i < by->n; i++) {
			row->labels[i] = arena_strndup(table->arena, labels->labels[i],
			                               strlen(labels->labels[i]));
		}
	}
	return &table->rows[id];
}

static void
add_groups(struct call_table *table, const struct io_pair *pair, unsigned run,
           const struct io_by *by, const struct io_groups *groups)
{
	struct io_labels labels = {.labels = {NULL}};
	for (size_t i = 0; i < groups->n; i++) {
		const struct io_group *group = &groups->groups[i];
		io_labels_set(&labels, by, pair, run, group);
		struct calls *row = find_row(table, by, &labels);
		row->n[run] = time_add(row->n[run], group->n);
		row->time_ns[run] = time_add(row->time_ns[run], group->duration_ns);
		row->size_bytes[run] = time_add(row->size_bytes[run], group->size_bytes);
		if (group->first_id < row->first_id[run]) {
			row->first_id[run] = group->first_id;
		}
	}
	io_labels_fini(&labels);
}

static int64_t
extra(const struct calls *row)
{
	return time_sub(row->n[1], row->n[0]);
}

static int64_t
extra_time(const struct calls *row)
{
	return time_sub(row->time_ns[1], row->time_ns[0]);
}

static uint64_t
magnitude(int64_t value)
{
	return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* By how much time the extra calls take, then by how many they are. Ties stay as the groups came. */
static int
compare_rows(const void *left, const void *right)
{
	const struct calls *a = left, *b = right;
	uint64_t x = magnitude(extra_time(a)), y = magnitude(extra_time(b));
	if (x == y) {
		x = magnitude(extra(a));
		y = magnitude(extra(b));
	}
	for (size_t i = 0; x == y && i < IO_LABELS_MAX && a->labels[i]; i++) {
		int order = strcmp(a->labels[i], b->labels[i]);
		if (order) {
			return order;
		}
	}
	return x > y ? -1 : x < y;
}

/* Lane and parent of an example. */
static int
add_example(struct result *result, struct value *thread, struct value *parent,
            const struct io_run *run, int64_t id, struct err *err)
{
	struct span_row row, above;
	if (row_get(run->dataset, BLOCK_SPAN, id, &row, err)) {
		return -1;
	}
	if (row.lane < run->dataset->n_lanes) {
		*thread = value_text(
		    result, dataset_text(run->dataset, run->dataset->lanes[row.lane].name));
	}
	if (row.parent > 0) {
		if (row_get(run->dataset, BLOCK_SPAN, row.parent, &above, err)) {
			return -1;
		}
		*parent = value_text(result, dataset_text(run->dataset, above.name));
	}
	return 0;
}

static struct result *
new_result(const struct io_by *by)
{
	static const struct result_column columns[] = {
	    {.name = "calls_a", .kind = KIND_COUNT},
	    {.name = "calls_b", .kind = KIND_COUNT},
	    {.name = "extra", .kind = KIND_COUNT, .is_measure = true, .about = "calls_b - calls_a"},
	    {.name = "time_a", .kind = KIND_DURATION},
	    {.name = "time_b", .kind = KIND_DURATION},
	    {.name = "time_delta", .kind = KIND_DURATION, .is_measure = true},
	    {.name = "size_a", .kind = KIND_SIZE},
	    {.name = "size_b", .kind = KIND_SIZE},
	    {.name = "thread", .about = "of the first such call of the run that has more"},
	    {.name = "parent", .about = "the span in which that call lies"},
	};
	struct result_column all[IO_LABELS_MAX + sizeof columns / sizeof *columns];
	for (size_t i = 0; i < by->n; i++) {
		bool is_thread = strcmp(by->names[i], "thread") == 0;
		all[i] = (struct result_column){.name = is_thread ? "nth_thread" : by->names[i],
		                                .is_key = true};
	}
	memcpy(all + by->n, columns, sizeof columns);
	return result_new("Extra and missing calls", all, by->n + sizeof columns / sizeof *columns);
}

static int
add_row(struct result *result, const struct io_pair *pair, const struct io_by *by,
        const struct calls *calls, struct err *err)
{
	struct value *row = result_add_row(result);
	unsigned more = calls->n[1] > calls->n[0];
	for (size_t i = 0; i < by->n; i++) {
		row[i] = value_text(result, slice_of(calls->labels[i]));
	}
	row += by->n;
	row[0] = value_integer(calls->n[0]);
	row[1] = value_integer(calls->n[1]);
	row[2] = value_integer(extra(calls));
	row[3] = value_integer(calls->time_ns[0]);
	row[4] = value_integer(calls->time_ns[1]);
	row[5] = value_integer(extra_time(calls));
	row[6] = value_integer(calls->size_bytes[0]);
	row[7] = value_integer(calls->size_bytes[1]);
	return add_example(result, &row[8], &row[9], &pair->runs[more], calls->first_id[more], err);
}

static struct result *
make_result(const struct io_pair *pair, const struct io_by *by, struct call_table *table,
            struct err *err)
{
	struct result *result = new_result(by);
	size_t n_same = 0;
	if (table->n) {
		qsort(table->rows, table->n, sizeof *table->rows, compare_rows);
	}
	for (size_t i = 0; i < table->n; i++) {
		if (extra(&table->rows[i]) == 0) {
			n_same++;
		} else if (cancel_requested(pair->runs[0].cancel)) {
			err_set(err, ERR_CANCELLED, "cancelled");
			goto fail;
		} else if (add_row(result, pair, by, &table->rows[i], err)) {
			goto fail;
		}
	}
	io_pair_note(pair, result);
	result_add_note(result, "%zu of %zu rows have as many calls in both and are left out",
	                n_same, table->n);
	return result;
fail:
	result_free(result);
	return NULL;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct io_pair pair;
	struct io_by by;
	struct call_table table = {.n = 0};
	struct result *result = NULL;
	if (io_by_parse(&by, "io-calls", arguments[PARAM_BY], err) ||
	    io_pair_init(&pair, explain, arguments[PARAM_FILTER], arguments[PARAM_CLASSES], err)) {
		return NULL;
	}
	table.keys = intern_new();
	table.arena = arena_new();
	if (io_pair_read(&pair, &by, false, err) == 0) {
		add_groups(&table, &pair, 0, &by, &pair.groups[0]);
		add_groups(&table, &pair, 1, &by, &pair.groups[1]);
		result = make_result(&pair, &by, &table, err);
	}
	free(table.rows);
	intern_free(table.keys);
	arena_free(table.arena);
	io_pair_fini(&pair);
	return result;
}

static const struct query_param params[] = {
    IO_FILTER_PARAM,
    {.name = "by",
     .default_text = "pattern,operation,thread",
     .about = "rows: a list of class, operation, size, rank, thread, and pattern or file",
     .kind = KIND_TEXT},
    IO_CLASSES_PARAM,
};

const struct explain_part explain_io_calls = {
    .name = "io-calls",
    .title = "Extra and missing calls",
    .summed = EXPLAIN_SUMMED_SUMS,
    .about =
	"Calls that one run makes more often than the other, by pattern of the file's name "
	"(by=file: by file, "
	"matched by path, basename or pattern), operation and thread (the n-th of its process), "
	"with their time and bytes. thread and "
	"parent are those of the first such call of the run that has more: an example, not all of "
	"them.",
    .needs = "dftracer",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .drill = {"span", "name=operation"},
    .compute = compute,
};
