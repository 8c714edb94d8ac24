/*
 * Ranks are by time in whole runs, so that a category or a name keeps its rank whatever is on the
 * screen. The first ranks have a colour of their own, and which one follows from the label itself
 * as far as no rank before it has it: a name looks the same in other runs as well, whatever took
 * most time there. Runs that stand beside each other are ranked together.
 */
#include "config.h"

#include "query/timeline/timeline_colour.h"

#include <stdlib.h>

#include "query/timeline/timeline_labels.h"
#include "util/ascii.h"
#include "util/order.h"

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

static int
label_compare(const void *left, const void *right)
{
	const struct label *a = left, *b = right;

	ORDER_BY(b->self_ns, a->self_ns);
	return ORDER(a->id, b->id);
}

char
colour_mark(struct slice label, const bool is_taken[256])
{
	for (size_t i = 0; i < label.len; i++) {
		char c = to_lower(label.ptr[i]);

		if (is_lower(c) && !is_taken[(unsigned char)c]) {
			return c;
		}
	}
	for (int c = 'a'; c <= 'z'; c++) {
		if (!is_taken[(unsigned char)c]) {
			return c;
		}
	}
	return '#';
}

uint8_t
colour_slot(struct slice label, bool is_taken[COLOUR_SLOTS])
{
	unsigned slot = (unsigned)(hash_bytes(label.ptr, label.len, 0) % COLOUR_SLOTS);

	for (unsigned i = 0; i < COLOUR_SLOTS && is_taken[slot]; i++) {
		slot = (slot + 1) % COLOUR_SLOTS;
	}
	is_taken[slot] = true;
	return (uint8_t)slot;
}

/* Labels, marks and slots of ranks, the one with most time first. */
static void
show_labels(struct colours *colours, const struct labels *labels, const struct label *sorted)
{
	bool mark_taken[256] = {false}, slot_taken[COLOUR_SLOTS] = {false};

	colours->n = labels->n;
	colours->labels = arena_alloc(colours->arena, (labels->n + 1) * sizeof *colours->labels);
	colours->marks = arena_alloc(colours->arena, labels->n + 1);
	colours->slots = arena_alloc(colours->arena, labels->n + 1);
	for (size_t i = 0; i < labels->n; i++) {
		struct slice text = intern_text(labels->texts, sorted[i].id);

		colours->labels[i] = arena_slice(colours->arena, text);
		colours->marks[i] = i < COLOUR_SLOTS ? colour_mark(text, mark_taken) : '#';
		mark_taken[(unsigned char)colours->marks[i]] = true;
		colours->slots[i] =
		    i < COLOUR_SLOTS ? colour_slot(text, slot_taken) : COLOUR_SLOT_NONE;
	}
}

