/*
 * An item of a schedule is a stretch of a lane: a task, or what is innermost of a span. So a span
 * is found as the item that begins with it on its lane, and the partner as the span that lies where
 * the other item begins; of spans that nest, the one of the same name.
 */
#include "config.h"

#include "explain/partner.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/parts/contention.h"
#include "explain/schedule/matching.h"
#include "util/mem.h"
#include "util/order.h"

#define ITEM_NONE UINT32_MAX

struct partner_item {
	int64_t start_ns, end_ns;
	uint32_t lane;  /* of the run */
	uint32_t other; /* item of the other run; ITEM_NONE */
	double at_once;
};
struct partner_side {
	struct partner_item *items; /* by lane, start */
	size_t n;
	bool is_tasks;
};
struct explain_partners {
	atomic_uint references;
	struct partner_side sides[2];
};

static int
compare_places(const void *left, const void *right)
{
	const struct partner_item *a = left, *b = right;

	ORDER_BY(a->lane, b->lane);
	ORDER_BY(a->start_ns, b->start_ns);
	return ORDER(a->end_ns, b->end_ns);
}

/* Lanes of a schedule come in an order of their own: items keep their places among those of the
 * schedule until all have their partners. */
static void
take_side(struct partner_side *side, const struct schedule *schedule, const uint32_t *others)
{
	double *at_once[DOMAINS];

	contention_concurrency(schedule, at_once);
	MEM_NEW(side->items, schedule->n_items + 1);
	side->n = schedule->n_items;
	side->is_tasks = schedule->is_tasks;
	for (size_t i = 0; i < side->n; i++) {
		const struct schedule_item *item = &schedule->items[i];

		side->items[i] = (struct partner_item){item->start_ns, item->end_ns,
		                                       schedule->lanes[item->lane].id, others[i],
		                                       at_once[DOMAIN_HOST][i]};
	}
	for (int domain = 0; domain < DOMAINS; domain++) {
		free(at_once[domain]);
	}
}

/* Sorts a side by lane and start; places gets where each item went. */
static void
sort_side(struct partner_side *side, uint32_t *places)
{
	uint32_t *other;

	MEM_NEW(other, side->n + 1);
	for (size_t i = 0; i < side->n; i++) { /* each item carries its old place meanwhile */
		other[i] = side->items[i].other;
		side->items[i].other = (uint32_t)i;
	}
	SORT(side->items, side->n, compare_places);
	for (size_t i = 0; i < side->n; i++) {
		places[side->items[i].other] = (uint32_t)i;
		side->items[i].other = other[side->items[i].other];
	}
	free(other);
}

static void
settle(struct explain_partners *partners)
{
	uint32_t *places[2];

	for (int side = 0; side < 2; side++) {
		MEM_NEW(places[side], partners->sides[side].n + 1);
		sort_side(&partners->sides[side], places[side]);
	}
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < partners->sides[side].n; i++) {
			uint32_t *other = &partners->sides[side].items[i].other;

			*other = *other == MATCHING_NONE ? ITEM_NONE : places[!side][*other];
		}
	}
	free(places[0]);
	free(places[1]);
}

struct explain_partners *
explain_partners_new(struct store *const stores[2], const struct cancel *cancel, struct err *err)
{
	struct explain_partners *partners = NULL;
	struct schedule *a = schedule_read(stores[0], cancel, err);
	struct schedule *b = a ? schedule_read(stores[1], cancel, err) : NULL;
	struct matching *matching = b ? matching_new(a, b, cancel, err) : NULL;

	if (matching) {
		MEM_NEW(partners, 1);
		atomic_init(&partners->references, 1);
		take_side(&partners->sides[0], a, matching->b_of_a);
		take_side(&partners->sides[1], b, matching->a_of_b);
		settle(partners);
	}
	matching_free(matching);
	schedule_free(b);
	schedule_free(a);
	return partners;
}

