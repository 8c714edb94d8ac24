/* The rows of records that are few: tasks, transfers, their dependencies, capacity, trials, tags,
 * problems; see writer_rows.c. */
#include "config.h"
#include "store/writer_private.h"

#include "util/order.h"
#include "util/utf8.h"

#define EXCERPT_BYTES 200 /* of a problem's raw excerpt */

/* Begins a row with its id, counted from 1. */
static struct insert_row
begin_numbered(struct writer *writer, enum insert insert, struct err *err)
{
	struct insert_row row = insert_begin(writer, insert, err);
	insert_integer(&row, writer->n_rows[insert] + 1);
	return row;
}

int
writer_task(struct writer *writer, uint32_t source, const struct task *task, struct err *err)
{
	struct insert_row row = begin_numbered(writer, INSERT_TASK, err);
	insert_integer(&row, source);
	INSERT_UNLESS(&row, TEXT_NONE, task->key, task->name, task->kind, task->lane, task->worker);
	INSERT_UNLESS(&row, TIME_NONE, task->planned, task->enqueued, task->started, task->loaded,
	              task->computed, task->published, task->finished, task->completed);
	insert_real(&row, task->recorded_start);
	insert_real(&row, task->recorded_duration);
	insert_unless(&row, task->size_bytes, SIZE_NONE);
	return insert_end(&row, err);
}

int
writer_transfer(struct writer *writer, uint32_t source, const struct transfer *transfer,
                struct err *err)
{
	struct insert_row row = begin_numbered(writer, INSERT_TRANSFER, err);
	insert_integer(&row, source);
	INSERT_UNLESS(&row, TEXT_NONE, transfer->name, transfer->lane, transfer->source,
	              transfer->target, transfer->mode);
	INSERT_UNLESS(&row, TIME_NONE, transfer->planned, transfer->started, transfer->loaded,
	              transfer->received, transfer->unloaded, transfer->finished,
	              transfer->completed);
	insert_unless(&row, transfer->size_bytes, SIZE_NONE);
	return insert_end(&row, err);
}

int
writer_dependency(struct writer *writer, bool is_span, int64_t from, int64_t to, uint32_t name,
                  struct err *err)
{
	struct insert_row row = begin_numbered(writer, INSERT_DEPENDENCY, err);
	insert_string(&row, is_span ? "span" : "task");
	INSERT_INTEGERS(&row, from, to);
	insert_unless(&row, name, TEXT_NONE);
	return insert_end(&row, err);
}

static int
write_nodes(struct writer *writer, enum insert insert, uint32_t source, int64_t time_ns,
            text_code pool, int64_t nodes, struct err *err)
{
	struct insert_row row = begin_numbered(writer, insert, err);
	INSERT_INTEGERS(&row, source, time_ns);
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
	struct insert_row row = begin_numbered(writer, INSERT_TRIAL, err);
	insert_integer(&row, source);
	INSERT_UNLESS(&row, TEXT_NONE, trial->name, trial->path);
	return insert_end(&row, err);
}

int
writer_sample(struct writer *writer, const struct sample *sample, struct err *err)
{
	struct insert_row row = begin_numbered(writer, INSERT_SAMPLE, err);
	insert_integer(&row, sample->trial);
	INSERT_UNLESS(&row, TEXT_NONE, sample->name, sample->type);
	insert_integer(&row, (int64_t)sample->n_values);
	insert_blob(&row, (struct slice){(const char *)sample->values,
	                                 sample->n_values * sizeof *sample->values});
	return insert_end(&row, err);
}

int
writer_tag(struct writer *writer, const struct tag *tag, struct err *err)
{
	struct insert_row row = begin_numbered(writer, INSERT_TAG, err);
	INSERT_UNLESS(&row, TEXT_NONE, tag->scope, tag->key, tag->value);
	return insert_end(&row, err);
}

int
writer_problem(struct writer *writer, int64_t source, const struct problem *problem,
               struct err *err)
{
	struct strbuf excerpt = {0};
	struct slice raw = problem->excerpt;
	struct insert_row row = begin_numbered(writer, INSERT_PROBLEM, err);
	insert_unless(&row, source, -1);
	insert_string(&row, problem_kind_name(problem->kind));
	insert_unless(&row, (int64_t)problem->record, 0);
	insert_integer(&row, (int64_t)problem->offset);
	insert_string(&row, problem->reason);
	if (raw.len == 0) {
		insert_string(&row, NULL);
	} else {
		utf8_escape(&excerpt, (struct slice){raw.ptr, LEAST(raw.len, EXCERPT_BYTES)});
		if (raw.len > EXCERPT_BYTES) {
			strbuf_add_text(&excerpt, "\xe2\x80\xa6");
		}
		insert_text(&row, strbuf_slice(&excerpt));
	}
	int status = insert_end(&row, err);
	strbuf_free(&excerpt);
	return status;
}
