/*
 * span_alike: hosts, processes and lanes against the median of their group (column/ops/alike.h
 * says by what rule), a row each. team numbers the groups, level tells what they are of: 0 lanes, 1
 * processes, 2 hosts; lane is the first of the member's. Of an odd one figure is what is furthest
 * off: 0 its self time in name, 1 its busy time, 2 its first start, 3 its last end; value, what is
 * usual and what it may be off by.
 */
#include "config.h"
#include "store/vtab.h"

#include "column/ops/alike.h"
#include "util/mem.h"

enum { LEVEL, TEAM, LANE, MEMBERS, FOLDS, ODD, BUSY, FIGURE, NAME, VALUE, USUAL, LIMIT, COLUMNS };
#define OF_ODD (1u << FIGURE | 1u << NAME | 1u << VALUE | 1u << USUAL | 1u << LIMIT) /* else NULL */

struct alike_row {
	int64_t values[COLUMNS];
	bool is_odd;
};

static int
run(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	const struct dataset *dataset = cursor->cursor.dataset;
	struct alike_row *rows;
	const struct scan_value none[SCAN_PARAMETERS] = {{0}};
	struct alike alike;
	int rc = alike_run(dataset, vtab_cancel(vtab), &alike, err);

	if (rc == 0) {
		MEM_NEW(rows, (size_t)alike.n_members + 1);
		for (uint32_t i = 0; i < alike.n_members; i++) {
			const struct alike_member *member = &alike.members[i];
			const struct alike_group *group = &alike.groups[member->group];
			const int64_t values[COLUMNS] = {
			    [LEVEL] = (int64_t)group->level, [TEAM] = member->group,
			    [LANE] = member->lane,           [MEMBERS] = group->n,
			    [FOLDS] = group->folds,          [ODD] = member->is_odd,
			    [BUSY] = member->busy_ns,        [FIGURE] = (int64_t)member->figure,
			    [NAME] = member->name,           [VALUE] = member->value_ns,
			    [USUAL] = member->usual_ns,      [LIMIT] = member->limit_ns};

			memcpy(rows[i].values, values, sizeof values);
			rows[i].is_odd = member->is_odd;
		}
		cursor->rows = rows;
		cursor->n = alike.n_members;
	}
	alike_fini(&alike);
	return rc == 0 ? vtab_take_census(vtab, NULL, none, false, err) : -1;
}

static unsigned
read_row(const void *rows, int64_t row, int64_t values[LISTED_COLUMNS])
{
	const struct alike_row *alike = (const struct alike_row *)rows + row;

	memcpy(values, alike->values, sizeof alike->values);
	if (!alike->is_odd || alike->values[FIGURE] != ALIKE_NAME) {
		values[NAME] = TEXT_NONE;
	}
	return alike->is_odd ? 0 : OF_ODD;
}

const struct listed_table vtab_alike_listed = {.n_columns = COLUMNS,
                                               .columns = {{"level", 0},
                                                           {"team", 0},
                                                           {"lane", 0},
                                                           {"members", 0},
                                                           {"folds", 0},
                                                           {"odd", 0},
                                                           {"busy", 0},
                                                           {"figure", 0},
                                                           {"name", LISTED_TEXT},
                                                           {"value", 0},
                                                           {"usual", 0},
                                                           {"allowed", 0}},
                                               .run = run,
                                               .read = read_row};
