/*
 * The times of labels are those of whole runs. Names of tasks are mostly unique: their kind stands
 * for them.
 */
#include "config.h"

#include "query/timeline/timeline_labels.h"

#include <stdlib.h>

#include "column/scan/scan.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define NAMES_LIMIT 1000000

void
labels_init(struct labels *labels)
{
	*labels = (struct labels){.texts = intern_new()};
}

void
labels_fini(struct labels *labels)
{
	intern_free(labels->texts);
	free(labels->labels);
}

/* What a code of a category or name has in the run. */
struct code_sums {
	int64_t self_ns, n;
	double sum_ns;
	uint32_t code, kind; /* kind: of the tasks that bear the name, TEXT_NONE if none does */
};

static int
code_compare(const void *left, const void *right)
{
	const struct code_sums *a = left, *b = right;

	ORDER_BY(b->self_ns, a->self_ns);
	return ORDER(a->code, b->code);
}

struct code_reading {
	const struct dataset *dataset;
	struct code_sums *codes;
	bool by_category;
};

static void
add_sums(void *user, const struct dataset_total *total)
{
	const struct code_reading *reading = user;
	const struct dataset *dataset = reading->dataset;
	uint32_t code = reading->by_category ? total->category : total->name;

	if (code < dataset->n_texts && total->lane < dataset->n_lanes &&
	    dataset->lanes[total->lane].kind != LANE_SUMMARY) {
		time_raise(&reading->codes[code].self_ns, total->self_sum);
		reading->codes[code].sum_ns += (double)total->duration_sum;
		time_raise(&reading->codes[code].n, total->calls);
	}
}

static int
read_sums(const struct dataset *dataset, struct code_sums *codes, bool by_category, struct err *err)
{
	struct code_reading reading = {dataset, codes, by_category};

	return dataset_each_total(dataset, add_sums, &reading, err);
}

/* Of all of the run's tasks, whatever the scope leaves: a label is the same in any. */
static int
read_kinds(struct store *store, struct code_sums *codes, uint32_t n_codes, struct err *err)
{
	struct stmt *stmt =
	    store_prepare(store, "SELECT key, min(kind) FROM main.task GROUP BY key", err);
	int row;
	while ((row = stmt_step(stmt, err)) > 0) {
		int64_t key = stmt_integer(stmt, 0), kind = stmt_integer(stmt, 1);

		if (key >= 0 && key < n_codes && stmt_type(stmt, 1) != VALUE_NULL && kind >= 0 &&
		    kind < n_codes) {
			codes[key].kind = (uint32_t)kind;
		}
	}
	stmt_free(stmt);
	return row;
}

/* The label of a text, new ones without time. */
static struct label *
label_of(struct labels *labels, struct slice text)
{
	uint32_t id = intern_id(labels->texts, text);

	if (id >= labels->n) {
		MEM_GROW(labels->labels, labels->capacity, (size_t)id + 1);
		labels->labels[id] = (struct label){.id = id};
		labels->n = (size_t)id + 1;
	}
	return &labels->labels[id];
}

int
labels_read(struct labels *labels, struct label_codes *of, struct store *store, bool by_category,
            struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct code_sums *codes;
	size_t n = 0;

	if (!dataset) {
		return -1;
	}
	of->n_codes = dataset->n_texts;
	of->of_code = xmalloc(((size_t)dataset->n_texts + 1) * sizeof *of->of_code);
	memset(of->of_code, 0xff, (size_t)dataset->n_texts * sizeof *of->of_code);
	MEM_NEW(codes, (size_t)dataset->n_texts + 1);
	for (uint32_t i = 0; i < dataset->n_texts; i++) {
		codes[i].code = i;
		codes[i].kind = TEXT_NONE;
	}
	int rc = read_sums(dataset, codes, by_category, err);
	if (rc == 0 && !by_category && store_run(store)->n_tasks > 0) {
		rc = read_kinds(store, codes, dataset->n_texts, err);
	}
	for (uint32_t i = 0; i < dataset->n_texts && rc == 0; i++) {
		if (codes[i].n > 0) {
			codes[n++] = codes[i]; /* n <= i */
		}
	}
	SORT(codes, n, code_compare);
	for (size_t i = 0; i < n && i < NAMES_LIMIT; i++) {
		uint32_t text = codes[i].kind != TEXT_NONE ? codes[i].kind : codes[i].code;

		struct label *label = label_of(labels, dataset->texts[text]);
		time_raise(&label->self_ns, codes[i].self_ns);
		label->sum_ns += codes[i].sum_ns;
		time_raise(&label->n, codes[i].n);
		of->of_code[codes[i].code] = label->id;
	}
	free(codes);
	return rc;
}

/* Classes are few, and what a path's is depends on the connection: their sums are made by a
 * scan. */
int
labels_read_classes(struct labels *labels, struct store *store, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct sums_request request = {.kind = BLOCK_SPAN, .by = "class"};
	struct sums *sums = dataset ? sums_run(dataset, &request, err) : NULL;

	for (size_t i = 0; sums && i < sums_count(sums); i++) {
		struct scan_value class = sums_key(sums, i, ROW_PATH_CLASS);
		if (class.type == SCAN_TEXT) {
			time_raise(&label_of(labels, class.text)->self_ns,
			           sums_group(sums, i)->measure[MEASURE_SELF].sum);
		}
	}
	sums_free(sums);
	return sums ? 0 : -1;
}
