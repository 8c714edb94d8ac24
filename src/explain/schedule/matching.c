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
#include "explain/schedule/matching_calls.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/budget.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/order.h"

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
	enum { BY_TEXT, BY_CALL, BY_CALL_AND_PLACE } way; /* the others have no text */
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

static struct slice
basename_of(const struct matching_side *side, uint32_t i)
{
	return matching_basename(side->paths[i]);
}

static const struct rule task_rules[] = {
    {"key", key_of, strbuf_add_slice, false, BY_TEXT},
    {"name and occurrence", name_of, strbuf_add_slice, false, BY_TEXT},
    {"name without hashes, and occurrence", name_of, matching_strip, false, BY_TEXT},
    {0}};
static const struct rule span_rules[] = {
    {"lane, callers, name and occurrence", NULL, NULL, true, BY_CALL},
    {"place of the lane, callers, name and occurrence", NULL, NULL, true, BY_CALL_AND_PLACE},
    {"lane, name and occurrence", kind_of, strbuf_add_slice, true, BY_TEXT},
    {"name and occurrence", kind_of, strbuf_add_slice, false, BY_TEXT},
    {0}};
static const struct rule file_rules[] = {
    {"path", path_of, strbuf_add_slice, false, BY_TEXT},
    {"basename and occurrence", basename_of, strbuf_add_slice, false, BY_TEXT},
    {"pattern of the basename, and occurrence", basename_of, matching_pattern, false, BY_TEXT},
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
struct text_queues {
	struct intern *texts;
	uint32_t *first, *last; /* by text */
	uint32_t *next;         /* by item */
};

static void
fill_queues(struct text_queues *queues, const struct rule *rule, const struct matching_side *a,
            size_t n_items, size_t *n_repeated)
{
	struct strbuf text = {0};
	*queues = (struct text_queues){intern_new(), xcalloc(a->n, sizeof(uint32_t)),
	                               xcalloc(a->n, sizeof(uint32_t)),
	                               xcalloc(n_items, sizeof(uint32_t))};
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
take_next(struct text_queues *queues, struct slice text, bool *is_seen, size_t *n_repeated)
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
pair_texts(struct matching *matching, const struct rule *rule, const struct matching_side *a,
           const struct matching_side *b)
{
	struct text_queues queues;
	struct strbuf text = {0};
	fill_queues(&queues, rule, a, matching->n_a, &matching->n_repeated);
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

/* Are both runs' items stretches of calls, which are matched as a whole? */
static bool
has_calls(const struct matching_side *a, const struct matching_side *b)
{
	return a->schedule && b->schedule && a->schedule->n_calls > 0 && b->schedule->n_calls > 0;
}

static void
apply_rule(struct matching *matching, const struct rule *rule, const struct matching_side *a,
           const struct matching_side *b)
{
	matching->rule = rule->name;
	matching->n_pairs = matching->n_repeated = 0;
	memset(matching->b_of_a, 0xff, matching->n_a * sizeof *matching->b_of_a);
	memset(matching->a_of_b, 0xff, matching->n_b * sizeof *matching->a_of_b);
	if (rule->way == BY_TEXT) {
		pair_texts(matching, rule, a, b);
	} else if (has_calls(a, b)) {
		matching_pair_calls(matching, a->schedule, b->schedule,
		                    rule->way == BY_CALL_AND_PLACE);
	}
}

/* Of calls, n is that of their first stretches. */
static struct matching *
match_sides(const struct matching_side *a, const struct matching_side *b, const struct rule *rules,
            const struct cancel *cancel)
{
	struct matching *matching = xcalloc(1, sizeof *matching);
	matching->n_a = a->schedule ? a->schedule->n_items : a->n;
	matching->n_b = b->schedule ? b->schedule->n_items : b->n;
	MEM_NEW(matching->b_of_a, matching->n_a);
	MEM_NEW(matching->a_of_b, matching->n_b);
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

/* Indices of a schedule's items in order of (start, end, place), or only of those that stand for a
 * span; free it. */
static uint32_t *
items_in_order(const struct schedule *schedule, bool heads, size_t *n)
{
	struct ordered *sorted = xcalloc(schedule->n_items, sizeof *sorted);
	*n = 0;
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		if (!heads || schedule_head(schedule, i) == i) {
			sorted[(*n)++] =
			    (struct ordered){item->start_ns, item->end_ns, (uint32_t)i};
		}
	}
	SORT(sorted, *n, compare_ordered);
	uint32_t *order = xcalloc(*n, sizeof *order);
	for (size_t i = 0; i < *n; i++) {
		order[i] = sorted[i].item;
	}
	free(sorted);
	return order;
}

#define ITEM_BYTES 350 /* of each of the two runs */

size_t
matching_items_limit(void)
{
	return budget_share(2 * ITEM_BYTES, MATCHING_ITEMS_LIMIT);
}

struct matching *
matching_new(const struct schedule *a, const struct schedule *b, const struct cancel *cancel,
             struct err *err)
{
	size_t limit = matching_items_limit();
	if (a->n_items > limit || b->n_items > limit) {
		err_set(err, ERR_LIMIT,
		        "%zu and %zu %s are too many to match one by one (at most %zu in a "
		        "run%s): use the parts sharing and area, or a part of the runs (--scope)",
		        a->n_items, b->n_items, a->is_tasks && b->is_tasks ? "tasks" : "spans",
		        limit, limit < MATCHING_ITEMS_LIMIT ? ", more with more --memory" : "");
		return NULL;
	}
	struct matching_side side_a = {.schedule = a}, side_b = {.schedule = b};
	bool calls = has_calls(&side_a, &side_b);
	uint32_t *order_a = items_in_order(a, calls, &side_a.n);
	uint32_t *order_b = items_in_order(b, calls, &side_b.n);
	side_a.order = order_a;
	side_b.order = order_b;
	const struct rule *rules = a->is_tasks && b->is_tasks ? task_rules : span_rules;
	struct matching *matching = match_sides(&side_a, &side_b, rules, cancel);
	if (calls) {
		matching_pair_stretches(matching, a, b);
	}
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
