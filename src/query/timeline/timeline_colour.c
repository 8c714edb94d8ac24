/*
 * Ranks are by time in the whole run, so that a category or a name keeps its colour whatever is on
 * the screen. Names of tasks are mostly unique: their kind stands for them.
 */
#include "config.h"

#include "query/timeline/timeline_colour.h"

#include <stdlib.h>

#include "column/scan/scan.h"
#include "util/ascii.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/order.h"

#define NAMES_LIMIT 1000000

static const char *const mode_names[COLOUR_MODES] = {"category", "name", "class", "status",
                                                     "slowdown"};

const char *
colour_mode_name(enum colour_mode mode)
{
	return mode_names[mode];
}

bool
colour_mode_find(struct slice name, enum colour_mode *mode)
{
	size_t i = NAME_FIND(name, mode_names);
	if (i < COLOUR_MODES) {
		*mode = (enum colour_mode)i;
	}
	return i < COLOUR_MODES;
}

/* Time of a label (category, name, kind) in a run, and which codes it stands for. */
struct label {
	uint32_t id; /* in the intern */
	int64_t self_ns;
	double sum_ns;
	int64_t n;
};
struct labels {
	struct intern *texts;
	struct label *labels;
	size_t n, capacity;
	uint32_t *of_code; /* label's id by text code */
	uint32_t n_codes;
};

static void
labels_fini(struct labels *labels)
{
	intern_free(labels->texts);
	free(labels->labels);
	free(labels->of_code);
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

static int
read_sums(const struct dataset *dataset, struct code_sums *codes, bool by_category, struct err *err)
{
	const struct dataset_total *totals;
	size_t n;

	if (dataset->totals(dataset->user, false, &totals, &n, err)) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		uint32_t code = by_category ? totals[i].category : totals[i].name;

		if (code < dataset->n_texts && totals[i].lane < dataset->n_lanes &&
		    dataset->lanes[totals[i].lane].kind != LANE_SUMMARY) {
			time_raise(&codes[code].self_ns, totals[i].self_sum);
			codes[code].sum_ns += (double)totals[i].duration_sum;
			time_raise(&codes[code].n, totals[i].calls);
		}
	}
	return 0;
}

static int
read_kinds(struct store *store, struct code_sums *codes, uint32_t n_codes, struct err *err)
{
	struct stmt *stmt =
	    store_prepare(store, "SELECT key, min(kind) FROM task GROUP BY key", err);
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

static void
labels_add(struct labels *labels, const struct code_sums *sums, struct slice text)
{
	uint32_t id = intern_id(labels->texts, text);

	if (id >= labels->n) {
		MEM_GROW(labels->labels, labels->capacity, (size_t)id + 1);
		labels->labels[id] = (struct label){.id = id};
		labels->n = (size_t)id + 1;
	}
	time_raise(&labels->labels[id].self_ns, sums->self_ns);
	labels->labels[id].sum_ns += sums->sum_ns;
	time_raise(&labels->labels[id].n, sums->n);
	labels->of_code[sums->code] = id;
}

static int
labels_read(struct labels *labels, struct store *store, bool by_category, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct code_sums *codes;
	size_t n = 0;

	if (!dataset) {
		return -1;
	}
	labels->texts = intern_new();
	labels->n_codes = dataset->n_texts;
	labels->of_code = xmalloc(((size_t)dataset->n_texts + 1) * sizeof *labels->of_code);
	memset(labels->of_code, 0xff, (size_t)dataset->n_texts * sizeof *labels->of_code);
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

		labels_add(labels, &codes[i], dataset->texts[text]);
	}
	free(codes);
	return rc;
}

/* Classes are few, and what a path's is depends on the connection: their sums are made by a
 * scan. */
