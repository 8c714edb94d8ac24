/*
 * The rows are written down anew. Where the first of a group stands, the row of those that are
 * alike comes, then they, one level deeper, as what is below it: so it is folded, unfolded, drawn
 * and found in as hosts and processes are. The odd ones follow in their order.
 */
#include "config.h"

#include "query/timeline/timeline_alike.h"

#include <stdlib.h>
#include <string.h>

#include "column/ops/alike.h"
#include "query/timeline/timeline_pair.h"
#include "query/timeline/timeline_private.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/utf8.h"

#define LABEL_BYTES 16 /* longer names are cut on small screens */

/* A run's rows at work. */
struct alike_side {
	const struct timeline *from;
	const struct dataset *dataset;
	struct alike alike;
	bool *is_alike;     /* by row of from */
	bool has_ranks;     /* its processes are ranks */
	size_t *n_by_group; /* that are alike, of the rows at hand */
	bool *is_laid;      /* by group: its row of those is there */
	struct timeline *out;
};

/* What a row is as a member of its group; NULL: it is compared with none. */
static const struct alike_member *
member_of(const struct alike_side *side, const struct timeline_row *row)
{
	enum alike_level level = row->type == TIMELINE_HOST      ? ALIKE_HOSTS
	                         : row->type == TIMELINE_PROCESS ? ALIKE_PROCESSES
	                                                         : ALIKE_LANES;
	uint32_t lane, at;

	if (row->type > TIMELINE_PROCESS || (row->type != TIMELINE_LANE && row->n_members == 0)) {
		return NULL;
	}
	lane = row->type == TIMELINE_LANE ? row->id : row->members[0];
	at = side->alike.by_lane[level][lane];
	return at == ALIKE_NONE ? NULL : &side->alike.members[at];
}

static bool
is_odd(const struct alike_side *side, const struct alike_member *member)
{
	return member && member->is_odd && side->alike.groups[member->group].folds;
}

/* What holds an odd one does not fold: it would hide it. */
static void
keep_odd_in_sight(struct alike_side *side)
{
	for (size_t i = 0; i < side->from->n_rows; i++) {
		size_t end = i + side->from->rows[i].n_below;

		for (size_t k = i + 1; k <= end && side->is_alike[i]; k++) {
			side->is_alike[i] = !is_odd(side, member_of(side, &side->from->rows[k]));
		}
	}
}

static int
read_side(struct alike_side *side, struct store *store, const struct timeline *from,
          const struct cancel *cancel, struct err *err)
{
	uint32_t n_processes = 0;
	struct stmt *stmt;
	int state;

	side->from = from;
	side->dataset = store_dataset(store, err);
	if (!side->dataset || alike_run(side->dataset, cancel, &side->alike, err)) {
		return -1;
	}
	MEM_NEW(side->is_alike, from->n_rows + 1);
	for (size_t i = 0; i < from->n_rows; i++) {
		const struct alike_member *member = member_of(side, &from->rows[i]);

		side->is_alike[i] =
		    member && !member->is_odd && side->alike.groups[member->group].folds;
	}
	keep_odd_in_sight(side);
	for (uint32_t i = 0; i < side->alike.n_groups; i++) {
		n_processes +=
		    side->alike.groups[i].level == ALIKE_PROCESSES ? side->alike.groups[i].n : 0;
	}
	stmt = store_prepare(
	    store, "SELECT max(value) FROM tags WHERE scope IS NULL AND key = 'ranks'", err);
	state = stmt_step(stmt, err);
	side->has_ranks = state > 0 && stmt_integer(stmt, 0) == n_processes;
	stmt_free(stmt);
	return state < 0 ? -1 : 0;
}

static void
side_fini(struct alike_side *side)
{
	alike_fini(&side->alike);
	free(side->is_alike);
}

/* ---- rows ---- */

static const struct timeline_odd *
odd_of(const struct alike_side *side, const struct alike_member *member)
{
	const struct alike_group *group;
	struct timeline_odd *odd;

	if (!is_odd(side, member)) {
		return NULL;
	}
	group = &side->alike.groups[member->group];
	odd = arena_zalloc(side->out->arena, sizeof *odd);
	odd->figure = member->figure;
	odd->own_ns = member->value_ns;
	odd->usual_ns = member->usual_ns;
	odd->n_alike = group->n_alike;
	if (member->name < side->dataset->n_texts) {
		odd->name = timeline_keep(side->out, dataset_text(side->dataset, member->name));
	}
	return odd;
}

static struct timeline_row *
copy_row(struct alike_side *side, size_t i, unsigned deeper)
{
	const struct timeline_row *from = &side->from->rows[i];
	size_t at = side->out->n_rows++;
	struct timeline_row *row = &side->out->rows[at];

	*row = *from;
	row->level += deeper;
	row->name = timeline_keep(side->out, from->name);
	row->label = timeline_keep(side->out, from->label);
	row->counter = timeline_keep(side->out, from->counter);
	row->odd = odd_of(side, member_of(side, from));
	side->out->base_rows[at] = i;
	return row;
}