struct explain_partners *
explain_partners_retain(struct explain_partners *partners)
{
	atomic_fetch_add(&partners->references, 1);
	return partners;
}

void
explain_partners_release(struct explain_partners *partners)
{
	if (partners && atomic_fetch_sub(&partners->references, 1) == 1) {
		free(partners->sides[0].items);
		free(partners->sides[1].items);
		free(partners);
	}
}

/* ---- one span ---- */

/* The item that begins where a span does, on its lane and within it; NULL: none. */
static const struct partner_item *
item_of(const struct partner_side *side, const struct span_row *span)
{
	struct partner_item wanted = {
	    .start_ns = span->start_ns, .end_ns = INT64_MIN, .lane = (uint32_t)span->lane};
	size_t i = 0;

	ORDER_FIND(i, side->n, middle, compare_places(&side->items[middle], &wanted) < 0);
	if (i == side->n || side->items[i].lane != wanted.lane ||
	    side->items[i].start_ns != span->start_ns) {
		return NULL;
	}
	return &side->items[i];
}

static int
page(struct store *store, const char *filter, struct slice name, int64_t offset, int64_t *n,
     struct span_row *span, const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct page_request request = {.kind = BLOCK_SPAN,
	                               .filter = filter,
	                               .order = "start,id",
	                               .offset = offset,
	                               .limit = 1,
	                               .cancel = cancel};
	struct span_row *rows = NULL;
	int64_t found;

	if (!dataset) {
		return -1;
	}
	request.parameters[0] = (struct scan_value){.type = SCAN_TEXT, .text = name};
	found = page_run(dataset, &request, &rows, n, err);
	if (found > 0) {
		*span = rows[0];
	}
	free(rows);
	return found > 0 ? 1 : (int)found;
}

/* The span of an item: of those that begin there the outermost of the name, else the first. */
static int
span_of(struct store *store, const struct partner_item *item, struct slice name,
        struct span_row *span, const struct cancel *cancel, struct err *err)
{
	static const char *const names[] = {"name = ?1 AND ", ""};

	for (int i = 0; i < 2; i++) {
		char filter[200];
		int found;

		snprintf(filter, sizeof filter, "%slane = %u AND start = %" PRId64, names[i],
		         item->lane, item->start_ns);
		found = page(store, filter, name, 0, NULL, span, cancel, err);
		if (found != 0) {
			return found;
		}
	}
	return 0;
}

/* That of its name that comes as many-th. */
static int
find_nth(struct store *const stores[2], int side, const struct span_row *span, struct slice name,
         struct span_row *other, const struct cancel *cancel, struct err *err)
{
	char filter[200];
	struct span_row ignored;
	int64_t before = 0;

	snprintf(filter, sizeof filter,
	         "name = ?1 AND start <= %" PRId64 " AND (start < %" PRId64 " OR id < %" PRId64 ")",
	         span->start_ns, span->start_ns, span->id);
	if (page(stores[side], filter, name, 0, &before, &ignored, cancel, err) < 0) {
		return -1;
	}
	return page(stores[!side], "name = ?1", name, before, NULL, other, cancel, err);
}

int
explain_partner_find(const struct explain_partners *partners, struct store *const stores[2],
                     int side, const struct span_row *span, struct explain_partner *partner,
                     const struct cancel *cancel, struct err *err)
{
	const struct partner_item *item = item_of(&partners->sides[side], span);
	const struct dataset *dataset = store_dataset(stores[side], err);

	if (!dataset) {
		return -1;
	}
	struct slice name = dataset_text(dataset, span->name);
	*partner = (struct explain_partner){{0}, {0, 0}};
	if (!item) {
		return find_nth(stores, side, span, name, &partner->span, cancel, err);
	}
	if (item->other == ITEM_NONE) {
		return 0;
	}
	const struct partner_item *other = &partners->sides[!side].items[item->other];
	partner->at_once[0] = item->at_once;
	partner->at_once[1] = other->at_once;
	return span_of(stores[!side], other, name, &partner->span, cancel, err);
}