static int
labels_read_classes(struct labels *labels, struct store *store, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct sums_request request = {.kind = BLOCK_SPAN, .by = "class"};
	struct sums *sums = dataset ? sums_run(dataset, &request, err) : NULL;

	labels->texts = intern_new();
	for (size_t i = 0; sums && i < sums_count(sums); i++) {
		struct scan_value class = sums_key(sums, i, ROW_PATH_CLASS);
		if (class.type == SCAN_TEXT) {
			uint32_t id = intern_id(labels->texts, class.text);
			MEM_GROW(labels->labels, labels->capacity, (size_t)id + 1);
			labels->labels[id] = (struct label){
			    .id = id, .self_ns = sums_group(sums, i)->measure[MEASURE_SELF].sum};
			labels->n = (size_t)id + 1;
		}
	}
	sums_free(sums);
	return sums ? 0 : -1;
}

static int
label_compare(const void *left, const void *right)
{
	const struct label *a = left, *b = right;

	ORDER_BY(b->self_ns, a->self_ns);
	return ORDER(a->id, b->id);
}

/* A letter of the label that none before it has, else '#'. */
static char
choose_mark(struct slice label, const bool *is_taken)
{
	for (size_t i = 0; i < label.len; i++) {
		char c = to_lower(label.ptr[i]);

		if (is_lower(c) && !is_taken[(unsigned char)c]) {
			return c;
		}
	}
	return '#';
}

static void
rank_labels(struct colours *colours, struct labels *labels)
{
	struct label *sorted = arena_alloc(colours->arena, (labels->n + 1) * sizeof *sorted);
	uint32_t *rank_of = xcalloc(labels->n + 1, sizeof *rank_of);
	bool is_taken[256] = {false};

	for (size_t i = 0; i < labels->n; i++) {
		sorted[i] = labels->labels[i];
	}
	SORT(sorted, labels->n, label_compare);
	colours->n = labels->n;
	colours->labels = arena_alloc(colours->arena, (labels->n + 1) * sizeof *colours->labels);
	colours->marks = arena_alloc(colours->arena, labels->n + 1);
	for (size_t i = 0; i < labels->n; i++) {
		struct slice text = intern_text(labels->texts, sorted[i].id);

		rank_of[sorted[i].id] = (uint32_t)i;
		colours->labels[i] = arena_slice(colours->arena, text);
		colours->marks[i] = choose_mark(text, is_taken);
		is_taken[(unsigned char)colours->marks[i]] = true;
	}
	for (uint32_t i = 0; i < labels->n_codes; i++) {
		uint32_t id = labels->of_code[i];

		colours->ranks[i] = id == UINT32_MAX ? COLOUR_NONE : rank_of[id];
	}
	free(rank_of);
}

static void
use_words(struct colours *colours, const char *const *words, const char *marks)
{
	colours->n = strlen(marks);
	colours->labels = arena_alloc(colours->arena, colours->n * sizeof *colours->labels);
	for (size_t i = 0; i < colours->n; i++) {
		colours->labels[i] = slice_of(words[i]);
	}
	colours->marks = arena_strndup(colours->arena, marks, colours->n);
}

static uint32_t
slowdown_of(const struct label *here, const struct label *there)
{
	if (!there || there->n <= 0 || there->sum_ns <= 0 || here->n <= 0) {
		return SLOWDOWN_ONLY_HERE;
	}
	double ratio = here->sum_ns / (double)here->n / (there->sum_ns / (double)there->n);
	return ratio >= 2     ? SLOWDOWN_TWICE
	       : ratio > 1.1  ? SLOWDOWN_SLOWER
	       : ratio < 0.91 ? SLOWDOWN_FASTER
	                      : SLOWDOWN_SAME;
}

static int
rank_slowdown(struct colours *colours, const struct labels *labels, struct store *other,
              struct err *err)
{
	static const char *const words[] = {"as long", "faster", "slower", "twice or more",
	                                    "only here"};
	struct labels theirs = {0};
	int rc = labels_read(&theirs, other, false, err);

