/*
 * Matching of tasks and files between two runs.
 *
 * A rule makes a text of each item; items with equal text are paired in order of their start, the
 * first of A with the first of B and so on, so a key that occurs twice (a retry) never multiplies
 * pairs. The texts of A are interned, which gives dense ids; the items of each id form a queue in
 * order of start (first, next), and B, walked in order of start, takes from the front. Linear but
 * for the sorting; beyond MATCHING_ITEMS_LIMIT it is refused, as what follows needs memory by
 * item.
 *
 * The rules go from strict to loose and the first that pairs half of the smaller run is taken for
 * all: were leftovers tried with a looser rule, a task that only A ran would be paired with one
 * that only B ran, and the difference between the runs would vanish from the rows that ought to
 * show it.
 */
#include "config.h"
#include "explain/schedule/matching.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/ascii.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/order.h"

#define UUID_LENGTH 36
#define UUID_HEAD 23 /* where its last part begins, with a dash */
#define HASH_LENGTH 8

/* Length of the UUID that begins at `at`, 0 if none does. One without its last part counts, too:
 * names are made of others by cutting at a dash. */
static size_t
uuid_length(struct slice text, size_t at)
{
	size_t n = 0;
	while (n < UUID_LENGTH && at + n < text.len) {
		bool is_dash = n == 8 || n == 13 || n == 18 || n == UUID_HEAD;
		char c = text.ptr[at + n];
		if (is_dash ? c != '-' : hex_value(c) < 0) {
			break;
		}
		n++;
	}
	if (n == UUID_LENGTH) {
		return n;
	}
	bool is_head =
	    n >= UUID_HEAD && (at + UUID_HEAD == text.len || !is_alnum(text.ptr[at + UUID_HEAD]));
	return is_head ? UUID_HEAD : 0;
}

/* Length of the hash that begins at `at`, 0 if none does: a whole word of hex digits. */
static size_t
hash_length(struct slice text, size_t at)
{
	if (at > 0 && is_alnum(text.ptr[at - 1])) {
		return 0;
	}
	size_t end = at;
	bool has_digit = false;
	while (end < text.len && hex_value(text.ptr[end]) >= 0) {
		has_digit = has_digit || is_digit(text.ptr[end]);
		end++;
	}
	bool is_whole = end == text.len || !is_alnum(text.ptr[end]);
	return is_whole && has_digit && end - at >= HASH_LENGTH ? end - at : 0;
}

static void
strip(struct strbuf *out, struct slice text, bool numbers_too)
{
	for (size_t i = 0; i < text.len;) {
		size_t skip = uuid_length(text, i);
		skip = skip > 0 ? skip : hash_length(text, i);
		if (skip > 0) {
			i += skip;
			if (numbers_too) {
				strbuf_add_char(out, '#');
			}
		} else if (numbers_too && is_digit(text.ptr[i])) {
			while (i < text.len && is_digit(text.ptr[i])) {
				i++;
			}
			strbuf_add_char(out, '#');
		} else {
			strbuf_add_char(out, text.ptr[i++]);
		}
	}
}

void
matching_strip(struct strbuf *out, struct slice text)
{
	strip(out, text, false);
}

void
matching_pattern(struct strbuf *out, struct slice text)
{
	strip(out, text, true);
}

/* One side of an attempt: what is matched, in which order, and the text that a rule makes of
 * each. */
struct matching_side {
	const struct schedule *schedule;
	const struct slice *paths;
	const uint32_t *order; /* NULL: as they stand */
	size_t n;
};

/* A text of each item or path, what is made of it, and whether its lane's name stands before it. */
struct rule {
	const char *name;
	struct slice (*text)(const struct matching_side *side, uint32_t i);
	void (*shape)(struct strbuf *out, struct slice text);
	bool by_lane;
};

static struct slice
kind_of(const struct matching_side *side, uint32_t i)
{
	return side->schedule->kinds[side->schedule->items[i].kind];
}

static struct slice
key_of(const struct matching_side *side, uint32_t i)
{
	return matching_key(side->schedule, i);
}

static struct slice
name_of(const struct matching_side *side, uint32_t i)
{
	const struct schedule *schedule = side->schedule;
	uint32_t task = schedule->items[i].task;
	uint32_t name = task == SCHEDULE_NONE ? SCHEDULE_NONE : schedule->tasks[task].name;
	return name < schedule->n_texts ? schedule->texts[name] : key_of(side, i);
}

static struct slice
path_of(const struct matching_side *side, uint32_t i)
{
	return side->paths[i];
}

struct slice
matching_basename(struct slice path)
{
	size_t start = path.len;
	while (start > 0 && path.ptr[start - 1] != '/') {
		start--;
	}
	return slice_from(path, start);
}

