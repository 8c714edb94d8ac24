/*
 * The rows: a tree written down in order, each row knowing how many of those that follow belong to
 * it, so that folding is skipping. Lanes come sorted; a host's begin where the host changes, a
 * process's where the process does.
 */
#include "config.h"

#include "query/timeline/timeline_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "column/scan/scan.h"
#include "util/ascii.h"
#include "util/order.h"

struct laying {
	struct timeline *timeline;
	const struct dataset *dataset;
	const struct lane_order *order;
	size_t n;
	const struct lane_use *uses;
	uint32_t *members; /* room that is left */
	unsigned parts;
};

static const struct lane *
lane_at(const struct laying *laying, size_t i)
{
	return &laying->dataset->lanes[laying->order[i].id];
}

static bool
same_process(const struct laying *laying, size_t a, size_t b)
{
	const struct ident *x = &lane_at(laying, a)->process, *y = &lane_at(laying, b)->process;

	return lane_at(laying, a)->host == lane_at(laying, b)->host && x->type == y->type &&
	       (x->type == IDENT_INTEGER ? x->integer == y->integer
	                                 : x->type == IDENT_NONE || x->text == y->text);
}

static struct timeline_row *
add_row(struct laying *laying, enum timeline_row_type type, unsigned level, struct slice name)
{
	struct timeline_row *row = &laying->timeline->rows[laying->timeline->n_rows++];

	*row = (struct timeline_row){.type = type,
	                             .level = level,
	                             .is_host = type == TIMELINE_HOST,
	                             .text = TEXT_NONE,
	                             .name = timeline_keep(laying->timeline, name)};
	return row;
}

static void
add_members(struct laying *laying, struct timeline_row *row, size_t from, size_t to)
{
	row->members = laying->members;
	for (size_t i = from; i < to; i++) {
		if (lane_kind_is_work(lane_at(laying, i)->kind)) {
			laying->members[row->n_members++] = laying->order[i].id;
		}
	}
	for (size_t i = from; i < to; i++) {
		if (lane_at(laying, i)->kind == LANE_AGGREGATE) {
			laying->members[row->n_members + row->n_dense++] = laying->order[i].id;
		}
	}
	laying->members += row->n_members + row->n_dense;
}

/* What is left of a name that begins with those n bytes; none if nothing is. */
static struct slice
label_after(struct slice name, size_t n)
{
	return n < name.len ? slice_from(name, n) : (struct slice){0};
}

/* Bytes of "PROCESS/", if the names of all the lanes of one process begin with the same; else 0. */
static size_t
process_prefix(const struct laying *laying, size_t from, size_t to)
{
	struct slice first = dataset_text(laying->dataset, lane_at(laying, from)->name);
	const char *slash = memchr(first.ptr, '/', first.len);
	size_t n = slash ? (size_t)(slash - first.ptr) + 1 : 0;

	for (size_t i = from; i < to; i++) {
		struct slice name = dataset_text(laying->dataset, lane_at(laying, i)->name);

		if (name.len <= n || memcmp(name.ptr, first.ptr, n) != 0) {
			return 0;
		}
	}
	return n;
}

/* A lane beside the one before it bears its name and more: "worker0 queue". */
static void
shorten_beside(struct laying *laying, size_t first_row)
{
	struct slice owner = {0};

	for (size_t i = first_row; i < laying->timeline->n_rows; i++) {
		struct timeline_row *row = &laying->timeline->rows[i];

		if (row->type == TIMELINE_LANE && lane_kind_is_beside(row->kind) && owner.len > 0 &&
		    row->name.len > owner.len && row->name.ptr[owner.len] == ' ' &&
		    memcmp(row->name.ptr, owner.ptr, owner.len) == 0) {
			row->label = label_after(row->name, owner.len); /* its blank indents it */
			row->is_beside = true;
		} else {
			owner = row->type == TIMELINE_LANE ? row->name : (struct slice){0};
		}
	}
}

