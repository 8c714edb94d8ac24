/*
 * Part `intervals`: where in time something is that other parts only sum, a row a stretch of a
 * lane: a cause of the verdict, idle lanes, the critical path, contention.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "explain/parts/contention.h"
#include "explain/parts/idle.h"
#include "explain/parts/parts.h"
#include "explain/parts/path.h"
#include "explain/verdict/cause.h"
#include "util/intervals.h"
#include "util/order.h"

#define INTERVALS_LIMIT 1000000u

static const struct result_column columns[] = {
    COLUMN_KEY("run", "which of the runs"),
    COLUMN("start", KIND_TIME, "from when on, in its run", .is_key = true),
    COLUMN("end", KIND_TIME, "until when"),
    COLUMN("lane_name", KIND_TEXT, "the lane"),
    COLUMN("lane", KIND_INTEGER, "lane.id of the run file"),
    COLUMN("class", KIND_TEXT, "what the stretch is"),
    COLUMN("kind", KIND_TEXT, "of what ran then"),
    COLUMN("item", KIND_TEXT, "the task, or span, that ran or waited"),
    COLUMN_MEASURE("delta", KIND_DURATION, "what it took longer than its match in the other run"),
};

struct interval_rows {
	struct result *result;
	const struct explain *explain;
	const struct schedule *schedule[2];
	unsigned run;      /* that is asked for */
	const char *class; /* of a cause's places */
};

static void
add(struct interval_rows *rows, const struct place *place, const char *class)
{
	const struct schedule *schedule = rows->schedule[place->run];
	const struct explain *explain = rows->explain;
	struct result *result = rows->result;
	const struct schedule_item *item =
	    place->item == SCHEDULE_NONE ? NULL : &schedule->items[place->item];
	const struct value none = {.type = VALUE_NULL};

	if (result->n_rows > INTERVALS_LIMIT) {
		return; /* told at the end */
	}
	RESULT_ADD(result, value_word(result, (place->run ? explain->b : explain->a)[0].name),
	           value_integer(place->start_ns), value_integer(place->end_ns),
	           value_text(result, schedule_lane_name(schedule, place->lane)),
	           value_integer(schedule->lanes[place->lane].id), value_word(result, class),
	           item ? value_text(result, schedule->kinds[item->kind]) : none,
	           item && item->task != SCHEDULE_NONE
	               ? value_text(result, matching_key(schedule, place->item))
	               : none,
	           place->more_ns ? value_integer(place->more_ns) : none);
}

static void
add_place(void *user, const struct place *place)
{
	struct interval_rows *rows = user;
	add(rows, place, rows->class);
}

/* The cause of that rank. */
static int
add_cause(struct interval_rows *rows, struct comparison *comparison, int64_t rank, struct err *err)
{
	const struct place_taker taker = {rows, add_place};
	struct causes causes = {.arena = arena_new()};
	int rc = causes_find(&causes, comparison, err);

	if (rc == 0 && (rank < 1 || (size_t)rank > causes.n)) {
		rc = err_set(err, ERR_USAGE, "cause=%" PRId64 ": there are 1 to %zu", rank,
		             causes.n);
	}
	if (rc == 0) {
		const struct cause *cause = &causes.all[rank - 1];
		causes_word(&causes, comparison);
		for (unsigned run = 0; run < 2; run++) {
			if (comparison->together) {
				rows->schedule[run] = comparison->run[run];
			}
		}
		rows->class = cause->name;
		causes_places(comparison, cause, &taker);
		result_add_note(rows->result, "cause %" PRId64 ": %s", rank, cause->sentence);
	}
	free(causes.all);
	arena_free(causes.arena);
	return rc;
}

static int
find_cause(struct interval_rows *rows, struct explain *explain, int64_t rank, struct err *err)
{
	struct comparison *comparison = comparison_new(explain, err);
	int rc = comparison ? add_cause(rows, comparison, rank, err) : -1;
	comparison_free(comparison);
	return rc;
}

static void
add_idle(void *user, uint32_t lane, enum idle_cause cause, int64_t start, int64_t end)
{
	struct interval_rows *rows = user;
	const struct place place = {rows->run, lane, SCHEDULE_NONE, start, end, 0};
	add(rows, &place, idle_cause_name(cause));
}

static int
find_idle(struct interval_rows *rows, struct explain *explain, int64_t rank, struct err *err)
{
	(void)rank;
	const struct idle_taker taker = {.user = rows, .piece = add_idle};
	return idle_take(rows->schedule[rows->run], explain->cancel, &taker, err);
}

