/*
 * Table span_total: the sums of the whole run by lane, category and name, computed by the same scan
 * that answers span_sums, over what was just written and through the same connection. That scan
 * also proves the run file readable before it gets its name.
 *
 * A sum that leaves 64 bits is kept as a real: SQL that adds it up comes near, and the scans read
 * the blocks instead.
 *
 * A run of a million lanes has more groups than memory should hold: then lanes are summed part by
 * part.
 */
#include "config.h"
#include "store/writer_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "column/scan/scan.h"
#include "store/reader.h"
#include "store/squares.h"

#define GROUPS_AT_ONCE (1u << 16) /* each takes some 300 bytes, on each thread */

/* Groups hold texts; the table holds codes. */
struct texts_of_groups {
	struct intern *texts;
	text_code *codes; /* by id in texts */
};

static void
insert_text_code(struct insert_row *row, const struct texts_of_groups *texts,
                 struct scan_value value)
{
	text_code code = value.type == SCAN_TEXT
	                     ? texts->codes[intern_find(texts->texts, value.text)]
	                     : TEXT_NONE;
	insert_unless(row, code, TEXT_NONE);
}

static void
insert_sum(struct insert_row *row, const struct measure_sums *sums)
{
	if (sums->sum_leaves) {
		insert_real(row, sums->real_sum);
	} else {
		insert_integer(row, sums->sum);
	}
}

/* As span_sums has it: sums of nothing are 0, extremes NULL. squares: memory until the row's
 * end. */
static void
insert_sums(struct insert_row *row, const struct measure_sums *sums,
            unsigned char squares[SQUARES_BYTES])
{
	insert_sum(row, sums);
	if (sums->n == 0 || sums->has_no_range) {
		insert_null(row);
		insert_null(row);
	} else {
		insert_integer(row, sums->min);
		insert_integer(row, sums->max);
	}
	if (sums->has_no_distribution) {
		insert_null(row);
		return;
	}
	squares_put(squares, sums->squares);
	insert_blob(row, (struct slice){(const char *)squares, SQUARES_BYTES});
}

static int
write_total(struct writer *writer, struct sums *sums, size_t group,
            const struct texts_of_groups *texts, struct err *err)
{
	const struct group_sums *total = sums_group(sums, group);
	unsigned char squares[2][SQUARES_BYTES];
	struct insert_row row = insert_begin(writer, INSERT_TOTAL, err);
	insert_integer(&row, sums_key(sums, group, ROW_LANE).integer);
	insert_text_code(&row, texts, sums_key(sums, group, ROW_CATEGORY));
	insert_text_code(&row, texts, sums_key(sums, group, ROW_NAME));
	if (total->n_leaves) {
		insert_real(&row, (double)total->n);
	} else {
		insert_integer(&row, total->n);
	}
	INSERT_INTEGERS(&row, total->rows, total->start_min, total->end_max);
	insert_sums(&row, &total->measure[MEASURE_DURATION], squares[0]);
	insert_sum(&row, &total->measure[MEASURE_SELF]);
	insert_integer(&row, total->measure[MEASURE_SIZE].n);
	insert_sums(&row, &total->measure[MEASURE_SIZE], squares[1]);
	INSERT_INTEGERS(&row, total->summed, total->unfinished, total->unfinished_ns);
	return insert_end(&row, err);
}

#define GROUPS_A_POLL 4096

static int
collect_texts(const struct sums *sums, const struct dataset *dataset, const struct cancel *cancel,
              struct texts_of_groups *texts, struct err *err)
{
	texts->texts = intern_new();
	for (size_t i = 0; i < sums_count(sums); i++) {
		if (i % GROUPS_A_POLL == 0 && cancel_check(cancel, err)) {
			return -1;
		}
		struct scan_value keys[] = {sums_key(sums, i, ROW_CATEGORY),
		                            sums_key(sums, i, ROW_NAME)};
		for (int k = 0; k < 2; k++) {
			if (keys[k].type == SCAN_TEXT) {
				intern_id(texts->texts, keys[k].text);
			}
		}
	}
	texts->codes = xcalloc(intern_count(texts->texts), sizeof *texts->codes);
	text_codes(texts->texts, dataset->texts, dataset->n_texts, texts->codes);
	return 0;
}

static int
write_totals(struct writer *writer, const struct dataset *dataset, struct sums *sums,
             const struct cancel *cancel, struct err *err)
{
	struct texts_of_groups texts = {NULL, NULL};
	int status = collect_texts(sums, dataset, cancel, &texts, err);

	for (size_t i = 0; i < sums_count(sums) && status == 0; i++) {
		status = i % GROUPS_A_POLL == 0 ? cancel_check(cancel, err) : 0;
		status = status ? status : write_total(writer, sums, i, &texts, err);
	}
	intern_free(texts.texts);
	free(texts.codes);
	return status;
}

/* Of the lanes [first, end). */
static int
total_lanes(struct writer *writer, const struct dataset *dataset, uint32_t first, uint32_t end,
            const struct cancel *cancel, struct err *err)
{
	char filter[80];
	struct err own = ERR_INIT;
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .by = "lane,category,name",
	    .filter = end - first < dataset->n_lanes ? filter : NULL,
	    .unread = {[MEASURE_SELF] = SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_VALUE] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .group_limit = end - first > 1 ? GROUPS_AT_ONCE : UINT32_MAX,
	    .cancel = cancel,
	};

	snprintf(filter, sizeof filter, "lane >= %" PRIu32 " AND lane < %" PRIu32, first, end);
	struct sums *sums = sums_run(dataset, &request, &own);
	if (!sums && own.code == ERR_LIMIT && end - first > 1) {
		uint32_t middle = first + (end - first) / 2;
		return total_lanes(writer, dataset, first, middle, cancel, err) ||
		               total_lanes(writer, dataset, middle, end, cancel, err)
		           ? -1
		           : 0;
	}
	if (!sums) {
		*err = own;
		return err_wrap(err, "%s", writer->path);
	}
	int status = write_totals(writer, dataset, sums, cancel, err);
	sums_free(sums);
	return status;
}

int
writer_totals(struct writer *writer, const struct cancel *cancel, struct err *err)
{
	struct run_reader *reader = run_reader_new(writer->db, true);

	run_reader_set_cancel(reader, cancel);
	const struct dataset *dataset = run_reader_dataset(reader, err);
	int status = dataset ? 0 : err_wrap(err, "%s", writer->path);
	if (dataset && dataset->n_rows[BLOCK_SPAN] > 0) {
		status = total_lanes(writer, dataset, 0, dataset->n_lanes, cancel, err);
	}
	run_reader_free(reader);
	return status;
}