static struct slice
basename_of(const struct matching_side *side, uint32_t i)
{
	return matching_basename(side->paths[i]);
}

static const struct rule task_rules[] = {
    {"key", key_of, strbuf_add_slice, false},
    {"name and occurrence", name_of, strbuf_add_slice, false},
    {"name without hashes, and occurrence", name_of, matching_strip, false},
    {0}};
static const struct rule span_rules[] = {
    {"lane, name and occurrence", kind_of, strbuf_add_slice, true},
    {"name and occurrence", kind_of, strbuf_add_slice, false},
    {0}};
static const struct rule file_rules[] = {
    {"path", path_of, strbuf_add_slice, false},
    {"basename and occurrence", basename_of, strbuf_add_slice, false},
    {"pattern of the basename, and occurrence", basename_of, matching_pattern, false},
    {0}};

/* The k-th of a side, and its text instead of what is in out. */
static uint32_t
text_of(const struct rule *rule, const struct matching_side *side, size_t k, struct strbuf *out)
{
	uint32_t i = side->order ? side->order[k] : (uint32_t)k;
	strbuf_clear(out);
	if (rule->by_lane) {
		const struct schedule *schedule = side->schedule;
		strbuf_add_slice(out, schedule_lane_name(schedule, schedule->items[i].lane));
		strbuf_add_char(out, '\0');
	}
	rule->shape(out, rule->text(side, i));
	return i;
}

/* The items of A by text, each text's in order. */
struct queues {
	struct intern *texts;
	uint32_t *first, *last; /* by text */
	uint32_t *next;         /* by item */
};

static void
fill_queues(struct queues *queues, const struct rule *rule, const struct matching_side *a,
            size_t *n_repeated)
{
	struct strbuf text = {0};
	*queues = (struct queues){intern_new(), xcalloc(a->n, sizeof(uint32_t)),
	                          xcalloc(a->n, sizeof(uint32_t)), xcalloc(a->n, sizeof(uint32_t))};
	for (size_t k = 0; k < a->n; k++) {
		uint32_t i = text_of(rule, a, k, &text);
		uint32_t known = intern_count(queues->texts);
		uint32_t id = intern_id(queues->texts, strbuf_slice(&text));
		queues->next[i] = MATCHING_NONE;
		if (id == known) {
			queues->first[id] = i;
		} else {
			queues->next[queues->last[id]] = i;
			++*n_repeated;
		}
		queues->last[id] = i;
	}
	strbuf_free(&text);
}

/* The next item of A with this text, and whether B has asked for it before. */
static uint32_t
take_next(struct queues *queues, struct slice text, bool *is_seen, size_t *n_repeated)
{
	uint32_t id = intern_find(queues->texts, text);
	if (id == INTERN_NONE) {
		return MATCHING_NONE;
	}
	*n_repeated += is_seen[id];
	is_seen[id] = true;
	uint32_t i = queues->first[id];
	if (i != MATCHING_NONE) {
		queues->first[id] = queues->next[i];
	}
	return i;
}

static void
apply_rule(struct matching *matching, const struct rule *rule, const struct matching_side *a,
           const struct matching_side *b)
{
	struct queues queues;
	struct strbuf text = {0};
	matching->rule = rule->name;
	matching->n_pairs = matching->n_repeated = 0;
	memset(matching->b_of_a, 0xff, a->n * sizeof *matching->b_of_a);
	memset(matching->a_of_b, 0xff, b->n * sizeof *matching->a_of_b);
	fill_queues(&queues, rule, a, &matching->n_repeated);
	bool *is_seen = xcalloc(intern_count(queues.texts), sizeof *is_seen);
	for (size_t k = 0; k < b->n; k++) {
		uint32_t j = text_of(rule, b, k, &text);
		uint32_t i =
		    take_next(&queues, strbuf_slice(&text), is_seen, &matching->n_repeated);
		if (i != MATCHING_NONE) {
			matching->b_of_a[i] = j;
			matching->a_of_b[j] = i;
			matching->n_pairs++;
		}
	}
	free(is_seen);
	free(queues.first);
	free(queues.last);
	free(queues.next);
	intern_free(queues.texts);
	strbuf_free(&text);
}

