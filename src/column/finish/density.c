/*
 * Records are summed into one rate (what is added a nanosecond), so that cells of dense lanes cost
 * the same however many records cross them. Rates are whole numbers of 2^-32 ns; what a record's
 * rate leaves over of its sum, less than its interval in those, is added at its end. From then on
 * the record is a whole number of nanoseconds, which is why it has no part in any later rounding.
 * Ends wait in a heap.
 */
#include "config.h"
#include "column/finish/density.h"

#include <stdlib.h>

#include "util/heap.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define FRACTION_BITS 32

struct end {
	int64_t at_ns;
	unsigned __int128 rate, rest;
};

struct density {
	int64_t cell_ns;
	uint64_t n_cells;
	bool has_begun;
	int64_t now_ns, cell;                  /* the cell that is being made; may lie before 0 */
	unsigned __int128 rate, value, before; /* value: until now; before: until the cell began */
	struct end *ends;                      /* a heap, the earliest first */
	size_t n_ends, capacity;
	int (*take)(void *user, uint64_t index, int64_t density_ns, struct err *err);
	void *user;
};

struct density *
density_new(int64_t cell_ns, uint64_t n_cells,
            int (*take)(void *user, uint64_t index, int64_t density_ns, struct err *err))
{
	struct density *density = xcalloc(1, sizeof *density);

	density->cell_ns = cell_ns;
	density->n_cells = n_cells;
	density->take = take;
	return density;
}

void
density_free(struct density *density)
{
	if (density) {
		free(density->ends);
		free(density);
	}
}

void
density_begin(struct density *density, void *user)
{
	density->user = user;
	density->has_begun = false;
	density->n_ends = 0;
	density->rate = density->value = density->before = 0;
}

static inline bool
is_earlier(const struct end *a, const struct end *b)
{
	return a->at_ns < b->at_ns;
}
HEAP(ends, struct end, is_earlier)

/* Goes on to `to` within what lasts. */
static void
pass_time(struct density *density, int64_t to_ns)
{
	density->value += density->rate * (unsigned __int128)((__int128)to_ns - density->now_ns);
	density->now_ns = to_ns;
}

/* Tells the cell, which ends now or is the last. */
static int
give(struct density *density, struct err *err)
{
	unsigned __int128 ns =
	    (density->value >> FRACTION_BITS) - (density->before >> FRACTION_BITS);

	density->before = density->value;
	if (ns == 0 || density->cell < 0 || (uint64_t)density->cell >= density->n_cells) {
		return 0;
	}
	return density->take(density->user, (uint64_t)density->cell,
	                     ns < INT64_MAX ? (int64_t)ns : INT64_MAX, err);
}

/* The last cell that needs no look at before `to`: none is made before 0, or while nothing
 * lasts. */
static int64_t
skip_to(const struct density *density, int64_t to_ns)
{
	int64_t cell = (to_ns - (to_ns > INT64_MIN)) / density->cell_ns;

	cell -= (to_ns - (to_ns > INT64_MIN)) % density->cell_ns < 0;
	if (density->rate != 0 && cell > 0) {
		cell = MOST(0, density->cell);
	}
	return MOST(cell, density->cell);
}

/* Goes on to `to`, telling the cells that end before it, or with it. */
static int
move(struct density *density, int64_t to_ns, bool with_last, struct err *err)
{
	for (;;) {
		__int128 end = ((__int128)density->cell + 1) * density->cell_ns;
		if (end > to_ns || (end == to_ns && !with_last)) {
			break;
		}
		pass_time(density, (int64_t)end);
		if (give(density, err)) {
			return -1;
		}
		density->cell++;
		if (density->cell >= 0 && (uint64_t)density->cell >= density->n_cells) {
			density->now_ns = to_ns; /* nothing there is told */
			return 0;
		}
		int64_t cell = skip_to(density, to_ns);
		if (cell > density->cell) {
			density->cell = cell;
			pass_time(density, (int64_t)((__int128)cell * density->cell_ns));
			density->before = density->value;
		}
	}
	pass_time(density, to_ns);
	return 0;
}

static int
move_over_ends(struct density *density, int64_t to_ns, struct err *err)
{
	while (density->n_ends > 0 && density->ends[0].at_ns <= to_ns) {
		if (move(density, density->ends[0].at_ns, false, err)) {
			return -1;
		}
		struct end end = ends_pop(density->ends, density->n_ends--);
		density->rate -= end.rate;
		density->value += end.rest;
	}
	return 0;
}

int
density_add(struct density *density, int64_t start_ns, int64_t duration_ns, int64_t sum_ns,
            struct err *err)
{
	int64_t end_ns = time_add(start_ns, duration_ns > 0 ? duration_ns : 1);

	if (!density->has_begun) {
		density->has_begun = true;
		density->now_ns = start_ns;
		density->cell = start_ns / density->cell_ns - (start_ns % density->cell_ns < 0);
	} else if (move_over_ends(density, start_ns, err) || move(density, start_ns, true, err)) {
		return -1;
	}
	if (sum_ns > 0 && end_ns > start_ns) {
		unsigned __int128 sum = (unsigned __int128)sum_ns << FRACTION_BITS;
		unsigned __int128 length = (unsigned __int128)((__int128)end_ns - start_ns);
		struct end end = {end_ns, sum / length, sum % length};
		density->rate += end.rate;
		MEM_GROW(density->ends, density->capacity, density->n_ends + 1);
		density->ends[density->n_ends] = end;
		ends_rise(density->ends, density->n_ends++);
	}
	return 0;
}

int
density_end(struct density *density, struct err *err)
{
	int status = 0;

	if (density->has_begun) {
		status = move_over_ends(density, INT64_MAX, err);
		status = status == 0 ? give(density, err) : status;
	}
	density_begin(density, density->user);
	return status;
}
