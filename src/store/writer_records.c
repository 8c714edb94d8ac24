/* The rows of records that are few: tasks, transfers, their dependencies, capacity, trials, tags,
 * problems; see writer_rows.c. */
#include "config.h"
#include "store/writer_private.h"

#include "util/utf8.h"

#define EXCERPT_BYTES 200 /* of a problem's raw excerpt */

/* Begins a row with its id, counted from 1. */
static int
begin_numbered(struct insert_row *row, struct writer *writer, enum insert insert, struct err *err)
{
	if (insert_begin(row, writer, insert, err)) {
		return -1;
	}
	insert_integer(row, writer->n_rows[insert] + 1);
	return 0;
}

static void
insert_times(struct insert_row *row, const int64_t *times, int n)
{
	for (int i = 0; i < n; i++) {
		insert_unless(row, times[i], TIME_NONE);
	}
}

int
writer_task(struct writer *writer, uint32_t source, const struct task *task, struct err *err)
{
	const int64_t times[] = {task->planned,  task->enqueued,  task->started,  task->loaded,
	                         task->computed, task->published, task->finished, task->completed};
	struct insert_row row;
	if (begin_numbered(&row, writer, INSERT_TASK, err)) {
		return -1;
	}
	insert_integer(&row, source);
	insert_unless(&row, task->key, TEXT_NONE);
	insert_unless(&row, task->name, TEXT_NONE);
	insert_unless(&row, task->kind, TEXT_NONE);
	insert_unless(&row, task->lane, LANE_NONE);
	insert_unless(&row, task->worker, TEXT_NONE);
	insert_times(&row, times, 8);
	insert_real(&row, task->recorded_start);
	insert_real(&row, task->recorded_duration);
	insert_unless(&row, task->size_bytes, SIZE_NONE);
	return insert_end(&row, err);
}

int
writer_transfer(struct writer *writer, uint32_t source, const struct transfer *transfer,
                struct err *err)
{
	const int64_t times[] = {transfer->planned,  transfer->started,  transfer->loaded,
	                         transfer->received, transfer->unloaded, transfer->finished,
	                         transfer->completed};
	struct insert_row row;
	if (begin_numbered(&row, writer, INSERT_TRANSFER, err)) {
		return -1;
	}
	insert_integer(&row, source);
	insert_unless(&row, transfer->name, TEXT_NONE);
	insert_unless(&row, transfer->lane, LANE_NONE);
	insert_unless(&row, transfer->source, TEXT_NONE);
	insert_unless(&row, transfer->target, TEXT_NONE);
	insert_unless(&row, transfer->mode, TEXT_NONE);
	insert_times(&row, times, 7);
	insert_unless(&row, transfer->size_bytes, SIZE_NONE);
	return insert_end(&row, err);
}

int
writer_dependency(struct writer *writer, bool is_span, int64_t from, int64_t to, uint32_t name,
                  struct err *err)
{
	struct insert_row row;
	if (begin_numbered(&row, writer, INSERT_DEPENDENCY, err)) {
		return -1;
	}
	insert_string(&row, is_span ? "span" : "task");
	insert_integer(&row, from);
	insert_integer(&row, to);
	insert_unless(&row, name, TEXT_NONE);
	return insert_end(&row, err);
}

static int
write_nodes(struct writer *writer, enum insert insert, uint32_t source, int64_t time_ns,
            text_code pool, int64_t nodes, struct err *err)
{
	struct insert_row row;
	if (begin_numbered(&row, writer, insert, err)) {
		return -1;
	}
	insert_integer(&row, source);
	insert_integer(&row, time_ns);
	insert_unless(&row, pool, TEXT_NONE);
	insert_integer(&row, nodes);
	return insert_end(&row, err);
}

int
writer_capacity(struct writer *writer, uint32_t source, const struct capacity *capacity,
                struct err *err)
{
	return write_nodes(writer, INSERT_CAPACITY, source, capacity->time_ns, capacity->group,
	                   capacity->nodes, err);
}

int
writer_preemption(struct writer *writer, uint32_t source, const struct preemption *preemption,
                  struct err *err)
{
	return write_nodes(writer, INSERT_PREEMPTION, source, preemption->time_ns,
	                   preemption->group, preemption->nodes, err);
}

int
writer_trial(struct writer *writer, uint32_t source, const struct trial *trial, struct err *err)
{
	struct insert_row row;
	if (begin_numbered(&row, writer, INSERT_TRIAL, err)) {
		return -1;
	}
	insert_integer(&row, source);
	insert_unless(&row, trial->name, TEXT_NONE);
	insert_unless(&row, trial->path, TEXT_NONE);
	return insert_end(&row, err);
}

int
writer_sample(struct writer *writer, const struct sample *sample, struct err *err)
{
	struct insert_row row;
	if (begin_numbered(&row, writer, INSERT_SAMPLE, err)) {
		return -1;
	}
	insert_integer(&row, sample->trial);
	insert_unless(&row, sample->name, TEXT_NONE);
	insert_unless(&row, sample->type, TEXT_NONE);
	insert_integer(&row, (int64_t)sample->n_values);
	insert_blob(&row, (struct slice){(const char *)sample->values,
	                                 sample->n_values * sizeof(*sample->values)});
	return insert_end(&row, err);
}

int
writer_tag(struct writer *writer, const struct tag *tag, struct err *err)
{
	struct insert_row row;
	if (begin_numbered(&row, writer, INSERT_TAG, err)) {
		return -1;
	}
	insert_unless(&row, tag->scope, TEXT_NONE);
	insert_unless(&row, tag->key, TEXT_NONE);
	insert_unless(&row, tag->value, TEXT_NONE);
	return insert_end(&row, err);
}

int
writer_problem(struct writer *writer, int64_t source, const struct problem *problem,
               struct err *err)
{
	struct insert_row row;
	struct strbuf excerpt = {0};
	struct slice raw = problem->excerpt;
	if (begin_numbered(&row, writer, INSERT_PROBLEM, err)) {
		return -1;
	}
	insert_unless(&row, source, -1);
	insert_string(&row, problem_kind_name(problem->kind));
	insert_unless(&row, (int64_t)problem->record, 0);
	insert_integer(&row, (int64_t)problem->offset);
	insert_string(&row, problem->reason);
	if (raw.len == 0) {
		insert_string(&row, NULL);
	} else {
		utf8_escape(
		    &excerpt,
		    (struct slice){raw.ptr, raw.len < EXCERPT_BYTES ? raw.len : EXCERPT_BYTES});
		if (raw.len > EXCERPT_BYTES) {
			strbuf_add_text(&excerpt, "\xe2\x80\xa6");
		}
		insert_text(&row, strbuf_slice(&excerpt));
	}
	int status = insert_end(&row, err);
	strbuf_free(&excerpt);
	return status;
}
