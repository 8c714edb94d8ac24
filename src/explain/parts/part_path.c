/*
 * Parts path and path-steps: what the critical path did, by class and kind, and piece by piece.
 * Runs are compared by class, not by task, since the path leads through other tasks in another run.
 *
 * What led to what must be known for that. Where a run records no inputs, walking back never leaves
 * the lane that ended last: what is found is that lane's timeline, and called so.
 */
#include "config.h"
#include "explain/parts/path.h"

#include "explain/parts/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/intervals.h"

#define TIMELINE_TITLE "The last lane's timeline"

/* Of tasks on one lane each waits for the one before, whatever its inputs are. */
static bool
has_dependencies(const struct schedule *schedule)
{
	return schedule->n_edges > 0 || (schedule->is_tasks && schedule->n_lanes < 2);
}

static struct path *
find(const struct schedule *schedule, bool is_critical, const struct cancel *cancel,
     struct err *err)
{
	struct schedule followed = *schedule;

	followed.n_edges = is_critical ? schedule->n_edges : 0;
	return path_find(&followed, cancel, err);
}

static const char *
class_name(enum path_class path_class, bool is_critical)
{
	return is_critical ? path_class_name(path_class) : path_class == PATH_RUN ? "busy" : "idle";
}

/* Pieces are as many as there may be spans, rows are few: summed by class and kind before they get
 * labels. */
static void
add_path(struct explain_rows *rows, const struct schedule *schedule, const struct path *path,
         bool is_critical, bool is_b)
{
	int64_t *sums = xcalloc(PATH_CLASSES * (schedule->n_kinds + 1), sizeof *sums);

	for (size_t i = 0; i < path->n; i++) {
		const struct path_piece *piece = &path->pieces[i];
		size_t kind = schedule->items[piece->item].kind;
		int64_t *sum = &sums[piece->path_class * schedule->n_kinds + kind];

		time_raise(sum, time_sub(piece->end_ns, piece->start_ns));
	}
	for (size_t i = 0; i < PATH_CLASSES * schedule->n_kinds; i++) {
		enum path_class path_class = (enum path_class)(i / schedule->n_kinds);
		bool is_of_kind = is_critical || path_class == PATH_RUN;
		const char *labels[] = {class_name(path_class, is_critical),
		                        is_of_kind ? schedule->kinds[i % schedule->n_kinds].ptr
		                                   : ""};

		if (sums[i] != 0) {
			explain_rows_add(rows, labels, is_b ? 0 : sums[i], is_b ? sums[i] : 0);
		}
	}
	free(sums);
}

static void
note_rules(struct result *result, const char *name, const struct schedule *schedule,
           const struct path *path, bool is_critical)
{
	if (!is_critical) {
		struct slice lane =
		    path->n > 0
			? schedule_lane_name(schedule,
		                             schedule->items[path->pieces[path->n - 1].item].lane)
			: slice_of("");

		result_add_note(result, "%s: the timeline of the lane that ended last%s%.*s%s",
		                name, lane.len ? ", " : "", (int)lane.len, lane.ptr,
		                has_dependencies(schedule)
		                    ? ""
		                    : "; no dependencies are known, so it is no critical path");
		return;
	}
	result_add_note(
	    result,
	    "%s: path of %zu pieces; %zu steps through inputs, %zu by the lane's item before, "
	    "%zu to the start; %zu inputs known%s",
	    name, path->n, path->by_input, path->by_lane, path->by_nothing, schedule->n_edges,
	    schedule->n_edges == 0 ? ": its only lane runs one task after the other" : "");
	if (schedule->n_late_edges > 0) {
		result_add_note(result,
		                "%s: %zu inputs had not ended when what they led to began (or "
		                "clocks are skewed); they are left out",
		                name, schedule->n_late_edges);
	}
}

