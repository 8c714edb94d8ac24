/*
 * What lanes did not do.
 *
 * span_gaps(filter, least, n, p1 ...): the n longest gaps between the spans of a lane that match
 * the filter, with the spans around each. span_gaps_within(within, ...): the same of the lanes of a
 * process, a host or the run as if they were one. span_idle(filter, least, p1 ...): a row a lane,
 * with the sums of its gaps. Gaps shorter than least (in ns, or a text such as '10us'; NULL: none)
 * do not count. Each is one scan; the spans around gaps are looked for only where a column asks for
 * them. How long whole lanes were busy stands in their topmost tiles, if nothing else is asked for.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "column/finish/tile.h"
#include "column/ops/gaps.h"
#include "column/scan/filter.h"
#include "util/intervals.h"
#include "util/mem.h"

enum { GAP_BEFORE = 4, GAP_AFTER = 6, WITHIN_AFTER = 7 };
enum { IDLE_LANE, IDLE_BUSY = 4, IDLE_LONGEST = 7, IDLE_LONGEST_START };

/* A lane where the filter left something. */
struct idle_lane {
	struct lane_gaps sums;
	int64_t lane;
};

/* The rows of span_idle. */
static void
list_lanes(const struct gaps *gaps, struct listed_cursor *cursor)
{
	struct idle_lane *rows = xmalloc(gaps->n_lanes * sizeof *rows);

	for (uint32_t i = 0; i < gaps->n_lanes; i++) {
		if (gaps->lanes[i].n_spans > 0 || gaps->lanes[i].uncovered_ns > 0) {
			rows[cursor->n++] = (struct idle_lane){gaps->lanes[i], i};
		}
	}
	cursor->rows = rows;
}

static int
read_within(const struct arguments *arguments, enum gaps_within *within, struct err *err)
{
	static const char *const names[] = {
	    [GAPS_PROCESS] = "process", [GAPS_HOST] = "host", [GAPS_RUN] = "run"};
	const char *text;

	if (arguments_text(arguments, 0, &text, err)) {
		return -1;
	}
	for (*within = GAPS_PROCESS; *within <= GAPS_RUN; (*within)++) {
		if (text && strcmp(text, names[*within]) == 0) {
			return 0;
		}
	}
	return err_set(err, ERR_QUERY, "within is process, host or run: not \"%s\"",
	               text ? text : "");
}

/* --- Busy time from tiles ------------------------------------------------- */

#define TILE_ROWS 256 /* are scanned as quickly as a lane's tile is read, about */

/* Does the filter decide on lanes as a whole? */
static bool
tiles_serve(const struct tile_reader *tiles, const struct filter *filter)
{
	const struct dataset *dataset = tiles->dataset;

	return tiles->base_ns > 0 && tiles->n_levels > 0 && filter_is_of_lanes(filter) &&
	       !dataset_is_scoped(dataset) && dataset->totals &&
	       dataset->n_rows[BLOCK_SPAN] / TILE_ROWS >= dataset->n_lanes;
}

/* Do all spans lie in the tile that begins with the run? */
static bool
fit_tile(const struct dataset_total *totals, size_t n, int64_t width_ns)
{
	size_t i = 0;

	while (i < n && totals[i].start_min >= 0 && totals[i].end_max <= width_ns) {
		i++;
	}
	return i == n;
}

/* A row for each lane that has a total which the filter takes. */
static struct idle_lane *
choose_lanes(const struct dataset *dataset, const struct filter *filter,
             const struct dataset_total *totals, size_t n_totals, int64_t *n)
{
	struct filter_state *state = filter_state_new(filter);
	struct idle_lane *rows = xcalloc((size_t)dataset->n_lanes + 1, sizeof *rows);

	for (size_t i = 0; i < n_totals; i++) {
		rows[totals[i].lane].sums.n_spans += filter_accepts_total(state, &totals[i]);
	}
	for (uint32_t lane = 0; lane < dataset->n_lanes; lane++) {
		if (rows[lane].sums.n_spans > 0) {
			rows[(*n)++] = (struct idle_lane){.lane = lane};
		}
	}
	filter_state_free(state);
	return rows;
}

