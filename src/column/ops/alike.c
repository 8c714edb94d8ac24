/*
 * Who is compared with whom, and their figures: of a whole run from the sums that the import has
 * made, so that it costs nothing by the span; of a scope from one scan of the spans in it.
 */
#include "config.h"
#include "column/ops/alike.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/scan.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

/* A lane that has spans in the run. */
struct alike_lane {
	const struct lane *lane;
	uint32_t id;
	uint32_t process; /* number of its process, 0: it has no row */
	bool is_member;   /* it is compared */
};

/* What a lane did in a name, in scope. */
struct doing {
	uint32_t lane, name;
	int64_t self_ns, start_ns, end_ns;
};

struct alike_reading {
	const struct dataset *dataset;
	struct alike *alike;
	struct alike_lane *entries;
	size_t n;
	struct doing *doings;
	size_t n_doings;
};

/* ---- members ---- */

static int
compare_idents(const struct ident *a, const struct ident *b)
{
	ORDER_BY(a->type, b->type);
	return a->type == IDENT_INTEGER ? ORDER(a->integer, b->integer)
	       : a->type == IDENT_TEXT  ? ORDER(a->text, b->text)
	                                : 0;
}

static int
compare_processes(const void *left, const void *right)
{
	const struct alike_lane *a = left, *b = right;
	int order;

	ORDER_BY(a->lane->host, b->lane->host);
	order = compare_idents(&a->lane->process, &b->lane->process);
	return order ? order : ORDER(a->id, b->id);
}

/* Lanes that are compared with each other stand together. */
static int
compare_lanes(const void *left, const void *right)
{
	const struct alike_lane *a = left, *b = right;

	ORDER_BY(a->lane->host, b->lane->host);
	ORDER_BY(a->process, b->process);
	ORDER_BY(a->lane->kind, b->lane->kind);
	return ORDER(a->id, b->id);
}

static bool
same_process(const struct alike_lane *a, const struct alike_lane *b)
{
	return a->lane->host == b->lane->host &&
	       compare_idents(&a->lane->process, &b->lane->process) == 0;
}

/* Numbers the processes that have rows. */
static void
number_processes(struct alike_reading *reading)
{
	struct alike_lane *entries = reading->entries;
	uint32_t number = 0;

	SORT(entries, reading->n, compare_processes);
	for (size_t host = 0, end; host < reading->n; host = end) {
		size_t n_processes = 0;

		for (end = host;
		     end < reading->n && entries[end].lane->host == entries[host].lane->host;
		     end++) {
			n_processes +=
			    end == host || !same_process(&entries[end], &entries[end - 1]);
		}
		for (size_t i = host, next; i < end; i = next) {
			for (next = i; next < end && same_process(&entries[i], &entries[next]);
			     next++) {
			}
			if (process_has_row(&entries[i].lane->process, n_processes, next - i)) {
				number++;
				for (size_t k = i; k < next; k++) {
					entries[k].process = number;
				}
			}
		}
	}
}

static bool
is_of_level(const struct alike_lane *entry, enum alike_level level)
{
	return entry->is_member && (level != ALIKE_PROCESSES || entry->process > 0) &&
	       (level != ALIKE_HOSTS || entry->lane->host != TEXT_NONE);
}

static bool
same_member(const struct alike_lane *a, const struct alike_lane *b, enum alike_level level)
{
	return level != ALIKE_LANES && a->lane->host == b->lane->host &&
	       (level == ALIKE_HOSTS || a->process == b->process);
}

static bool
same_group(const struct alike_lane *a, const struct alike_lane *b, enum alike_level level)
{
	return level == ALIKE_HOSTS ||
	       (a->lane->host == b->lane->host &&
	        (level == ALIKE_PROCESSES ||
	         (a->process == b->process && a->lane->kind == b->lane->kind)));
}

