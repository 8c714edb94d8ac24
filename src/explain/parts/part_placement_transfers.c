/*
 * Part `schedule-transfers`: how often each data set moved in either run. A data set that a
 * scheduler moves twice between the same places, or that only one of two placements has to move,
 * shows up here.
 *
 * Data sets are matched by name, and without UUIDs and hashes where names do not meet.
 */
#include "config.h"

#include <stdlib.h>

#include "explain/schedule/matching.h"
#include "explain/parts/parts.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"

struct data_set {
	int64_t n[2], took_ns[2];
};

struct transfer_tally {
	struct intern *names;
	struct data_set *sets;
	size_t capacity;
	bool is_stripped;
};

static void
add_transfers(struct transfer_tally *tally, unsigned r, const struct schedule *schedule)
{
	struct strbuf name = {0};
	for (size_t t = 0; t < schedule->n_transfers; t++) {
		const struct schedule_transfer *transfer = &schedule->transfers[t];
		if (transfer->name >= schedule->n_texts) {
			continue;
		}
		struct slice text = schedule->texts[transfer->name];
		strbuf_clear(&name);
		if (tally->is_stripped) {
			matching_strip(&name, text);
		} else {
			strbuf_add_slice(&name, text);
		}
		uint32_t known = intern_count(tally->names),
			 id = intern_id(tally->names, strbuf_slice(&name));
		if (id == known) {
			MEM_GROW(tally->sets, tally->capacity, id + 1);
			tally->sets[id] = (struct data_set){{0, 0}, {0, 0}};
		}
		struct data_set *set = &tally->sets[id];
		set->n[r]++;
		if (transfer->planned_ns != SCHEDULE_NO_TIME &&
		    transfer->finished_ns > transfer->planned_ns) {
			time_raise(&set->took_ns[r], transfer->finished_ns - transfer->planned_ns);
		}
	}
	strbuf_free(&name);
}

static void
tally_open(struct transfer_tally *tally, bool is_stripped, const struct schedule *a,
           const struct schedule *b)
{
	*tally = (struct transfer_tally){.names = intern_new(), .is_stripped = is_stripped};
	add_transfers(tally, 0, a);
	add_transfers(tally, 1, b);
}

static void
tally_close(struct transfer_tally *tally)
{
	intern_free(tally->names);
	free(tally->sets);
}

/* Whether both runs moved data but not one data set of the same name. */
static bool
is_disjoint(const struct transfer_tally *tally)
{
	size_t n[2] = {0, 0};
	for (uint32_t i = 0; i < intern_count(tally->names); i++) {
		const struct data_set *set = &tally->sets[i];
		if (set->n[0] > 0 && set->n[1] > 0) {
			return false;
		}
		n[0] += set->n[0] > 0;
		n[1] += set->n[1] > 0;
	}
	return n[0] > 0 && n[1] > 0;
}

static const struct result_column columns[] = {
    COLUMN_KEY("dataset", "name of the data set"),
    COLUMN_MEASURE("a", KIND_COUNT, "transfers in A"),
    COLUMN_MEASURE("b", KIND_COUNT, "transfers in B"),
    COLUMN_MEASURE("delta", KIND_INTEGER, "b - a"),
    COLUMN_MEASURE("time_a", KIND_DURATION, "planned to finished, all of them, in A"),
    COLUMN_MEASURE("time_b", KIND_DURATION, "planned to finished, all of them, in B"),
    COLUMN("moved", KIND_INTEGER, "transfers in both together"),
};

static struct result *
compute_transfers(struct explain *explain, const char *const *arguments, struct err *err)
{
	(void)arguments;
	const struct schedule *a, *b;
	if (explain_schedules(explain, &a, &b, err)) {
		return NULL;
	}
	struct transfer_tally tally;
	tally_open(&tally, false, a, b);
	if (is_disjoint(&tally)) {
		tally_close(&tally);
		tally_open(&tally, true, a, b);
	}
	struct result *result = result_new("Transfers per data set", columns, COUNT_OF(columns));
	for (uint32_t i = 0; i < intern_count(tally.names); i++) {
		const struct data_set *set = &tally.sets[i];
		RESULT_ADD(result, value_text(result, intern_text(tally.names, i)),
		           value_integer(set->n[0]), value_integer(set->n[1]),
		           value_integer(set->n[1] - set->n[0]), value_integer(set->took_ns[0]),
		           value_integer(set->took_ns[1]), value_integer(set->n[0] + set->n[1]));
	}
	result_add_note(result, "data sets matched by name%s",
	                tally.is_stripped ? " without UUIDs and hashes" : "");
	tally_close(&tally);
	if (result_sort(result, "-moved,dataset", err)) {
		result_free(result);
		return NULL;
	}
	return result;
}

const struct explain_part explain_placement_transfers = {
    .name = "schedule-transfers",
    .title = "Transfers per data set",
    .about = "How often each data set moved in either run and how long that took, the most moved "
	     "first. Data "
	     "sets are matched by name, without UUIDs and hashes where no name is in both runs. "
	     "What stayed on its lane or was not "
	     "logged is no transfer.",
    .needs = "transfers",
    .drill = {"transfer-times", "dataset=dataset"},
    .compute = compute_transfers,
};