/* Ranks of all runs' labels together. */
static void
rank_labels(struct colours *const *colours, const struct label_codes *codes, size_t n_runs,
            const struct labels *labels)
{
	struct label *sorted = xcalloc(labels->n + 1, sizeof *sorted);
	uint32_t *rank_of = xcalloc(labels->n + 1, sizeof *rank_of);

	for (size_t i = 0; i < labels->n; i++) {
		sorted[i] = labels->labels[i];
	}
	SORT(sorted, labels->n, label_compare);
	for (size_t i = 0; i < labels->n; i++) {
		rank_of[sorted[i].id] = (uint32_t)i;
	}
	for (size_t run = 0; run < n_runs; run++) {
		show_labels(colours[run], labels, sorted);
		for (uint32_t i = 0; i < codes[run].n_codes; i++) {
			uint32_t id = codes[run].of_code[i];

			colours[run]->ranks[i] = id == UINT32_MAX ? COLOUR_NONE : rank_of[id];
		}
	}
	free(sorted);
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
rank_slowdown(struct colours *colours, const struct labels *labels, const struct label_codes *codes,
              struct store *other, struct err *err)
{
	static const char *const words[] = {"as long", "faster", "slower", "twice or more",
	                                    "only here"};
	struct labels theirs;
	struct label_codes their_codes = {0};

	labels_init(&theirs);
	int rc = labels_read(&theirs, &their_codes, other, false, err);
	if (rc == 0) {
		use_words(colours, words, "=-+!?");
		for (uint32_t i = 0; i < codes->n_codes; i++) {
			uint32_t id = codes->of_code[i], there;

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
	free(their_codes.of_code);
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

static struct colours *
begin_colours(enum colour_mode mode, const char *reference)
{
	struct colours *colours = xcalloc(1, sizeof *colours);

	atomic_init(&colours->references, 1);
	colours->arena = arena_new();
	colours->mode = mode;
	colours->reference = reference ? arena_strdup(colours->arena, reference) : NULL;
	return colours;
}

/* Colours of what labels are read of, which are begun: by category, name or class. */
static int
read_labels(struct colours *const *colours, struct store *const *stores, size_t n_runs,
            struct labels *labels, struct label_codes *codes, struct err *err)
{
	enum colour_mode mode = colours[0]->mode;
	int rc = 0;

	for (size_t i = 0; i < n_runs && rc == 0; i++) {
		if (mode == COLOUR_CLASS) {
			rc = labels_read_classes(labels, stores[i], err);
			continue;
		}
		rc = labels_read(labels, &codes[i], stores[i], mode == COLOUR_CATEGORY, err);
		colours[i]->n_ranks = codes[i].n_codes;
		colours[i]->ranks = arena_alloc(colours[i]->arena, ((size_t)codes[i].n_codes + 1) *
		                                                       sizeof *colours[i]->ranks);
	}
	return rc;
}

/* other: what slowdown compares the one run with. */
static int
fill_colours(struct colours *const *colours, struct store *const *stores, size_t n_runs,
             struct store *other, struct err *err)
{
	static const char *const states[] = {"ok", "failed"};
	enum colour_mode mode = colours[0]->mode;
	struct label_codes *codes = xcalloc(n_runs + 1, sizeof *codes);
	struct labels labels;
	int rc = 0;

	labels_init(&labels);
	if (mode != COLOUR_STATUS) {
		rc = read_labels(colours, stores, n_runs, &labels, codes, err);
	}
	if (rc == 0 && mode == COLOUR_SLOWDOWN) {
		rc = rank_slowdown(colours[0], &labels, &codes[0], other, err);
	} else if (rc == 0 && mode != COLOUR_STATUS) {
		rank_labels(colours, codes, n_runs, &labels);
	}
	for (size_t i = 0; i < n_runs && rc == 0; i++) {
		if (mode == COLOUR_STATUS) {
			use_words(colours[i], states, "#!");
		}
		if (mode == COLOUR_CLASS) {
			rank_own_texts(colours[i]);
		} else {
			rank_texts(colours[i], store_dataset(stores[i], err));
		}
	}
	for (size_t i = 0; i < n_runs; i++) {
		free(codes[i].of_code);
	}
	free(codes);
	labels_fini(&labels);
	return rc;
}

struct colours *
colours_new(struct store *store, struct store *other, const char *other_name, enum colour_mode mode,
            struct err *err)
{
	struct colours *colours = begin_colours(mode, other ? other_name : NULL);

	if (fill_colours(&colours, &store, 1, other, err)) {
		colours_release(colours);
		return NULL;
	}
	return colours;
}

int
colours_new_shared(struct store *const *stores, const char *const *names, size_t n_runs,
                   enum colour_mode mode, struct colours **colours, struct err *err)
{
	bool compares = mode == COLOUR_SLOWDOWN;
	int rc = 0;

	for (size_t i = 0; i < n_runs; i++) {
		colours[i] = begin_colours(mode, compares ? names[n_runs - 1 - i] : NULL);
	}
	for (size_t i = 0; i < n_runs && compares && rc == 0; i++) {
		rc = fill_colours(&colours[i], &stores[i], 1, stores[n_runs - 1 - i], err);
	}
	if (!compares && n_runs > 0) {
		rc = fill_colours(colours, stores, n_runs, NULL, err);
	}
	for (size_t i = 0; i < n_runs && rc != 0; i++) {
		colours_release(colours[i]);
		colours[i] = NULL;
	}
	return rc;
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
