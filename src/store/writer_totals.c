/*
 * Table span_total: the sums of the whole run by lane, category and name, computed by the same scan
 * that answers span_sums, over what was just written and through the same connection. That scan
 * also proves the run file readable before it gets its name.
 */
#include "config.h"
#include "store/writer_private.h"

#include <stdlib.h>

#include "column/scan.h"
#include "store/reader.h"

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

/* As span_sums has it: sums of nothing are 0, extremes NULL. */
static void
insert_sums(struct insert_row *row, const struct measure_sums *sums)
{
	insert_integer(row, sums->sum);
	if (sums->n == 0) {
		insert_null(row);
		insert_null(row);
	} else {
		insert_integer(row, sums->min);
		insert_integer(row, sums->max);
	}
	insert_real(row, sums->sum_of_squares);
}

static int
write_total(struct writer *writer, struct sums *sums, size_t group,
            const struct texts_of_groups *texts, struct err *err)
{
	const struct group_sums *total = sums_group(sums, group);
	struct insert_row row;
	if (insert_begin(&row, writer, INSERT_TOTAL, err)) {
		return -1;
	}
	insert_integer(&row, sums_key(sums, group, DIMENSION_LANE).integer);
	insert_text_code(&row, texts, sums_key(sums, group, DIMENSION_CATEGORY));
	insert_text_code(&row, texts, sums_key(sums, group, DIMENSION_NAME));
	insert_integer(&row, total->n);
	insert_integer(&row, total->rows);
	insert_integer(&row, total->start_min);
	insert_integer(&row, total->end_max);
	insert_sums(&row, &total->measure[MEASURE_DURATION]);
	insert_integer(&row, total->measure[MEASURE_SELF].sum);
	insert_integer(&row, total->measure[MEASURE_SIZE].n);
	insert_sums(&row, &total->measure[MEASURE_SIZE]);
	return insert_end(&row, err);
}

static void
collect_texts(const struct sums *sums, const struct dataset *dataset, struct texts_of_groups *texts)
{
	texts->texts = intern_new();
	for (size_t i = 0; i < sums_count(sums); i++) {
		struct scan_value keys[] = {sums_key(sums, i, DIMENSION_CATEGORY),
		                            sums_key(sums, i, DIMENSION_NAME)};
		for (int k = 0; k < 2; k++) {
			if (keys[k].type == SCAN_TEXT) {
				intern_id(texts->texts, keys[k].text);
			}
		}
	}
	texts->codes = xcalloc(intern_count(texts->texts), sizeof(*texts->codes));
	text_codes(texts->texts, dataset->texts, dataset->n_texts, texts->codes);
}

int
writer_totals(struct writer *writer, const struct cancel *cancel, struct err *err)
{
	struct run_reader *reader = run_reader_new(writer->db, true);
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .by = "lane,category,name",
	    .unread = {[MEASURE_SELF] = SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_VALUE] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .group_limit = UINT32_MAX,
	    .cancel = cancel,
	};
	struct texts_of_groups texts = {NULL, NULL};
	struct sums *sums = NULL;
	int status = -1;
	run_reader_set_cancel(reader, cancel);
	const struct dataset *dataset = run_reader_dataset(reader, err);
	if (!dataset ||
	    (dataset->n_rows[BLOCK_SPAN] > 0 && !(sums = sums_run(dataset, &request, err)))) {
		err_wrap(err, "%s", writer->path);
		goto out;
	}
	if (sums) {
		collect_texts(sums, dataset, &texts);
		for (size_t i = 0; i < sums_count(sums); i++) {
			if (write_total(writer, sums, i, &texts, err)) {
				goto out;
			}
		}
	}
	status = 0;
out:
	sums_free(sums);
	intern_free(texts.texts);
	free(texts.codes);
	run_reader_free(reader);
	return status;
}