static void
add_lanes(struct laying *laying, size_t from, size_t to, unsigned level)
{
	size_t first_row = laying->timeline->n_rows;

	for (size_t i = from; i < to; i++) {
		const struct lane *lane = lane_at(laying, i);
		struct timeline_row *row = add_row(laying, TIMELINE_LANE, level,
		                                   dataset_text(laying->dataset, lane->name));

		row->id = laying->order[i].id;
		row->kind = lane->kind;
		row->busy_ns = laying->uses[row->id].busy_ns;
		row->first_ns = laying->uses[row->id].first_ns;
		row->last_ns = laying->uses[row->id].last_ns;
	}
	shorten_beside(laying, first_row);
}

/* What the trace calls a process, else its number. */
static struct slice
process_name(struct laying *laying, const struct ident *process)
{
	struct arena *arena = laying->timeline->arena;

	if (process->type == IDENT_INTEGER) {
		return slice_of(arena_printf(arena, "process %" PRId64, process->integer));
	}
	struct slice text = process->type == IDENT_TEXT
	                        ? dataset_text(laying->dataset, process->text)
	                        : slice_of("");
	return slice_of(arena_printf(arena, "process %.*s", (int)text.len, text.ptr));
}

/* Without a last "(TITLE)" that says the process's title, or its first letters, again. */
static struct slice
without_title(struct slice label, struct slice title)
{
	size_t n = label.len;

	while (n > 2 && label.ptr[n - 1] != '(') {
		n--;
	}
	if (n > 2 && label.ptr[n - 2] == ' ' && label.ptr[label.len - 1] == ')') {
		struct slice inside = {label.ptr + n, label.len - n - 1};

		if (inside.len > 0 && inside.len <= title.len &&
		    memcmp(inside.ptr, title.ptr, inside.len) == 0) {
			label.len = n - 2;
		}
	}
	return label;
}

/* What the names of a process's lanes begin with stands in its row alone, with its number: "GPU 0",
 * "python 4711". */
static void
shorten_process(struct laying *laying, size_t row, size_t prefix)
{
	struct timeline *timeline = laying->timeline;
	struct timeline_row *process = &timeline->rows[row];
	struct slice number = label_after(process->name, strlen("process "));

	for (size_t i = row + 1; i < timeline->n_rows && prefix > 0; i++) {
		struct timeline_row *lane = &timeline->rows[i];
		struct slice title = {lane->name.ptr, prefix - 1};

		if (lane->label.len == 0) { /* else it is told by the one above it */
			lane->label = without_title(label_after(lane->name, prefix), title);
		}
		if (slice_equal(title, number)) {
			continue; /* its name says that */
		}
		process->label =
		    title.len >= number.len &&
			    slice_equal(slice_from(title, title.len - number.len), number)
			? title
			: slice_of(arena_printf(timeline->arena, "%.*s %.*s",
		                                (int)LEAST(title.len, 4096), title.ptr,
		                                (int)LEAST(number.len, 4096), number.ptr));
	}
}

static void
add_processes(struct laying *laying, size_t from, size_t to, unsigned level)
{
	size_t i = from, next;
	bool several = (laying->parts & TIMELINE_PROCESSES) && !same_process(laying, from, to - 1);

	for (; i < to; i = next) {
		size_t row = laying->timeline->n_rows;
		bool has_row;

		next = i + 1;
		while (next < to && same_process(laying, i, next)) {
			next++;
		}
		has_row = several && next - i > 1 && lane_at(laying, i)->process.type != IDENT_NONE;
		if (has_row) {
			add_members(laying,
			            add_row(laying, TIMELINE_PROCESS, level,
			                    process_name(laying, &lane_at(laying, i)->process)),
			            i, next);
			laying->timeline->rows[row].id = laying->order[i].id;
		}
		add_lanes(laying, i, next, level + has_row);
		if (has_row) {
			laying->timeline->rows[row].n_below = laying->timeline->n_rows - row - 1;
			shorten_process(laying, row, process_prefix(laying, i, next));
		}
	}
}

static void
add_hosts(struct laying *laying)
{
	size_t i = 0, next;

	for (; i < laying->n; i = next) {
		const struct lane *lane = lane_at(laying, i);
		size_t row = laying->timeline->n_rows;
		bool works = false;

		for (next = i; next < laying->n && lane_at(laying, next)->host == lane->host;
		     next++) {
			works = works || lane_kind_is_work(lane_at(laying, next)->kind);
		}
		works = works && lane->host != TEXT_NONE;
		if (works) {
			add_members(laying,
			            add_row(laying, TIMELINE_HOST, 0,
			                    dataset_text(laying->dataset, lane->host)),
			            i, next);
			laying->timeline->rows[row].id = lane->host;
		}
		add_processes(laying, i, next, works);
		if (works) {
			laying->timeline->rows[row].n_below = laying->timeline->n_rows - row - 1;
		}
	}
}