	if (rc == 0) {
		use_words(colours, words, "=-+!?");
		for (uint32_t i = 0; i < labels->n_codes; i++) {
			uint32_t id = labels->of_code[i], there;

			colours->ranks[i] = COLOUR_NONE;
			if (id == UINT32_MAX) {
				continue;
			}
			there = intern_find(theirs.texts, intern_text(labels->texts, id));
			colours->ranks[i] =
			    slowdown_of(&labels->labels[id],
			                there == INTERN_NONE ? NULL : &theirs.labels[there]);
		}
	}
	labels_fini(&theirs);
	return rc;
}

static void
rank_own_texts(struct colours *colours)
{
	colours->texts = intern_new();
	colours->text_ranks =
	    arena_alloc(colours->arena, (colours->n + 1) * sizeof *colours->text_ranks);
	for (size_t i = 0; i < colours->n; i++) {
		colours->text_ranks[intern_id(colours->texts, colours->labels[i])] = (uint32_t)i;
	}
}

/* Sums of a scan come with texts, not codes. */
static void
rank_texts(struct colours *colours, const struct dataset *dataset)
{
	size_t n = 0;

	colours->texts = intern_new();
	for (uint32_t i = 0; i < colours->n_ranks; i++) {
		n += colours->ranks[i] != COLOUR_NONE;
	}
	colours->text_ranks = arena_alloc(colours->arena, (n + 1) * sizeof *colours->text_ranks);
	for (uint32_t i = 0; i < colours->n_ranks; i++) {
		if (colours->ranks[i] != COLOUR_NONE) {
			colours->text_ranks[intern_id(colours->texts, dataset->texts[i])] =
			    colours->ranks[i];
		}
	}
}

uint32_t
colours_rank_of_text(const struct colours *colours, struct slice text)
{
	uint32_t id = intern_find(colours->texts, text);

	return id == INTERN_NONE ? COLOUR_NONE : colours->text_ranks[id];
}

uint32_t
colours_rank_of_path(const struct colours *colours, const struct dataset *dataset, uint32_t path)
{
	if (path >= dataset->n_texts) {
		return COLOUR_NONE;
	}
	return colours_rank_of_text(colours, dataset_class_of(dataset, dataset->texts[path]));
}

struct colours *
colours_new(struct store *store, struct store *other, const char *other_name, enum colour_mode mode,
            struct err *err)
{
	static const char *const states[] = {"ok", "failed"};
	struct colours *colours = xcalloc(1, sizeof *colours);
	struct labels labels = {0};
	int rc = 0;

	atomic_init(&colours->references, 1);
	colours->arena = arena_new();
	colours->mode = mode;
	colours->reference = other ? arena_strdup(colours->arena, other_name) : NULL;
	if (mode == COLOUR_STATUS) {
		use_words(colours, states, "#!");
	} else if (mode == COLOUR_CLASS) {
		rc = labels_read_classes(&labels, store, err);
		if (rc == 0) {
			rank_labels(colours, &labels);
			rank_own_texts(colours);
		}
	} else if ((rc = labels_read(&labels, store, mode == COLOUR_CATEGORY, err)) == 0) {
		colours->n_ranks = labels.n_codes;
		colours->ranks = arena_alloc(colours->arena,
		                             ((size_t)labels.n_codes + 1) * sizeof *colours->ranks);
		if (mode == COLOUR_SLOWDOWN) {
			rc = rank_slowdown(colours, &labels, other, err);
		} else {
			rank_labels(colours, &labels);
		}
	}
	labels_fini(&labels);
	if (rc == 0 && !colours->texts) {
		rank_texts(colours, store_dataset(store, err));
	}
	if (rc != 0) {
		colours_release(colours);
		return NULL;
	}
	return colours;
}

struct colours *
colours_retain(struct colours *colours)
{
	atomic_fetch_add(&colours->references, 1);
	return colours;
}

void
colours_release(struct colours *colours)
{
	if (colours && atomic_fetch_sub(&colours->references, 1) == 1) {
		intern_free(colours->texts);
		arena_free(colours->arena);
		free(colours);
	}
}