static struct result *
compute_path(struct explain *explain, const char *const *arguments, struct err *err)
{
	static const char *const labels[][2] = {{"lane was", "with"}, {"class", "kind"}};
	const struct schedule *a = explain_schedule(explain, explain->a, err);
	const struct schedule *b = a ? explain_schedule(explain, explain->b, err) : NULL;
	bool is_critical = b && has_dependencies(a) && has_dependencies(b);
	struct path *path_a = b ? find(a, is_critical, explain->cancel, err) : NULL;
	struct path *path_b = path_a ? find(b, is_critical, explain->cancel, err) : NULL;
	struct result *result = NULL;

	if (path_b) {
		struct explain_rows *rows = explain_rows_new(labels[is_critical], 2);
		const char *title = is_critical ? "Critical path by class" : TIMELINE_TITLE;

		add_path(rows, a, path_a, is_critical, false);
		add_path(rows, b, path_b, is_critical, true);
		result = explain_rows_makespan(rows, explain, title, explain_share(arguments[0]));
		note_rules(result, explain->a->name, a, path_a, is_critical);
		note_rules(result, explain->b->name, b, path_b, is_critical);
	}
	path_free(path_a);
	path_free(path_b);
	return result;
}

static const struct query_param params[] = {EXPLAIN_FOLD};

const struct explain_part explain_path = {
    .name = "path",
    .painted = "path",
    .title = "Critical path, else last lane",
    .about = "From the item that ends last back to whichever ended last of its inputs and of what "
	     "its lane did before, down to the start; what lies between is classed by the times "
	     "that the run records of the waiting task and of the transfer to it that arrived "
	     "last. The pieces are the makespan (Yang & Miller, ICDCS 1988). Compared by class and "
	     "kind: the path leads through other tasks in another run. Where either run records no "
	     "inputs no critical path is known, but of tasks that ran on one lane: then it is the "
	     "last lane's timeline, when the lane that ends last was busy, with what, and when "
	     "idle, and a note says so.",
    .adds_up = true,
    .needs = "spans",
    .params = params,
    .n_params = 1,
    .drill = {"path-steps", ""},
    .compute = compute_path,
};

/* ---- piece by piece ---- */

enum {
	AT_START,
	AT_FINISH,
	AT_DURATION,
	AT_CLASS,
	AT_KIND,
	AT_TASK,
	AT_TASK_ID,
	AT_LANE_NAME,
	AT_LANE,
	AT_END
};

static void
add_step(struct result *result, const struct schedule *schedule, const struct path_piece *piece,
         bool is_critical)
{
	const struct schedule_item *item = &schedule->items[piece->item];
	const struct schedule_lane *lane = &schedule->lanes[item->lane];
	struct value *row = result_add_row(result);

	row[AT_START] = value_integer(piece->start_ns);
	row[AT_FINISH] = value_integer(piece->end_ns);
	row[AT_DURATION] = value_integer(time_sub(piece->end_ns, piece->start_ns));
	row[AT_CLASS] = value_word(result, class_name(piece->path_class, is_critical));
	row[AT_KIND] = value_text(result, schedule->kinds[item->kind]);
	if (item->task != SCHEDULE_NONE) {
		const struct schedule_task *task = &schedule->tasks[item->task];

		row[AT_TASK] = value_text(result, schedule->texts[task->key]);
		row[AT_TASK_ID] = value_integer(task->id);
	}
	if (lane->name < schedule->n_texts) {
		row[AT_LANE_NAME] = value_text(result, schedule->texts[lane->name]);
	}
	row[AT_LANE] = value_integer(lane->id);
}

/* Pieces shorter than wanted, one after the other, as one row, so that durations still sum to the
 * makespan. */
static void
add_short_steps(struct result *result, const struct path_piece *pieces, size_t n)
{
	struct value *row = result_add_row(result);
	char text[48];

	(void)snprintf(text, sizeof(text), "(%zu short)", n);
	row[AT_START] = value_integer(pieces[0].start_ns);
	row[AT_FINISH] = value_integer(pieces[n - 1].end_ns);
	row[AT_DURATION] = value_integer(time_sub(pieces[n - 1].end_ns, pieces[0].start_ns));
	row[AT_CLASS] = value_word(result, text);
}