static void
add_sums(struct laying *laying)
{
	static const char *const names[] = {"work", "idle", "transfer", "queue"};
	bool waits = false;

	for (size_t i = 0; i < laying->n; i++) {
		waits = waits || lane_at(laying, i)->kind == LANE_WAITING;
	}
	for (uint32_t i = SUM_WORK; i <= (waits ? SUM_QUEUE : SUM_IDLE); i++) {
		add_row(laying, TIMELINE_SUM, 0, slice_of(names[i]))->id = i;
	}
}

/* At most so many: of a million lanes each row that is none counts. */
static size_t
count_rows(const struct laying *laying)
{
	size_t n = SUM_QUEUE + 1 + laying->n;

	for (size_t i = 0; i < laying->n; i++) {
		bool begins_host =
		    i == 0 || lane_at(laying, i - 1)->host != lane_at(laying, i)->host;
		bool begins_process = i + 1 < laying->n && same_process(laying, i, i + 1) &&
		                      (i == 0 || !same_process(laying, i - 1, i));

		n += begins_host + begins_process;
	}
	return n;
}

void
timeline_lay_rows(struct timeline *timeline, struct store *store, const struct lane_order *order,
                  size_t n, const struct lane_use *uses, unsigned parts)
{
	struct err ignored = ERR_INIT;
	struct laying laying = {.timeline = timeline,
	                        .dataset = store_dataset(store, &ignored),
	                        .order = order,
	                        .n = n,
	                        .uses = uses,
	                        .parts = parts};

	laying.members = arena_alloc(timeline->arena, (2 * n + 1) * sizeof *laying.members);
	timeline->rows =
	    arena_zalloc(timeline->arena, (count_rows(&laying) + 1) * sizeof *timeline->rows);
	if (parts & TIMELINE_SUMS && n > 0) {
		add_sums(&laying);
	}
	add_hosts(&laying);
}

/* ---- counters and capacity ---- */

#define VALUE_ROWS_LIMIT 10000u

static void
rows_reserve(struct timeline *timeline, size_t more)
{
	struct timeline_row *rows =
	    arena_zalloc(timeline->arena, (timeline->n_rows + more + 1) * sizeof *rows);

	if (timeline->n_rows > 0) {
		memcpy(rows, timeline->rows, timeline->n_rows * sizeof *rows);
	}
	timeline->rows = rows;
}

/* Counters of one name on several lanes are told apart by these. */
static void
name_counters(struct timeline *timeline, const struct dataset *dataset, size_t first)
{
	for (size_t i = first; i < timeline->n_rows; i++) {
		struct timeline_row *row = &timeline->rows[i];
		struct slice lane = dataset_text(dataset, dataset->lanes[row->id].name);
		bool several = false;

		for (size_t k = first; k < timeline->n_rows && lane.len > 0 && !several; k++) {
			several = k != i && slice_equal(timeline->rows[k].counter, row->counter);
		}
		if (several) {
			row->name = slice_of(arena_printf(timeline->arena, "%.*s %.*s",
			                                  (int)row->counter.len, row->counter.ptr,
			                                  (int)LEAST(lane.len, 4096), lane.ptr));
		}
	}
}

#define LONG_NAME 24 /* bytes; longer ones are cut on small screens */

static bool
is_word(char c)
{
	return is_alnum(c) || (unsigned char)c >= 0x80;
}

/* Bytes that both begin with, to where a word or a part of one (GroupTotal) begins. */
static size_t
common_words(struct slice a, struct slice b)
{
	size_t n = 0;

	while (n < a.len && n < b.len && a.ptr[n] == b.ptr[n]) {
		n++;
	}
	while (n > 0 && n < a.len && is_word(a.ptr[n - 1]) &&
	       !(is_upper(a.ptr[n]) && is_lower(a.ptr[n - 1]))) {
		n--;
	}
	return n;
}

