/*
 * Table span_total: the sums of the whole run by lane, category and name, computed by the same scan
 * that answers span_sums, over what was just written and through the same connection. That scan
 * also proves the run file readable before it gets its name.
 *
 * A sum that leaves 64 bits is kept as a real: SQL that adds it up comes near, and the scans read
 * the blocks instead.
 *
 * A run of a million lanes has more groups than memory should hold, and so has a lane whose spans
 * all have names of their own: then lanes, and the names of one, are summed part by part.
 */
#include "config.h"
#include "store/writer_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "column/scan/scan.h"
#include "store/reader.h"
#include "store/squares.h"
#include "util/budget.h"
#include "util/order.h"

/* Each takes some 300 bytes, on each thread, and the bytes of its texts. Of a small memory budget
 * fewer: one for so many bytes of it. */
#define GROUPS_AT_ONCE (1u << 16)
#define BUDGET_A_GROUP 2048

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

/* Names of the run, of all its texts some at equal distances, sorted: where sums are divided. */
#define DIVIDERS_MOST 4096

struct totalling {
	struct writer *writer;
	const struct dataset *dataset;
	const struct cancel *cancel;
	struct slice *dividers; /* NULL: not needed yet */
	size_t n_dividers;
};

static int
compare_dividers(const void *left, const void *right)
{
	const struct slice *a = left, *b = right;

	return slice_compare(*a, *b);
}

static void
find_dividers(struct totalling *totalling)
{
	const struct dataset *dataset = totalling->dataset;
	size_t n = LEAST(dataset->n_texts, DIVIDERS_MOST);

	MEM_NEW(totalling->dividers, n + 1);
	for (size_t i = 0; i < n; i++) {
		totalling->dividers[i] = dataset->texts[(uint64_t)i * dataset->n_texts / n];
	}
	SORT(totalling->dividers, n, compare_dividers);
	totalling->n_dividers = n;
}

/* Lanes [first, end). Of one alone, names: from the divider below `from` (0: the first names, and
 * none) up to that below `to` (0: all). */
struct totals_part {
	uint32_t first, end;
	size_t from, to;
};

/* False: it can't be divided. */
static bool
divide(struct totalling *totalling, const struct totals_part *part, struct totals_part halves[2])
{
	halves[0] = halves[1] = *part;
	if (part->end - part->first > 1) {
		halves[0].end = halves[1].first = part->first + (part->end - part->first) / 2;
		return true;
	}
	if (!totalling->dividers) {
		find_dividers(totalling);
	}
	size_t to = part->to ? part->to : totalling->n_dividers + 1;
	halves[0].to = halves[1].from = part->from + (to - part->from) / 2;
	return to - part->from > 1;
}

static void
make_request(const struct totalling *totalling, const struct totals_part *part,
             struct strbuf *filter, struct sums_request *request)
{
	if (part->end - part->first < totalling->dataset->n_lanes || part->from || part->to) {
		strbuf_printf(filter, "lane >= %" PRIu32 " AND lane < %" PRIu32, part->first,
		              part->end);
	}
	if (part->from) {
		strbuf_add_text(filter, " AND name >= ?1");
		request->parameters[0] = (struct scan_value){
		    .type = SCAN_TEXT, .text = totalling->dividers[part->from - 1]};
	}
	if (part->to) {
		strbuf_add_text(filter,
		                part->from ? " AND name < ?2" : " AND (name IS NULL OR name < ?2)");
		request->parameters[1] = (struct scan_value){
		    .type = SCAN_TEXT, .text = totalling->dividers[part->to - 1]};
	}
	request->filter = filter->data;
}

static int
write_part(struct totalling *totalling, const struct totals_part *part, struct err *err)
{
	struct err own = ERR_INIT;
	struct totals_part halves[2];
	struct strbuf filter = {0};
	/* In the order of lanes, then names, rows come the same however they are divided. */
	struct sums_request request = {
	    .kind = BLOCK_SPAN,
	    .by = "lane,name,category",
	    .unread = {[MEASURE_SELF] = SUMS_NO_RANGE | SUMS_NO_SQUARES,
	               [MEASURE_VALUE] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES},
	    .group_limit = (uint32_t)LEAST(budget_bytes() / BUDGET_A_GROUP, GROUPS_AT_ONCE),
	    .cancel = totalling->cancel,
	};

	make_request(totalling, part, &filter, &request);
	struct sums *sums = sums_run(totalling->dataset, &request, &own);
	if (!sums && own.code == ERR_LIMIT) {
		if (divide(totalling, part, halves)) {
			strbuf_free(&filter);
			return write_part(totalling, &halves[0], err) ||
			               write_part(totalling, &halves[1], err)
			           ? -1
			           : 0;
		}
		own = (struct err)ERR_INIT;
		request.group_limit = UINT32_MAX;
		sums = sums_run(totalling->dataset, &request, &own);
	}
	strbuf_free(&filter);
	if (!sums) {
		*err = own;
		return err_wrap(err, "%s", totalling->writer->path);
	}
	int status =
	    write_totals(totalling->writer, totalling->dataset, sums, totalling->cancel, err);
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
		struct totalling totalling = {
		    .writer = writer, .dataset = dataset, .cancel = cancel};
		status =
		    write_part(&totalling, &(struct totals_part){.end = dataset->n_lanes}, err);
		free(totalling.dividers);
	}
	run_reader_free(reader);
	return status;
}