static struct matching *
match_sides(const struct matching_side *a, const struct matching_side *b, const struct rule *rules,
            const struct cancel *cancel)
{
	struct matching *matching = xcalloc(1, sizeof *matching);
	matching->n_a = a->n;
	matching->n_b = b->n;
	MEM_NEW(matching->b_of_a, a->n);
	MEM_NEW(matching->a_of_b, b->n);
	size_t enough = (LEAST(a->n, b->n) + 1) / 2, most = 0;
	const struct rule *best = rules, *rule = rules;
	for (; rule->name && !cancel_requested(cancel); rule++) {
		apply_rule(matching, rule, a, b);
		if (matching->n_pairs > most) {
			most = matching->n_pairs;
			best = rule;
		}
		if (matching->n_pairs >= enough) {
			return matching;
		}
	}
	if (matching->rule != best->name) {
		apply_rule(matching, best, a, b);
	}
	return matching;
}

struct ordered {
	int64_t start_ns, end_ns;
	uint32_t item;
};

static int
compare_ordered(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;
	ORDER_BY(x->start_ns, y->start_ns);
	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->item, y->item);
}

/* Indices of a schedule's items in order of (start, end, place); free it. */
static uint32_t *
items_in_order(const struct schedule *schedule)
{
	size_t n = schedule->n_items;
	struct ordered *sorted = xcalloc(n, sizeof *sorted);
	for (size_t i = 0; i < n; i++) {
		const struct schedule_item *item = &schedule->items[i];
		sorted[i] = (struct ordered){item->start_ns, item->end_ns, (uint32_t)i};
	}
	SORT(sorted, n, compare_ordered);
	uint32_t *order = xcalloc(n, sizeof *order);
	for (size_t i = 0; i < n; i++) {
		order[i] = sorted[i].item;
	}
	free(sorted);
	return order;
}

struct matching *
matching_new(const struct schedule *a, const struct schedule *b, const struct cancel *cancel,
             struct err *err)
{
	if (a->n_items > MATCHING_ITEMS_LIMIT || b->n_items > MATCHING_ITEMS_LIMIT) {
		err_set(err, ERR_LIMIT,
		        "%zu and %zu %s are too many to match one by one (at most %zu in a run): "
		        "use the "
		        "parts sharing and area",
		        a->n_items, b->n_items, a->is_tasks && b->is_tasks ? "tasks" : "spans",
		        MATCHING_ITEMS_LIMIT);
		return NULL;
	}
	uint32_t *order_a = items_in_order(a), *order_b = items_in_order(b);
	struct matching_side side_a = {a, NULL, order_a, a->n_items},
			     side_b = {b, NULL, order_b, b->n_items};
	const struct rule *rules = a->is_tasks && b->is_tasks ? task_rules : span_rules;
	struct matching *matching = match_sides(&side_a, &side_b, rules, cancel);
	free(order_a);
	free(order_b);
	if (cancel_check(cancel, err)) {
		matching_free(matching);
		return NULL;
	}
	return matching;
}

struct matching *
matching_itself(const struct schedule *schedule)
{
	struct matching *matching = xcalloc(1, sizeof *matching);
	size_t n = schedule->n_items;
	matching->rule = "itself";
	matching->n_a = matching->n_b = matching->n_pairs = n;
	MEM_NEW(matching->b_of_a, n);
	MEM_NEW(matching->a_of_b, n);
	for (size_t i = 0; i < n; i++) {
		matching->b_of_a[i] = matching->a_of_b[i] = (uint32_t)i;
	}
	return matching;
}

struct matching *
matching_new_files(const struct slice *a, size_t n_a, const struct slice *b, size_t n_b)
{
	struct matching_side side_a = {NULL, a, NULL, n_a}, side_b = {NULL, b, NULL, n_b};
	return match_sides(&side_a, &side_b, file_rules, NULL);
}

void
matching_free(struct matching *matching)
{
	if (matching) {
		free(matching->b_of_a);
		free(matching->a_of_b);
		free(matching);
	}
}

void
matching_note(const struct matching *matching, const char *what, const char *name_a,
              const char *name_b, struct result *result)
{
	result_add_note(result, "%s matched by %s: %zu pairs, of %zu in %s and %zu in %s", what,
	                matching->rule, matching->n_pairs, matching->n_a, name_a, matching->n_b,
	                name_b);
	if (matching->n_repeated > 0) {
		result_add_note(
		    result, "%zu of them bear a text that stood before: paired in order of start",
		    matching->n_repeated);
	}
}

struct slice
matching_key(const struct schedule *schedule, uint32_t item)
{
	uint32_t task = schedule->items[item].task;
	if (task != SCHEDULE_NONE && task < schedule->n_tasks) {
		const struct schedule_task *t = &schedule->tasks[task];
		uint32_t code = t->key < schedule->n_texts ? t->key : t->name;
		if (code < schedule->n_texts) {
			return schedule->texts[code];
		}
	}
	return schedule->kinds[schedule->items[item].kind];
}