/* Entries stand by host, process, kind. */
static void
make_members(struct alike_reading *reading)
{
	struct alike *alike = reading->alike;

	for (int level = 0; level < ALIKE_LEVELS; level++) {
		const struct alike_lane *before = NULL;

		for (size_t i = 0; i < reading->n; i++) {
			const struct alike_lane *entry = &reading->entries[i];

			if (!is_of_level(entry, (enum alike_level)level)) {
				continue;
			}
			if (!before || !same_group(before, entry, (enum alike_level)level)) {
				alike->groups[alike->n_groups++] = (struct alike_group){
				    .level = (enum alike_level)level, .first = alike->n_members};
			}
			if (!before || !same_member(before, entry, (enum alike_level)level)) {
				alike->members[alike->n_members++] =
				    (struct alike_member){.lane = entry->id,
				                          .group = alike->n_groups - 1,
				                          .is_empty = true};
				alike->groups[alike->n_groups - 1].n++;
			}
			alike->by_lane[level][entry->id] = alike->n_members - 1;
			before = entry;
		}
	}
}

/* ---- their figures ---- */

/* Text codes of names, for they come as texts: by number of the name. */
static uint32_t *
codes_of(const struct dataset *dataset, struct intern *names, struct sums *sums)
{
	uint32_t *codes;

	for (size_t i = 0; i < sums_count(sums); i++) {
		struct scan_value name = sums_key(sums, i, ROW_NAME);

		if (name.type == SCAN_TEXT) {
			(void)intern_id(names, name.text);
		}
	}
	MEM_NEW(codes, (size_t)intern_count(names) + 1);
	for (uint32_t code = dataset->n_texts; code-- > 0;) {
		uint32_t id = intern_find(names, dataset->texts[code]);

		if (id != INTERN_NONE) {
			codes[id] = code;
		}
	}
	return codes;
}

static void
take_sums(struct alike_reading *reading, struct sums *sums)
{
	const struct dataset *dataset = reading->dataset;
	struct intern *names = intern_new();
	uint32_t *codes = codes_of(dataset, names, sums);

	MEM_NEW(reading->doings, sums_count(sums) + 1);
	for (size_t i = 0; i < sums_count(sums); i++) {
		struct scan_value lane = sums_key(sums, i, ROW_LANE);
		struct scan_value name = sums_key(sums, i, ROW_NAME);
		const struct group_sums *group = sums_group(sums, i);
		struct doing doing = {(uint32_t)lane.integer, TEXT_NONE,
		                      group->measure[MEASURE_SELF].sum, group->start_min,
		                      group->end_max};

		if (name.type == SCAN_TEXT) {
			doing.name = codes[intern_id(names, name.text)];
		}
		dataset_clip(dataset, &doing.start_ns, &doing.end_ns);
		if (lane.type == SCAN_INTEGER && lane.integer >= 0 &&
		    lane.integer < dataset->n_lanes) {
			reading->doings[reading->n_doings++] = doing;
		}
	}
	intern_free(names);
	free(codes);
}

static int
read_scoped(struct alike_reading *reading, const struct cancel *cancel, struct err *err)
{
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .by = "lane,name",
	    .unread = {[MEASURE_DURATION] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_SELF] = SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_SIZE] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .unread_unfinished = true,
	    .cancel = cancel};
	struct sums *sums = sums_run(reading->dataset, &request, err);

	if (sums) {
		take_sums(reading, sums);
	}
	sums_free(sums);
	return sums ? 0 : -1;
}

static void
take_totals(struct alike_reading *reading, const struct dataset_total *totals, size_t n)
{
	MEM_NEW(reading->doings, n + 1);
	for (size_t i = 0; i < n; i++) {
		if (totals[i].lane < reading->dataset->n_lanes) {
			reading->doings[reading->n_doings++] =
			    (struct doing){totals[i].lane, totals[i].name, totals[i].self_sum,
			                   totals[i].start_min, totals[i].end_max};
		}
	}
}

/* The lanes of the run that have rows. Of those that a scope's lanes and conditions leave nothing
 * of, none is compared. */
