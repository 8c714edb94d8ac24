/* One scan that reads no measures, in groups of lanes. */
#include "config.h"

#include "query/timeline/timeline_hits.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/scan.h"
#include "util/format.h"

int
timeline_hits_read(struct store *store, const char *filter, struct timeline_hits *hits,
                   const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	struct sums_request request = {.kind = BLOCK_SPAN,
	                               .by = "lane",
	                               .filter = filter,
	                               .unread_times = true,
	                               .unread_unfinished = true,
	                               .cancel = cancel};
	struct sums *sums;

	*hits = (struct timeline_hits){.n_all = store_run(store)->n_spans};
	for (int i = 0; i < MEASURES; i++) {
		request.unread[i] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES;
	}
	sums = dataset ? sums_run(dataset, &request, err) : NULL;
	if (!sums) {
		return -1;
	}
	hits->n_ids = dataset->n_lanes;
	hits->by_lane = xcalloc((size_t)dataset->n_lanes + 1, sizeof *hits->by_lane);
	for (size_t i = 0; i < sums_count(sums); i++) {
		struct scan_value lane = sums_key(sums, i, ROW_LANE);
		int64_t rows = sums_group(sums, i)->rows;

		hits->n += rows;
		if (lane.type == SCAN_INTEGER && lane.integer >= 0 &&
		    lane.integer < dataset->n_lanes && rows > 0) {
			hits->by_lane[lane.integer] = rows;
			hits->n_lanes++;
		}
	}
	sums_free(sums);
	return 0;
}

void
timeline_hits_append(struct timeline_hits *hits, struct timeline_hits *more)
{
	int64_t *both;
	size_t n = hits->n_ids;

	if (!hits->by_lane) {
		*hits = *more;
		return;
	}
	MEM_NEW(both, n + more->n_ids + 1);
	memcpy(both, hits->by_lane, n * sizeof *both);
	memcpy(both + n, more->by_lane, more->n_ids * sizeof *both);
	free(hits->by_lane);
	free(more->by_lane);
	*hits = (struct timeline_hits){.n = hits->n + more->n,
	                               .n_all = hits->n_all + more->n_all,
	                               .n_first = hits->n,
	                               .n_all_first = hits->n_all,
	                               .n_lanes = hits->n_lanes + more->n_lanes,
	                               .by_lane = both,
	                               .n_ids = hits->n_ids + more->n_ids};
}

void
timeline_hits_swap(struct timeline_hits *hits, uint32_t n_lanes_first)
{
	size_t n_second = hits->n_ids - n_lanes_first;
	int64_t *swapped;

	if (!hits->by_lane) {
		return;
	}
	MEM_NEW(swapped, (size_t)hits->n_ids + 1);
	memcpy(swapped, hits->by_lane + n_lanes_first, n_second * sizeof *swapped);
	memcpy(swapped + n_second, hits->by_lane, n_lanes_first * sizeof *swapped);
	free(hits->by_lane);
	hits->by_lane = swapped;
	hits->n_first = hits->n - hits->n_first;
	hits->n_all_first = hits->n_all - hits->n_all_first;
}

void
timeline_hits_say(const struct timeline_hits *hits, bool is_of_two, struct strbuf *out)
{
	char n[FORMAT_BYTES], all[FORMAT_BYTES];

	if (!is_of_two) {
		strbuf_printf(out, "%s of %s spans", format_count(n, hits->n),
		              format_count(all, hits->n_all));
		return;
	}
	strbuf_printf(out, "%s of %s in A", format_count(n, hits->n_first),
	              format_count(all, hits->n_all_first));
	strbuf_printf(out, ", %s of %s in B", format_count(n, hits->n - hits->n_first),
	              format_count(all, hits->n_all - hits->n_all_first));
}

void
timeline_hits_fini(struct timeline_hits *hits)
{
	free(hits->by_lane);
	*hits = (struct timeline_hits){0};
}