static void lay(struct alike_side *side, const struct timeline_row *parent, size_t from, size_t to,
                unsigned deeper);

/* A row with what goes with it. */
static void
lay_row(struct alike_side *side, size_t i, unsigned deeper)
{
	size_t n_below = side->from->rows[i].n_below;
	size_t at = side->out->n_rows, end = i + 1 + timeline_rows_with(side->from, i);

	copy_row(side, i, deeper);
	lay(side, &side->from->rows[i], i + 1, i + 1 + n_below, deeper);
	side->out->rows[at].n_below = side->out->n_rows - at - 1;
	for (size_t k = i + 1 + n_below; k < end; k++) {
		copy_row(side, k, deeper); /* beside it */
	}
}

static const uint32_t *
lanes_of(const struct timeline_row *row, uint32_t *n)
{
	*n = row->type == TIMELINE_LANE ? 1 : row->n_members;
	return row->type == TIMELINE_LANE ? &row->id : row->members;
}

/* The members of a host that are not among those. */
static void
take_others(const struct alike_side *side, const struct timeline_row *host,
            struct timeline_row *row)
{
	bool *is_member = xcalloc((size_t)side->from->n_lanes + 1, sizeof *is_member);
	uint32_t *others =
	    arena_alloc(side->out->arena, ((size_t)host->n_members + 1) * sizeof *others);

	for (uint32_t i = 0; i < row->n_members; i++) {
		is_member[row->members[i]] = true;
	}
	for (uint32_t i = 0; i < host->n_members; i++) {
		if (!is_member[host->members[i]]) {
			others[row->n_others++] = host->members[i];
		}
	}
	row->id = host->id;
	row->others = others;
	free(is_member);
}

/* Lanes of the rows of a group that are alike; and, of a host, its others. */
static void
take_members(const struct alike_side *side, const struct timeline_row *parent,
             struct timeline_row *row, size_t from, size_t to, uint32_t group)
{
	uint32_t *members = NULL;
	size_t capacity = 0;

	for (size_t i = from; i < to; i += 1 + timeline_rows_with(side->from, i)) {
		const struct timeline_row *one = &side->from->rows[i];
		uint32_t n;
		const uint32_t *lanes = lanes_of(one, &n);

		if (!side->is_alike[i] || member_of(side, one)->group != group) {
			continue;
		}
		MEM_GROW(members, capacity, (size_t)row->n_members + n);
		memcpy(members + row->n_members, lanes, n * sizeof *lanes);
		row->n_members += n;
	}
	row->members = arena_copy(side->out->arena, members, row->n_members * sizeof *members);
	free(members);
	if (parent && parent->type == TIMELINE_HOST) {
		take_others(side, parent, row);
	}
}

static const char *
word_of(const struct alike_side *side, const struct timeline_row *row)
{
	return row->type == TIMELINE_HOST      ? "host"
	       : row->type == TIMELINE_PROCESS ? (side->has_ranks ? "rank" : "process")
	                                       : lane_word(row->kind);
}

/* The row of those of a group that are alike, with them below it. first: one of the group's. */
static void
lay_alike(struct alike_side *side, const struct timeline_row *parent, size_t first, size_t from,
          size_t to, unsigned deeper)
{
	uint32_t group = member_of(side, &side->from->rows[first])->group;
	const struct timeline_row *like = &side->from->rows[first];
	const char *word = word_of(side, like);
	size_t n = side->n_by_group[group], at = side->out->n_rows++;
	struct timeline_row *row = &side->out->rows[at];
	char count[FORMAT_BYTES];

	*row = (struct timeline_row){.type = TIMELINE_ALIKE,
	                             .level = like->level + deeper,
	                             .id = TEXT_NONE,
	                             .text = TEXT_NONE,
	                             .kind = like->kind,
	                             .alike_are = like->type};
	row->name = slice_of(arena_printf(side->out->arena, "%s %s%s alike",
	                                  format_count(count, (int64_t)n), word,
	                                  strcmp(word, "process") == 0 ? "es" : "s"));
	if (row->name.len > LABEL_BYTES) {
		row->label = slice_of(arena_printf(side->out->arena, "%s alike", count));
	}
	take_members(side, parent, row, from, to, group);
	side->out->base_rows[at] = SIZE_MAX;
	side->out->n_alike++;
	for (size_t i = from; i < to; i += 1 + timeline_rows_with(side->from, i)) {
		if (side->is_alike[i] && member_of(side, &side->from->rows[i])->group == group) {
			lay_row(side, i, deeper + 1);
		}
	}
	side->out->rows[at].n_below = side->out->n_rows - at - 1;
}

/* The rows in [from, to), which have one parent, and what goes with them. */
static void
lay(struct alike_side *side, const struct timeline_row *parent, size_t from, size_t to,
    unsigned deeper)
{
	for (size_t i = from; i < to; i += 1 + timeline_rows_with(side->from, i)) {
		if (side->is_alike[i]) {
			side->n_by_group[member_of(side, &side->from->rows[i])->group]++;
		}
	}
	for (size_t i = from; i < to; i += 1 + timeline_rows_with(side->from, i)) {
		const struct alike_member *member = member_of(side, &side->from->rows[i]);
		bool folds = member && side->n_by_group[member->group] > 1;

		if (folds && !side->is_laid[member->group]) {
			side->is_laid[member->group] = true;
			lay_alike(side, parent, i, from, to, deeper);
		}
		if (!folds || !side->is_alike[i]) {
			lay_row(side, i, deeper);
		}
	}
}