static void
choose_lanes(struct alike_reading *reading, const struct dataset_total *totals, size_t n)
{
	const struct dataset *dataset = reading->dataset;
	bool *is_used = xcalloc(2 * ((size_t)dataset->n_lanes + 1), sizeof *is_used);
	bool *is_in_scope = is_used + dataset->n_lanes + 1;

	for (size_t i = 0; i < n; i++) {
		if (totals[i].lane < dataset->n_lanes) {
			is_used[totals[i].lane] = true;
		}
	}
	for (size_t i = 0; i < reading->n_doings; i++) {
		is_in_scope[reading->doings[i].lane] = true;
	}
	MEM_NEW(reading->entries, (size_t)dataset->n_lanes + 1);
	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		const struct lane *lane = &dataset->lanes[i];

		if (is_used[i] && lane_kind_has_tiles(lane->kind)) {
			reading->entries[reading->n++] = (struct alike_lane){
			    .lane = lane,
			    .id = i,
			    .is_member = lane_kind_is_work(lane->kind) &&
			                 (!dataset->scope.filter || is_in_scope[i])};
		}
	}
	free(is_used);
}

/* What lanes did is what their members did. */
static void
rate(const struct alike_reading *reading)
{
	struct alike *alike = reading->alike;
	struct alike_time *times = xmalloc((reading->n_doings * ALIKE_LEVELS + 1) * sizeof *times);
	size_t n = 0;

	for (size_t i = 0; i < reading->n_doings; i++) {
		const struct doing *doing = &reading->doings[i];

		for (int level = 0; level < ALIKE_LEVELS; level++) {
			uint32_t at = alike->by_lane[level][doing->lane];
			struct alike_member *member;

			if (at == ALIKE_NONE) {
				continue;
			}
			member = &alike->members[at];
			member->first_ns = member->is_empty
			                       ? doing->start_ns
			                       : LEAST(member->first_ns, doing->start_ns);
			member->last_ns =
			    member->is_empty ? doing->end_ns : MOST(member->last_ns, doing->end_ns);
			member->is_empty = false;
			times[n++] = (struct alike_time){at, doing->name, MOST(doing->self_ns, 0)};
		}
	}
	alike_rate(alike, times, n);
	free(times);
}

int
alike_run(const struct dataset *dataset, const struct cancel *cancel, struct alike *alike,
          struct err *err)
{
	struct alike_reading reading = {.dataset = dataset, .alike = alike};
	size_t n_lanes = (size_t)dataset->n_lanes + 1;
	const struct dataset_total *totals;
	size_t n;
	int rc;

	*alike = (struct alike){0};
	if (dataset->totals(dataset->user, false, &totals, &n, err)) {
		return -1;
	}
	rc = dataset_is_scoped(dataset) ? read_scoped(&reading, cancel, err) : 0;
	if (rc == 0) {
		if (!dataset_is_scoped(dataset)) {
			take_totals(&reading, totals, n);
		}
		for (int level = 0; level < ALIKE_LEVELS; level++) {
			alike->by_lane[level] = xmalloc(n_lanes * sizeof(uint32_t));
			memset(alike->by_lane[level], 0xff, n_lanes * sizeof(uint32_t));
		}
		MEM_NEW(alike->groups, ALIKE_LEVELS * n_lanes);
		MEM_NEW(alike->members, ALIKE_LEVELS * n_lanes);
		choose_lanes(&reading, totals, n);
		number_processes(&reading);
		SORT(reading.entries, reading.n, compare_lanes);
		make_members(&reading);
		rate(&reading);
	}
	free(reading.entries);
	free(reading.doings);
	return rc;
}

void
alike_fini(struct alike *alike)
{
	for (int level = 0; level < ALIKE_LEVELS; level++) {
		free(alike->by_lane[level]);
	}
	free(alike->groups);
	free(alike->members);
	*alike = (struct alike){0};
}