/* Of each row only its busy time is set. 1; 0: a lane has no tiles, as those of summaries; -1. */
static int
read_busy(const struct tile_reader *tiles, int64_t width_ns, struct idle_lane *rows, size_t n,
          struct err *err)
{
	const struct tile_axis axis = {.cell_ns = width_ns, .n_cells = 1};
	struct tile_request *requests = xcalloc(n + 1, sizeof *requests);
	struct tile_cell *cells = xcalloc(n + 1, sizeof *cells);
	struct arena *arena = arena_new();

	for (size_t i = 0; i < n; i++) {
		requests[i] =
		    (struct tile_request){.id = (uint32_t)rows[i].lane, .cells = &cells[i]};
	}
	int status = tile_read_many(tiles, requests, n, axis, arena, err) == 0 ? 1 : -1;
	for (size_t i = 0; i < n && status > 0; i++) {
		rows[i].sums.end_ns = cells[i].busy_ns;
		status = cells[i].count > 0;
	}
	arena_free(arena);
	free(cells);
	free(requests);
	return status;
}

/* 1: the rows are there; 0: they have to be scanned for; -1. */
static int
list_busy(struct vtab *vtab, struct listed_cursor *cursor, const struct gaps_request *request,
          struct err *err)
{
	const struct dataset *dataset = cursor->cursor.dataset;
	const struct dataset_total *totals;
	size_t n_totals = 0;
	struct tile_reader tiles;
	struct filter *filter =
	    filter_compile(dataset, BLOCK_SPAN, request->filter, request->parameters, err);
	int status = filter ? vtab_tiles(vtab, &tiles, err) : -1;

	if (status == 0 && tiles_serve(&tiles, filter)) {
		int64_t width_ns = tiles.base_ns << (2 * (tiles.n_levels - 1));
		status = dataset->totals(dataset->user, true, &totals, &n_totals, err);
		if (status == 0 && n_totals > 0 && fit_tile(totals, n_totals, width_ns)) {
			tiles.cancel = request->cancel;
			int64_t n = 0;
			struct idle_lane *rows =
			    choose_lanes(dataset, filter, totals, n_totals, &n);
			status = read_busy(&tiles, width_ns, rows, (size_t)n, err);
			if (status > 0) {
				cursor->rows = rows;
				cursor->n = n;
			} else {
				free(rows);
			}
		}
	}
	filter_free(filter);
	return status;
}

/* --- The tables ------------------------------------------------------------ */

static int
find_gaps(struct listed_cursor *cursor, const struct gaps_request *request, bool is_idle,
          struct err *err)
{
	struct gaps gaps = {0};
	int status = gaps_run(cursor->cursor.dataset, request, &gaps, err);

	if (status == 0 && is_idle) {
		list_lanes(&gaps, cursor);
	} else if (status == 0) {
		cursor->rows = gaps.gaps;
		cursor->n = (int64_t)gaps.n_gaps;
		gaps.gaps = NULL;
	}
	gaps_fini(&gaps);
	return status;
}

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	bool is_idle = vtab->type->listed == &vtab_idle_listed;
	int first = vtab->type->listed == &vtab_gaps_within_listed;
	struct gaps_request request = {.neighbours = !is_idle && cursor->wants != 0,
	                               .cancel = vtab_cancel(vtab)};

	if ((first > 0 && read_within(&cursor->arguments, &request.within, err)) ||
	    arguments_text(&cursor->arguments, first, &request.filter, err) ||
	    arguments_duration(&cursor->arguments, first + 1, &request.least_ns, err) ||
	    (!is_idle && arguments_integer(&cursor->arguments, first + 2, &request.limit, err)) ||
	    arguments_parameters(&cursor->arguments, request.parameters, err)) {
		return -1;
	}
	if (request.limit < 0) {
		return err_set(err, ERR_QUERY, "n can't be negative");
	}
	int status = is_idle && !cursor->wants ? list_busy(vtab, cursor, &request, err) : 0;
	if (status == 0) {
		status = find_gaps(cursor, &request, is_idle, err);
	}
	return status >= 0 ? vtab_take_census(vtab, request.filter, request.parameters, false, err)
	                   : -1;
}

