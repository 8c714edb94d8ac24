/*
 * Rows -> one life cycle for each (task, worker) and each (data set, target).
 *
 * Generations 1 and 2 spell a worker `worker0` on its own host and, in runs of several hosts,
 * `h0:worker0` at the controller; there the host is put in front of the former. Whether a run is of
 * several hosts shows in the controller's spelling, so all rows are read before any is placed.
 *
 * Only some rows of a transfer name its mode (and, in generation 3, its source): the last one in
 * file order counts for all of them. With that, (data set, target) alone tells transfers apart.
 *
 * A stage that stands twice is reported; the first stays.
 */
#include "config.h"
#include "import/import_cascade.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/order.h"

static bool
is_controller(const struct cascade_trace *trace, uint32_t host)
{
	return host != INTERN_NONE && slice_is(intern_text(trace->texts, host), "controller");
}

void
cascade_detect_hosts(struct cascade_trace *trace)
{
	bool controller_named = false;

	for (size_t i = 0; i < trace->n_rows; i++) {
		const struct cascade_row *row = &trace->rows[i];
		trace->generation = MOST(row->generation, trace->generation);
		if (row->generation < 3 && row->worker != INTERN_NONE &&
		    is_controller(trace, row->host)) {
			struct slice worker = intern_text(trace->texts, row->worker);
			trace->multi_host |= memchr(worker.ptr, ':', worker.len) != NULL;
			controller_named = true;
		}
	}
	/* Without a row of the controller: single-host runs have one host, of this name. */
	for (size_t i = 0; i < trace->n_rows && !controller_named; i++) {
		const struct cascade_row *row = &trace->rows[i];
		if (row->generation < 3 && row->worker != INTERN_NONE && row->host != INTERN_NONE &&
		    !slice_is(intern_text(trace->texts, row->host), "fiab")) {
			trace->multi_host = true;
		}
	}
}

uint32_t
cascade_worker_of(struct cascade_trace *trace, const struct cascade_row *row)
{
	if (row->generation == 3) {
		return row->subject == SUBJECT_TRANSFER ? row->target : row->worker;
	}
	if (!trace->multi_host || row->host == INTERN_NONE || row->worker == INTERN_NONE ||
	    is_controller(trace, row->host)) {
		return row->worker;
	}
	struct strbuf place = {0};
	struct slice host = intern_text(trace->texts, row->host);
	struct slice worker = intern_text(trace->texts, row->worker);
	strbuf_add_slice(&place, host);
	strbuf_add_char(&place, ':');
	strbuf_add_slice(&place, worker);
	uint32_t id = intern_id(trace->texts, strbuf_slice(&place));
	strbuf_free(&place);
	return id;
}

static struct cascade_life *
life_of(struct cascade_lives *lives, uint32_t name, uint32_t place)
{
	uint32_t key[2] = {name, place};
	uint32_t id = intern_id(lives->keys, (struct slice){(const char *)key, sizeof key});

	if (id == lives->n) {
		MEM_GROW(lives->lives, lives->capacity, lives->n + 1);
		struct cascade_life *life = &lives->lives[lives->n++];
		*life = (struct cascade_life){.name = name,
		                              .place = place,
		                              .host = INTERN_NONE,
		                              .mode = INTERN_NONE,
		                              .source = INTERN_NONE};
		for (unsigned stage = 0; stage < STAGES; stage++) {
			life->times[stage] = TIME_NONE;
		}
	}
	return &lives->lives[id];
}

static int
report_duplicate(struct cascade_trace *trace, const struct cascade_row *row,
                 const struct cascade_life *life)
{
	struct strbuf reason = {0};
	struct slice name = intern_text(trace->texts, life->name);
	struct slice action = intern_text(trace->texts, row->action);
	struct problem problem = {
	    .kind = PROBLEM_DUPLICATE, .record = row->line, .offset = row->offset};

	strbuf_add_slice(&reason, action);
	strbuf_add_text(&reason, " of ");
	strbuf_add(&reason, name.ptr, LEAST(name.len, 200));
	if (life->place != INTERN_NONE) {
		struct slice place = intern_text(trace->texts, life->place);
		strbuf_add_text(&reason, " on ");
		strbuf_add(&reason, place.ptr, LEAST(place.len, 200));
	}
	strbuf_printf(&reason, " stands in line %" PRIu64 " already: that one is kept",
	              life->lines[row->stage]);
	return import_tell(trace->sink, &problem, &reason);
}

static int
place_row(struct cascade_trace *trace, const struct cascade_row *row)
{
	bool transfer = row->subject == SUBJECT_TRANSFER;
	struct cascade_life *life =
	    transfer ? life_of(&trace->transfers, row->dataset, cascade_worker_of(trace, row))
		     : life_of(&trace->tasks, row->task, cascade_worker_of(trace, row));

	life->generation = MOST(row->generation, life->generation);
	life->mode = row->mode != INTERN_NONE ? row->mode : life->mode;
	life->source = row->source != INTERN_NONE ? row->source : life->source;
	if ((!transfer || row->generation < 3) && row->host != INTERN_NONE &&
	    !is_controller(trace, row->host)) {
		life->host = row->host;
	}
	if (life->lines[row->stage]) {
		return report_duplicate(trace, row, life);
	}
	life->times[row->stage] = row->at;
	life->lines[row->stage] = row->line;
	life->offsets[row->stage] = row->offset;
	return 0;
}

int
cascade_pivot(struct cascade_trace *trace)
{
	int stop = 0;

	trace->tasks.keys = intern_new();
	trace->transfers.keys = intern_new();
	for (size_t i = 0; i < trace->n_rows && stop == 0; i++) {
		const struct cascade_row *row = &trace->rows[i];
		if (row->subject == SUBJECT_TASK || row->subject == SUBJECT_TRANSFER) {
			stop = place_row(trace, row);
		}
	}
	/* Nothing moves in a local transfer: it starts and is loaded when it is finished. */
	for (size_t i = 0; i < trace->transfers.n; i++) {
		struct cascade_life *life = &trace->transfers.lives[i];
		if (life->generation < 3 && life->mode != INTERN_NONE &&
		    slice_is(intern_text(trace->texts, life->mode), "local")) {
			life->times[STAGE_STARTED] = life->times[STAGE_FINISHED];
			life->times[STAGE_LOADED] = life->times[STAGE_FINISHED];
		}
	}
	return stop;
}

void
cascade_lives_free(struct cascade_lives *lives)
{
	intern_free(lives->keys);
	free(lives->lives);
}