static bool
is_short(const struct path_piece *piece, int64_t shortest_ns)
{
	return time_sub(piece->end_ns, piece->start_ns) < shortest_ns;
}

#define STEPS_LIMIT 1000000u /* rows, some 200 bytes each */

static int
add_steps(struct result *result, const struct schedule *schedule, const struct path *path,
          bool is_critical, int64_t shortest_ns, struct err *err)
{
	for (size_t i = 0, next; i < path->n; i = next) {
		next = i + 1;
		while (next < path->n && is_short(&path->pieces[i], shortest_ns) &&
		       is_short(&path->pieces[next], shortest_ns)) {
			next++;
		}
		if (result->n_rows == STEPS_LIMIT) {
			return err_set(err, ERR_LIMIT,
			               "a path of %zu pieces: more than %u rows; join short ones "
			               "with -p shortest=1ms, say",
			               path->n, STEPS_LIMIT);
		}
		if (next - i > 1) {
			add_short_steps(result, &path->pieces[i], next - i);
		} else {
			add_step(result, schedule, &path->pieces[i], is_critical);
		}
	}
	return 0;
}

static struct result *
compute_steps(struct explain *explain, const char *const *arguments, struct err *err)
{
	static const struct result_column columns[AT_END] = {
	    [AT_START] = COLUMN("start", KIND_TIME, NULL, .is_key = true),
	    [AT_FINISH] = COLUMN("end", KIND_TIME, NULL),
	    [AT_DURATION] = COLUMN_MEASURE("duration", KIND_DURATION, NULL),
	    [AT_CLASS] = COLUMN("class", KIND_TEXT, NULL),
	    [AT_KIND] = COLUMN("kind", KIND_TEXT, NULL),
	    [AT_TASK] = COLUMN("task", KIND_TEXT, NULL),
	    [AT_TASK_ID] = COLUMN("task_id", KIND_INTEGER, NULL),
	    [AT_LANE_NAME] = COLUMN("lane_name", KIND_TEXT, NULL),
	    [AT_LANE] = COLUMN("lane", KIND_INTEGER, NULL),
	};
	bool of_a = slice_is(slice_of(arguments[0]), "a");
	const struct schedule *schedule;
	struct result *result = NULL;
	struct path *path;
	bool is_critical;

	if (!of_a && !slice_is(slice_of(arguments[0]), "b")) {
		err_set(err, ERR_USAGE, "run=%s: write a or b", arguments[0]);
		return NULL;
	}
	schedule = explain_schedule(explain, of_a ? explain->a : explain->b, err);
	is_critical = schedule && has_dependencies(schedule);
	path = schedule ? find(schedule, is_critical, explain->cancel, err) : NULL;
	if (!path) {
		return NULL;
	}
	result = result_new(is_critical ? "Critical path piece by piece" : TIMELINE_TITLE, columns,
	                    AT_END);
	if (add_steps(result, schedule, path, is_critical,
	              explain_integer(KIND_DURATION, arguments[1]), err) == 0) {
		note_rules(result, of_a ? explain->a->name : explain->b->name, schedule, path,
		           is_critical);
	} else {
		result_free(result);
		result = NULL;
	}
	path_free(path);
	return result;
}

static const struct query_param step_params[] = {
    {.name = "run", .default_text = "b", .about = "whose path: a or b", .kind = KIND_TEXT},
    {.name = "shortest",
     .default_text = "0ns",
     .about = "neighbouring pieces that are shorter become one",
     .kind = KIND_DURATION}};

const struct explain_part explain_path_steps = {
    .name = "path-steps",
    .runs = EXPLAIN_RUNS_EACH,
    .title = "Path, else last lane, in pieces",
    .about = "The pieces of the critical path of one run (parameter run) in order of time: when, "
	     "how long, what the path did, for which task, on which lane; where no "
	     "dependencies are known, those of the last lane's timeline (class busy or idle). "
	     "Their durations are the makespan.",
    .needs = "spans",
    .params = step_params,
    .n_params = 2,
    .drill = {.view = "timeline", .bindings = "lane=lane"},
    .compute = compute_steps,
};
