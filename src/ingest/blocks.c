/*
 * Blocks at the end of an import: the finishing pass adds columns to those of spans and makes the
 * tiles; then each block's description is put into the run's terms (ids, argument names, times from
 * the run's start) and written. The bytes of the columns stay as they are.
 */
#include "config.h"
#include "ingest/run.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"

/* What the finishing pass is given, and where its results go. */
struct finishing {
	struct run *run;
	struct err *err; /* set where a receiver fails */
};

/* Hosts are groups of the lanes that work, and of the densities of records that stand for many
 * calls, numbered by their first lane. */
void
run_group_lanes(struct run *run)
{
	const struct merge *merge = &run->merge;
	size_t n_texts = intern_count(merge->texts);
	uint32_t *group_of_host = xrealloc_array(NULL, n_texts + 1, sizeof *group_of_host);

	memset(group_of_host, 0xff, n_texts * sizeof *group_of_host); /* TEXT_NONE */
	run->n_lanes = (uint32_t)merge->lanes.n;
	MEM_NEW(run->is_flat, merge->lanes.n + 1);
	MEM_NEW(run->is_dense, merge->lanes.n + 1);
	run->groups = xrealloc_array(NULL, merge->lanes.n + 1, sizeof *run->groups);
	run->group_hosts = xrealloc_array(NULL, merge->lanes.n + 1, sizeof *run->group_hosts);
	for (size_t lane = 0; lane < merge->lanes.n; lane++) {
		struct lane one = lane_list_at(&merge->lanes, lane);
		uint32_t host = one.host;
		run->is_flat[lane] = !lane_kind_is_timed(one.kind);
		run->is_dense[lane] = one.kind == LANE_AGGREGATE;
		if (host == TEXT_NONE ||
		    (!lane_kind_is_work(one.kind) && one.kind != LANE_AGGREGATE)) {
			run->groups[lane] = TEXT_NONE;
			continue;
		}
		if (group_of_host[host] == TEXT_NONE) {
			group_of_host[host] = run->n_groups;
			run->group_hosts[run->n_groups++] = host;
		}
		run->groups[lane] = group_of_host[host];
	}
	free(group_of_host);
}

static int
receive_base(void *user, int64_t tile_base_ns, unsigned n_levels)
{
	struct finishing *finishing = user;

	finishing->run->tile_base_ns = tile_base_ns;
	finishing->run->tile_levels = n_levels;
	return 0;
}

static int
receive_tile(void *user, const struct tile_chunk *chunk)
{
	struct finishing *finishing = user;
	struct tile_chunk kept = *chunk;

	if (kept.subject == TILE_GROUP) {
		kept.id = finishing->run->group_hosts[kept.id];
	}
	return writer_tile(finishing->run->writer, &kept, finishing->err);
}

static int
receive_columns(void *user, uint32_t source, uint32_t sequence, struct column_info *columns,
                const size_t *offsets, uint32_t n, struct slice bytes)
{
	struct finishing *finishing = user;
	struct run *run = finishing->run;
	struct block_info *info = &run->sources[source].blocks[BLOCK_SPAN][sequence].info;

	info->columns =
	    xrealloc_array(info->columns, (size_t)info->n_columns + n, sizeof *info->columns);
	for (uint32_t i = 0; i < n; i++) {
		struct column_info *column = &info->columns[info->n_columns++];
		*column = columns[i];
		column->blob_id = 0;
		if (column->blob_bytes == 0) {
			continue;
		}
		column->blob_id =
		    writer_blob_id(source, BLOCK_SPAN, sequence, BLOCK_COLUMNS + column->field);
		struct slice part = {bytes.ptr + offsets[i], column->blob_bytes};
		if (writer_blob(run->writer, column->blob_id, part, finishing->err)) {
			return -1;
		}
	}
	return 0;
}

static int
finish_spans(struct run *run, struct err *err)
{
	struct err own = ERR_INIT;
	struct finishing finishing = {run, &own};
	struct finish_receiver receiver = {.user = &finishing,
	                                   .columns = receive_columns,
	                                   .tile = receive_tile,
	                                   .base = receive_base};
	struct finish_source *sources = xcalloc((size_t)run->n_sources + 1, sizeof *sources);

	for (uint32_t i = 0; i < run->n_sources; i++) {
		const struct source *source = &run->sources[i];
		sources[i] =
		    (struct finish_source){source->text_map, source->lane_map, source->shift_ns};
	}
	struct finish_plan plan = {.sources = sources,
	                           .n_sources = run->n_sources,
	                           .n_lanes = run->n_lanes,
	                           .is_flat = run->is_flat,
	                           .is_dense = run->is_dense,
	                           .group = run->groups,
	                           .n_groups = run->n_groups,
	                           .origin_ns = run->origin_ns,
	                           .duration_ns = run->duration_ns,
	                           .n_threads = run->n_threads,
	                           .cancel = run->options->cancel};
	int result = finish_run(run->finish, &plan, &receiver, err);
	if (result != 0 && own.code != ERR_NONE) {
		*err = own;
	}
	free(sources);
	return result;
}

/* Into the run's terms. */
static void
settle(const struct run *run, const struct source *source, struct block_info *info,
       int64_t first_id)
{
	int64_t shift_ns = time_sub(source->shift_ns, run->origin_ns);

	info->first_id = first_id;
	info->start_min = time_add(info->start_min, shift_ns);
	info->start_max = time_add(info->start_max, shift_ns);
	info->end_max = time_add(info->end_max, shift_ns);
	for (uint32_t i = 0; i < info->n_columns; i++) {
		if (info->columns[i].field == FIELD_START) {
			column_shift(&info->columns[i], shift_ns);
		}
	}
	block_info_remap(info, source->key_map, source->n_keys);
}

int
run_write_blocks(struct run *run, struct err *err)
{
	if (finish_spans(run, err)) {
		return -1;
	}
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		int64_t next_id = 1;
		for (uint32_t i = 0; i < run->n_sources; i++) {
			const struct source *source = &run->sources[i];
			for (size_t b = 0; b < source->n_blocks[kind]; b++) {
				struct block_info *info = &source->blocks[kind][b].info;
				settle(run, source, info, next_id);
				next_id += info->n_rows;
				if (writer_block(run->writer, info, err)) {
					return -1;
				}
			}
		}
	}
	return 0;
}