/* ---- timelines ---- */

/* A run's, folded. */
static struct timeline *
fold_side(struct alike_side *side)
{
	const struct timeline *from = side->from;
	size_t n = 2 * from->n_rows + 1;
	struct timeline *out;

	MEM_NEW(out, 1);
	*out = *from;
	atomic_init(&out->references, 1);
	out->arena = arena_new();
	out->base = timeline_retain((struct timeline *)from); /* members are its */
	out->rows = arena_zalloc(out->arena, n * sizeof *out->rows);
	out->base_rows = arena_zalloc(out->arena, n * sizeof *out->base_rows);
	out->n_rows = out->n_alike = 0;
	side->out = out;
	side->n_by_group = xcalloc((size_t)side->alike.n_groups + 1, sizeof *side->n_by_group);
	side->is_laid = xcalloc((size_t)side->alike.n_groups + 1, sizeof *side->is_laid);
	lay(side, NULL, 0, from->n_rows, 0);
	free(side->n_by_group);
	free(side->is_laid);
	return out;
}

/* Of a pair both have to be alike. */
static void
join_pairs(const struct timeline *base, struct alike_side sides[2])
{
	const size_t *origins = base->pair->origins;

	for (size_t i = 0; i + 1 < base->n_rows; i++) {
		if (base->rows[i].leads_pair) {
			bool *alike_a = sides[0].is_alike, *alike_b = sides[1].is_alike;
			size_t a = origins[i], b = origins[i + 1];
			bool is_alike = alike_a[a] && alike_b[b];

			alike_a[a] = is_alike;
			alike_b[b] = is_alike;
		}
	}
}

static struct timeline *
pair_sides(struct timeline *base, struct timeline *a, struct timeline *b)
{
	struct timeline *out = timeline_of_two(a, b, base->pair->n_spans_a);

	out->base = timeline_retain(base);
	out->n_alike = a->n_alike + b->n_alike;
	out->base_rows = arena_zalloc(out->arena, (out->n_rows + 1) * sizeof *out->base_rows);
	for (size_t i = 0; i < out->n_rows; i++) {
		int side = out->rows[i].side == 2;
		size_t row = (side ? b : a)->base_rows[out->pair->origins[i]];

		out->base_rows[i] = row == SIZE_MAX ? SIZE_MAX : base->pair->rows[side][row];
	}
	return out;
}

struct timeline *
timeline_alike_read(struct store *const stores[2], struct timeline *base,
                    const struct cancel *cancel, struct err *err)
{
	struct alike_side sides[2] = {{0}};
	struct timeline *folded[2] = {NULL, NULL}, *out = NULL;
	int n = base->pair ? 2 : 1, rc = 0;

	for (int i = 0; i < n && rc == 0; i++) {
		rc = read_side(&sides[i], stores[i], base->pair ? base->pair->sides[i] : base,
		               cancel, err);
	}
	if (rc == 0 && base->pair) {
		join_pairs(base, sides);
	}
	for (int i = 0; i < n && rc == 0; i++) {
		folded[i] = fold_side(&sides[i]);
	}
	if (rc == 0) {
		out = base->pair ? pair_sides(base, folded[0], folded[1])
		                 : timeline_retain(folded[0]);
	}
	for (int i = 0; i < n; i++) {
		timeline_release(folded[i]);
		side_fini(&sides[i]);
	}
	return out;
}

/* ---- words ---- */

void
timeline_odd_say(const struct timeline_odd *odd, struct strbuf *out)
{
	char own[FORMAT_BYTES], usual[FORMAT_BYTES], off[FORMAT_BYTES];
	int64_t by = time_sub(odd->own_ns, odd->usual_ns);

	format_duration(own, odd->own_ns);
	format_duration(usual, odd->usual_ns);
	format_duration(off, by < 0 ? -by : by);
	if (odd->figure == ALIKE_FIRST || odd->figure == ALIKE_LAST) {
		strbuf_printf(out, "%s %s %s than usual",
		              odd->figure == ALIKE_FIRST ? "begins" : "ends", off,
		              by < 0 ? "earlier" : "later");
		return;
	}
	if (odd->figure == ALIKE_NAME) {
		struct slice name = utf8_clip(odd->name, 40);

		strbuf_add_text(out, "self in ");
		strbuf_add_slice(out, name);
		strbuf_add_text(out, name.len < odd->name.len ? "~ " : " ");
	} else {
		strbuf_add_text(out, "busy ");
	}
	strbuf_add_text(out, own);
	if (odd->usual_ns > 0) {
		strbuf_printf(out, ", %.3g x the usual %s",
		              (double)odd->own_ns / (double)odd->usual_ns, usual);
	} else {
		strbuf_add_text(out, ", most have none");
	}
}
