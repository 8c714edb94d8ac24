/*
 * Rows in order of time. What is derived from a trace (the count that results, the lives of
 * instances, the times between losses) is wrong where rows stand out of order, so no row is made
 * anything of before its turn.
 *
 * Rows of any number are sorted in bounded memory: of a full window the earlier half is given on,
 * and the rest stays for what is still to come. That puts every row in its place whose place is
 * less than half a window away; one that comes later is rejected.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

#ifndef PREEMPTION_WINDOW
#define PREEMPTION_WINDOW ((size_t)2 << 20) /* rows */
#endif
#define PREEMPTION_WINDOW_BYTES ((size_t)128 << 20) /* of their texts */

struct kept_row {
	int64_t time_ns, number;
	uint64_t line, offset;
	size_t text, text_bytes;
};
struct preemption_rows {
	struct kept_row *rows;
	size_t n, capacity;
	struct strbuf texts;
	int64_t given_ns; /* of the last row given on; TIME_NONE: none was */
};

static int
compare_rows(const void *a, const void *b)
{
	const struct kept_row *x = a, *y = b;

	ORDER_BY(x->time_ns, y->time_ns);
	return ORDER(x->line, y->line);
}

/* Gives the first n rows on, in order; the others move up. */
static int
put_rows(struct preemption_reader *reader, size_t n)
{
	struct preemption_rows *kept = reader->kept;
	struct slice at_hand = reader->text;
	uint64_t line = reader->line, offset = reader->offset;
	struct strbuf texts = {0};
	int stop = 0;

	SORT(kept->rows, kept->n, compare_rows);
	for (size_t i = 0; i < n && stop == 0; i++) {
		const struct kept_row *row = &kept->rows[i];
		reader->line = row->line;
		reader->offset = row->offset;
		reader->text =
		    (struct slice){strbuf_slice(&kept->texts).ptr + row->text, row->text_bytes};
		if (kept->given_ns == row->time_ns) {
			reader->first_equal = reader->n_equal++ ? reader->first_equal : row->line;
		}
		kept->given_ns = row->time_ns;
		stop = reader->put(reader, row->time_ns, row->number, reader->text);
	}
	for (size_t i = n; i < kept->n; i++) {
		struct kept_row *row = &kept->rows[i];
		size_t text = texts.len;
		strbuf_add(&texts, strbuf_slice(&kept->texts).ptr + row->text, row->text_bytes);
		row->text = text;
		kept->rows[i - n] = *row;
	}
	kept->n -= n;
	strbuf_free(&kept->texts);
	kept->texts = texts;
	reader->line = line;
	reader->offset = offset;
	reader->text = at_hand;
	return stop;
}

void
preemption_note_order(struct preemption_reader *reader, int64_t time_ns)
{
	if (reader->file_ns != TIME_NONE && time_ns < reader->file_ns) {
		reader->first_backward =
		    reader->n_backward++ ? reader->first_backward : reader->line;
	}
	reader->file_ns = time_ns;
}

int
preemption_tell_order(struct preemption_reader *reader)
{
	char times[48] = "once,";

	if (reader->n_backward == 0) {
		return 0;
	}
	if (reader->n_backward > 1) {
		snprintf(times, sizeof times, "%" PRIu64 " times, first", reader->n_backward);
	}
	return preemption_note(
	    reader, 0, "time goes backward %s in line %" PRIu64 ": the rows are sorted by time",
	    times, reader->first_backward);
}

int
preemption_keep(struct preemption_reader *reader, int64_t time_ns, int64_t number,
                struct slice text)
{
	int stop = 0;

	if (!reader->kept) {
		reader->kept = xcalloc(1, sizeof *reader->kept);
		reader->kept->given_ns = TIME_NONE;
	}
	struct preemption_rows *kept = reader->kept;
	preemption_note_order(reader, time_ns);
	if (kept->given_ns != TIME_NONE && time_ns < kept->given_ns) {
		return preemption_reject(reader, "stands too far behind rows of later times");
	}
	if (kept->n == PREEMPTION_WINDOW ||
	    (kept->n > 1 && kept->texts.len > PREEMPTION_WINDOW_BYTES)) {
		stop = put_rows(reader, kept->n / 2);
	}
	MEM_GROW(kept->rows, kept->capacity, kept->n + 1);
	kept->rows[kept->n++] = (struct kept_row){time_ns,        number,          reader->line,
	                                          reader->offset, kept->texts.len, text.len};
	strbuf_add_slice(&kept->texts, text);
	return stop;
}

int
preemption_put_kept(struct preemption_reader *reader)
{
	int stop = reader->kept ? put_rows(reader, reader->kept->n) : 0;

	reader->text.len = 0;
	return stop;
}

void
preemption_rows_free(struct preemption_reader *reader)
{
	if (reader->kept) {
		free(reader->kept->rows);
		strbuf_free(&reader->kept->texts);
		free(reader->kept);
		reader->kept = NULL;
	}
}