static unsigned
read_gap(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct gap *gap = (const struct gap *)rows + row;
	const int64_t all[] = {gap->lane,
	                       gap->start_ns,
	                       gap->end_ns,
	                       time_sub(gap->end_ns, gap->start_ns),
	                       [GAP_BEFORE] = gap->before.id,
	                       gap->before.name,
	                       [GAP_AFTER] = gap->after.id,
	                       gap->after.name};

	memcpy(values, all, sizeof all);
	/* id and name of each */
	return (gap->before.id == 0 ? 3u << GAP_BEFORE : 0) |
	       (gap->after.id == 0 ? 3u << GAP_AFTER : 0);
}

static unsigned
read_gap_within(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct gap *gap = (const struct gap *)rows + row;
	const int64_t all[] = {gap->lane,
	                       gap->start_ns,
	                       gap->end_ns,
	                       time_sub(gap->end_ns, gap->start_ns),
	                       [GAP_BEFORE] = gap->before.id,
	                       gap->before.name,
	                       gap->before.lane,
	                       [WITHIN_AFTER] = gap->after.id,
	                       gap->after.name,
	                       gap->after.lane};

	memcpy(values, all, sizeof all);
	/* id, name and lane of each */
	return (gap->before.id == 0 ? 7u << GAP_BEFORE : 0) |
	       (gap->after.id == 0 ? 7u << WITHIN_AFTER : 0);
}

static unsigned
read_lane(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct idle_lane *lane = (const struct idle_lane *)rows + row;
	const struct lane_gaps *sums = &lane->sums;
	const int64_t all[] = {lane->lane,
	                       sums->start_ns,
	                       sums->end_ns,
	                       sums->n_spans,
	                       time_sub(time_sub(sums->end_ns, sums->start_ns), sums->uncovered_ns),
	                       sums->idle_ns,
	                       sums->n_gaps,
	                       [IDLE_LONGEST] = sums->longest_ns,
	                       [IDLE_LONGEST_START] = sums->longest_start_ns};

	memcpy(values, all, sizeof all);
	return sums->n_gaps > 0 ? 0 : 1u << IDLE_LONGEST | 1u << IDLE_LONGEST_START;
}

const struct listed_table vtab_gaps_listed = {
    .arguments = {{"filter", "least", "n", PARAMETER_NAMES},
                  11,
                  3,
                  "(filter, least, n [, p1, ... p8])"},
    .n_columns = 8,
    .columns = {{"lane", LISTED_INTEGER},
                {"start", LISTED_INTEGER},
                {"finish", LISTED_INTEGER},
                {"duration", LISTED_INTEGER},
                {"before", LISTED_INTEGER},
                {"before_name", LISTED_TEXT},
                {"after", LISTED_INTEGER},
                {"after_name", LISTED_TEXT}},
    .extra = 15u << GAP_BEFORE,
    .run = run,
    .read = read_gap};

const struct listed_table vtab_gaps_within_listed = {
    .arguments = {{"within", "filter", "least", "n", PARAMETER_NAMES},
                  12,
                  4,
                  "(within, filter, least, n [, p1, ... p8])"},
    .n_columns = 10,
    .columns = {{"lane", LISTED_INTEGER},
                {"start", LISTED_INTEGER},
                {"finish", LISTED_INTEGER},
                {"duration", LISTED_INTEGER},
                {"before", LISTED_INTEGER},
                {"before_name", LISTED_TEXT},
                {"before_lane", LISTED_INTEGER},
                {"after", LISTED_INTEGER},
                {"after_name", LISTED_TEXT},
                {"after_lane", LISTED_INTEGER}},
    .extra = 63u << GAP_BEFORE,
    .run = run,
    .read = read_gap_within};

const struct listed_table vtab_idle_listed = {
    .arguments = {{"filter", "least", PARAMETER_NAMES}, 10, 2, "(filter, least [, p1, ... p8])"},
    .n_columns = 9,
    .columns = {{"lane", LISTED_INTEGER},
                {"start", LISTED_INTEGER},
                {"finish", LISTED_INTEGER},
                {"n", LISTED_INTEGER},
                {"busy", LISTED_INTEGER},
                {"idle", LISTED_INTEGER},
                {"gaps", LISTED_INTEGER},
                {"longest", LISTED_INTEGER},
                {"longest_start", LISTED_INTEGER}},
    .extra = 511u & ~(1u << IDLE_LANE | 1u << IDLE_BUSY),
    .run = run,
    .read = read_lane};