static int
find_path(struct interval_rows *rows, struct explain *explain, int64_t rank, struct err *err)
{
	(void)rank;
	const struct schedule *schedule = rows->schedule[rows->run];
	struct path *path = path_find(schedule, explain->cancel, err);
	for (size_t i = 0; path && i < path->n; i++) {
		const struct path_piece *piece = &path->pieces[i];
		const struct place place = {rows->run,     schedule->items[piece->item].lane,
		                            piece->item,   piece->start_ns,
		                            piece->end_ns, 0};
		add(rows, &place, path_class_name(piece->path_class));
	}
	if (path && schedule->n_edges == 0) {
		result_add_note(rows->result,
		                "no dependencies are known: this is the last lane's timeline");
	}
	path_free(path);
	return path ? 0 : -1;
}

/* Each item with how many ran at once on its host meanwhile, itself included. */
static int
find_contention(struct interval_rows *rows, struct explain *explain, int64_t rank, struct err *err)
{
	(void)explain;
	(void)rank;
	(void)err;
	const struct schedule *schedule = rows->schedule[rows->run];
	double *at_once[DOMAINS];

	contention_concurrency(schedule, at_once);
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		const struct place place = {rows->run,      item->lane,   (uint32_t)i,
		                            item->start_ns, item->end_ns, 0};
		char class[40];
		snprintf(class, sizeof class, "%.0f at once", round(at_once[DOMAIN_HOST][i]));
		add(rows, &place, class);
	}
	for (int domain = 0; domain < DOMAINS; domain++) {
		free(at_once[domain]);
	}
	return 0;
}

static const struct {
	const char *name, *title;
	int (*find)(struct interval_rows *rows, struct explain *explain, int64_t rank,
	            struct err *err);
} subjects[] = {
    {"cause", "A cause in time", find_cause},
    {"idle", "Idle lanes in time", find_idle},
    {"path", "The path in time", find_path},
    {"contention", "How many ran at once", find_contention},
};

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	bool is_both = strcmp(arguments[2], "both") == 0;
	struct interval_rows rows = {.explain = explain,
	                             .run = strcmp(arguments[2], "a") != 0 && !is_both};
	size_t subject = 0;

	while (subject < COUNT_OF(subjects) && strcmp(arguments[0], subjects[subject].name) != 0) {
		subject++;
	}
	if (subject == COUNT_OF(subjects)) {
		err_set(err, ERR_USAGE, "of=%s: write cause, idle, path or contention",
		        arguments[0]);
		return NULL;
	}
	if (strcmp(arguments[2], "a") != 0 && strcmp(arguments[2], "b") != 0 && !is_both) {
		err_set(err, ERR_USAGE, "run=%s: write a, b or both", arguments[2]);
		return NULL;
	}
	if (explain_schedules(explain, &rows.schedule[0], &rows.schedule[1], err)) {
		return NULL;
	}
	rows.result = result_new(subjects[subject].title, columns, COUNT_OF(columns));
	int64_t rank = explain_integer(KIND_COUNT, arguments[1]);
	int rc = subjects[subject].find(&rows, explain, rank, err);
	if (rc == 0 && is_both && subjects[subject].find != find_cause) { /* a cause has both's */
		rows.run = 1;
		rc = subjects[subject].find(&rows, explain, rank, err);
	}
	if (rc == 0 && rows.result->n_rows > INTERVALS_LIMIT) {
		rc = err_set(err, ERR_LIMIT, "more than %u stretches", INTERVALS_LIMIT);
	}
	if (rc) {
		result_free(rows.result);
		return NULL;
	}
	return rows.result;
}

static const struct query_param params[] = {
    {.name = "of",
     .default_text = "cause",
     .about = "what: cause, idle, path or contention",
     .kind = KIND_TEXT},
    {.name = "cause",
     .default_text = "1",
     .about = "its rank among the causes",
     .kind = KIND_COUNT},
    {.name = "run",
     .default_text = "b",
     .about = "whose idle lanes, path or contention: a, b or both",
     .kind = KIND_TEXT},
};

const struct explain_part explain_intervals = {
    .name = "intervals",
    .runs = EXPLAIN_RUNS_EACH,
    .title = "Causes, idle, path in time",
    .about = "Where in time something is that other parts sum, a row a stretch of a lane, for "
	     "scripts and timelines: the stretches that a cause is in (of=cause, by its rank; "
	     "delta is what a stretch took longer than its match), lanes without anything to do "
	     "(of=idle, classes as in part area), the critical path (of=path, as in part path), "
	     "and what ran with how many at once on its host (of=contention).",
    .needs = "spans",
    EXPLAIN_PARAMS(params),
    .drill = {.view = "timeline", .bindings = "lane=lane"},
    .compute = compute,
};