/* Long names that begin alike show what tells them apart, then what they count: "TotalInstances
 * nodes". */
static void
shorten_alike(struct timeline *timeline, size_t first)
{
	for (size_t i = first, end; i < timeline->n_rows; i = end) {
		struct slice name = timeline->rows[i].name;
		const char *blank = memchr(name.ptr, ' ', name.len);
		size_t head = blank ? (size_t)(blank - name.ptr) : 0, n = name.len;

		for (end = i + 1; end < timeline->n_rows; end++) {
			size_t common = common_words(name, timeline->rows[end].name);
			if (common <= head + 2) {
				break;
			}
			n = LEAST(common, n);
		}
		for (size_t k = i; k < end && end - i > 1 && head > 0; k++) {
			struct timeline_row *row = &timeline->rows[k];
			struct slice rest = label_after(row->name, n);
			if (rest.len > 0 && row->name.len > LONG_NAME) {
				row->label = slice_of(arena_printf(
				    timeline->arena, "%.*s %.*s", (int)LEAST(rest.len, 4096),
				    rest.ptr, (int)LEAST(head, 4096), name.ptr));
			}
		}
	}
}

static int
add_counters(struct timeline *timeline, const struct dataset *dataset, struct err *err)
{
	struct sums_request request = {.kind = BLOCK_COUNTER, .by = "lane,name"};
	struct sums *sums = sums_run(dataset, &request, err);
	size_t n = sums ? sums_count(sums) : 0, first = timeline->n_rows;

	if (!sums) {
		return -1;
	}
	rows_reserve(timeline, LEAST(n, VALUE_ROWS_LIMIT));
	for (size_t i = 0; i < n && i < VALUE_ROWS_LIMIT; i++) {
		struct scan_value lane = sums_key(sums, i, ROW_LANE);
		struct scan_value name = sums_key(sums, i, ROW_NAME);
		const struct measure_sums *value = &sums_group(sums, i)->measure[MEASURE_VALUE];
		struct timeline_row *row;

		if (lane.type != SCAN_INTEGER || lane.integer < 0 ||
		    lane.integer >= dataset->n_lanes || name.type != SCAN_TEXT) {
			continue;
		}
		row = &timeline->rows[timeline->n_rows++];
		*row = (struct timeline_row){.type = TIMELINE_COUNTER,
		                             .id = (uint32_t)lane.integer,
		                             .counter = timeline_keep(timeline, name.text),
		                             .low = value->real_min,
		                             .high = value->real_max};
		row->name = row->counter;
	}
	sums_free(sums);
	name_counters(timeline, dataset, first);
	return 0;
}

static int
add_capacity(struct timeline *timeline, struct store *store, struct err *err)
{
	struct stmt *stmt =
	    store_prepare(store,
	                  "SELECT c.pool, s.text, min(c.nodes), max(c.nodes) FROM capacity c"
	                  " LEFT JOIN string s ON s.id = c.pool GROUP BY c.pool ORDER BY 2"
	                  " LIMIT 1000",
	                  err);
	int state;
	rows_reserve(timeline, 1000);
	while ((state = stmt_step(stmt, err)) > 0) {
		struct slice pool = stmt_text(stmt, 1);
		int64_t code = stmt_type(stmt, 0) == VALUE_NULL ? TEXT_NONE : stmt_integer(stmt, 0);
		const char *name = arena_printf(timeline->arena, "nodes%s%.*s", pool.len ? " " : "",
		                                (int)pool.len, pool.len ? pool.ptr : "");

		timeline->rows[timeline->n_rows++] =
		    (struct timeline_row){.type = TIMELINE_CAPACITY,
		                          .name = slice_of(name),
		                          .text = (uint32_t)code,
		                          .low = (double)stmt_integer(stmt, 2),
		                          .high = (double)stmt_integer(stmt, 3)};
	}
	stmt_free(stmt);
	return state;
}

int
timeline_add_values(struct timeline *timeline, struct store *store, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	size_t first = timeline->n_rows;

	if (!dataset ||
	    (store_run(store)->n_counters > 0 && add_counters(timeline, dataset, err)) ||
	    add_capacity(timeline, store, err)) {
		return -1;
	}
	shorten_alike(timeline, first);
	return 0;
}
