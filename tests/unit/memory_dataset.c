/*
 * A run in memory, made of blocks as they leave their builders. It does what an import does at its
 * end, with the same outcome: dictionaries, argument names and lanes of the sources are united in
 * the order of sources, then of first appearance; blocks are numbered by (source, sequence); times
 * count from the earliest start.
 */
#include "config.h"
#include "unit/memory_dataset.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct memory_source {
	uint32_t *texts, *lanes, *keys;
	uint32_t n_keys;
};

struct memory_dataset {
	struct dataset dataset;
	struct path_classes *classes;
	struct arena *arena;
	struct intern *texts, *keys, *lane_keys; /* lane_keys: the bytes of struct lane_identity */
	struct slice *text_slices, *key_slices;
	struct lane *lanes;
	size_t n_lanes, lanes_capacity;
	struct dataset_source *sources;
	struct memory_source *maps;
	struct block **blocks;
	size_t n_blocks;
	struct block_info *infos[BLOCK_KINDS];
	struct slice *blobs; /* by blob_id - 1 */
	size_t n_blobs, blobs_capacity;
	int64_t origin_ns;
};

/* What makes a lane; no padding, so that its bytes can be compared. */
struct lane_identity {
	int64_t process, thread;
	uint32_t host, name, kind, ident_types;
};

static uint32_t
map_text(const uint32_t *texts, uint32_t code)
{
	return code == TEXT_NONE ? TEXT_NONE : texts[code];
}

static struct ident
map_ident(const uint32_t *texts, struct ident ident)
{
	if (ident.type == IDENT_TEXT) {
		ident.text = texts[ident.text];
	}
	return ident;
}

static void
add_ident(struct memory_dataset *memory, struct strbuf *name, struct ident ident)
{
	if (ident.type == IDENT_INTEGER) {
		strbuf_printf(name, "%lld", (long long)ident.integer);
	} else if (ident.type == IDENT_TEXT) {
		struct slice text = intern_text(memory->texts, ident.text);
		strbuf_add(name, text.ptr, text.len);
	}
}

/* What a lane without a name is called: process/thread, or what there is of it. */
static uint32_t
lane_name(struct memory_dataset *memory, const struct lane *lane)
{
	struct strbuf name = {0};

	add_ident(memory, &name, lane->process);
	if (lane->process.type != IDENT_NONE && lane->thread.type != IDENT_NONE) {
		strbuf_add_char(&name, '/');
	}
	add_ident(memory, &name, lane->thread);
	if (name.len == 0) {
		strbuf_add_text(&name, "lane");
	}
	uint32_t code = intern_id(memory->texts, strbuf_slice(&name));
	strbuf_free(&name);
	return code;
}

static int64_t
ident_value(struct ident ident)
{
	return ident.type == IDENT_INTEGER ? ident.integer
	       : ident.type == IDENT_TEXT  ? (int64_t)ident.text
	                                   : 0;
}

static uint32_t
add_lane(struct memory_dataset *memory, const struct lane *lane, const uint32_t *texts)
{
	struct lane mapped = {.host = map_text(texts, lane->host),
	                      .process = map_ident(texts, lane->process),
	                      .thread = map_ident(texts, lane->thread),
	                      .name = map_text(texts, lane->name),
	                      .kind = lane->kind};
	struct lane_identity identity = {ident_value(mapped.process),
	                                 ident_value(mapped.thread),
	                                 mapped.host,
	                                 mapped.name,
	                                 mapped.kind,
	                                 (uint32_t)mapped.process.type * 4 +
	                                     (uint32_t)mapped.thread.type};
	uint32_t id =
	    intern_id(memory->lane_keys, (struct slice){(const char *)&identity, sizeof identity});

	if (id == memory->n_lanes) {
		mapped.name = mapped.name == TEXT_NONE ? lane_name(memory, &mapped) : mapped.name;
		MEM_GROW(memory->lanes, memory->lanes_capacity, memory->n_lanes + 1);
		memory->lanes[memory->n_lanes++] = mapped;
	}
	return id;
}

/* Every text of `from` in `to`; the codes there. */
static uint32_t *
unite(struct intern *to, const struct intern *from)
{
	uint32_t n = intern_count(from);
	uint32_t *codes = xrealloc_array(NULL, (size_t)n + 1, sizeof *codes);

	for (uint32_t code = 0; code < n; code++) {
		codes[code] = intern_id(to, intern_text(from, code));
	}
	return codes;
}

static struct slice *
all_texts(const struct intern *intern)
{
	uint32_t n = intern_count(intern);
	struct slice *texts = xrealloc_array(NULL, (size_t)n + 1, sizeof *texts);

	for (uint32_t code = 0; code < n; code++) {
		texts[code] = intern_text(intern, code);
	}
	return texts;
}

static void
add_sources(struct memory_dataset *memory, struct intern *const *dictionaries,
            struct intern *const *keys, const struct lane *const *lanes, const uint32_t *n_lanes,
            uint32_t n_sources)
{
	memory->sources = xcalloc((size_t)n_sources + 1, sizeof *memory->sources);
	memory->maps = xcalloc((size_t)n_sources + 1, sizeof *memory->maps);
	for (uint32_t i = 0; i < n_sources; i++) {
		struct memory_source *maps = &memory->maps[i];
		maps->texts = unite(memory->texts, dictionaries[i]);
		maps->keys = unite(memory->keys, keys[i]);
		maps->n_keys = intern_count(keys[i]);
		maps->lanes = xrealloc_array(NULL, (size_t)n_lanes[i] + 1, sizeof *maps->lanes);
		for (uint32_t lane = 0; lane < n_lanes[i]; lane++) {
			maps->lanes[lane] = add_lane(memory, &lanes[i][lane], maps->texts);
		}
		memory->sources[i] = (struct dataset_source){
		    maps->texts, maps->lanes, intern_count(dictionaries[i]), n_lanes[i]};
	}
	memory->text_slices = all_texts(memory->texts);
	memory->key_slices = all_texts(memory->keys);
	memory->dataset.texts = memory->text_slices;
	memory->dataset.n_texts = intern_count(memory->texts);
	memory->dataset.keys = memory->key_slices;
	memory->dataset.n_keys = intern_count(memory->keys);
	memory->dataset.lanes = memory->lanes;
	memory->dataset.n_lanes = (uint32_t)memory->n_lanes;
	memory->dataset.sources = memory->sources;
	memory->dataset.n_sources = n_sources;
}

static int
compare_blocks(const void *left, const void *right)
{
	const struct block_info *a = &(*(struct block *const *)left)->info,
				*b = &(*(struct block *const *)right)->info;

	ORDER_BY(a->kind, b->kind);
	ORDER_BY(a->source, b->source);
	return ORDER(a->sequence, b->sequence);
}

static int64_t
add_blob(struct memory_dataset *memory, struct slice bytes)
{
	MEM_GROW(memory->blobs, memory->blobs_capacity, memory->n_blobs + 1);
	memory->blobs[memory->n_blobs++] = bytes;
	return (int64_t)memory->n_blobs;
}

static void
finish_block(struct memory_dataset *memory, struct block *block)
{
	struct block_info *info = &block->info;

	for (uint32_t i = 0; i < info->n_columns; i++) {
		struct column_info *column = &info->columns[i];
		column->blob_id =
		    add_blob(memory, (struct slice){block->bytes.data + block->offsets[i],
		                                    column->blob_bytes});
		if (column->field == FIELD_START) {
			column_shift(column, (int64_t)(0 - (uint64_t)memory->origin_ns));
		}
	}
	info->start_min = time_sub(info->start_min, memory->origin_ns);
	info->start_max = time_sub(info->start_max, memory->origin_ns);
	info->end_max = time_sub(info->end_max, memory->origin_ns);
	block_info_remap(info, memory->maps[info->source].keys, memory->maps[info->source].n_keys);
}

static void
add_blocks(struct memory_dataset *memory)
{
	struct dataset *dataset = &memory->dataset;
	int64_t origin = INT64_MAX, end = INT64_MIN;

	for (size_t i = 0; i < memory->n_blocks; i++) {
		const struct block_info *info = &memory->blocks[i]->info;
		origin = info->start_min < origin ? info->start_min : origin;
		end = info->end_max > end ? info->end_max : end;
		dataset->n_blocks[info->kind]++;
	}
	memory->origin_ns = memory->n_blocks ? origin : 0;
	dataset->duration_ns = memory->n_blocks ? time_sub(end, origin) : 0;
	qsort(memory->blocks, memory->n_blocks, sizeof *memory->blocks, compare_blocks);
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		memory->infos[kind] =
		    xcalloc(dataset->n_blocks[kind] + 1, sizeof *memory->infos[kind]);
		dataset->blocks[kind] = memory->infos[kind];
		dataset->n_blocks[kind] = 0;
	}
	for (size_t i = 0; i < memory->n_blocks; i++) {
		struct block_info *info = &memory->blocks[i]->info;
		finish_block(memory, memory->blocks[i]);
		info->first_id = dataset->n_rows[info->kind] + 1;
		dataset->n_rows[info->kind] += info->n_rows;
		memory->infos[info->kind][dataset->n_blocks[info->kind]++] = *info;
		info->columns = NULL; /* the copy's now */
		info->n_columns = 0;
	}
}

static int
memory_fetch(void *user, int64_t blob_id, void *buffer, size_t bytes, struct err *err)
{
	const struct memory_dataset *memory = user;

	if (blob_id < 1 || (uint64_t)blob_id > memory->n_blobs ||
	    memory->blobs[blob_id - 1].len != bytes) {
		return err_set(err, ERR_INTERNAL, "no such column");
	}
	memcpy(buffer, memory->blobs[blob_id - 1].ptr, bytes);
	return 0;
}

struct memory_dataset *
memory_dataset_new(struct block **blocks, size_t n_blocks, struct intern *const *dictionaries,
                   struct intern *const *keys, const struct lane *const *lanes,
                   const uint32_t *n_lanes, uint32_t n_sources)
{
	struct memory_dataset *memory = xcalloc(1, sizeof *memory);
	struct err ignored = ERR_INIT; /* there is no text that could be wrong */

	memory->dataset.classes = memory->classes = path_classes_new(NULL, &ignored);
	memory->arena = arena_new();
	memory->texts = intern_new();
	memory->keys = intern_new();
	memory->lane_keys = intern_new();
	add_sources(memory, dictionaries, keys, lanes, n_lanes, n_sources);
	memory->blocks = xrealloc_array(NULL, n_blocks + 1, sizeof(struct block *));
	memcpy(memory->blocks, blocks, n_blocks * sizeof(struct block *));
	memory->n_blocks = n_blocks;
	add_blocks(memory);
	memory->dataset.fetch = memory_fetch;
	memory->dataset.user = memory;
	return memory;
}

const struct dataset *
memory_dataset_get(const struct memory_dataset *memory)
{
	return &memory->dataset;
}

int64_t
memory_dataset_origin(const struct memory_dataset *memory)
{
	return memory->origin_ns;
}

int
memory_dataset_attach(void *user, uint32_t source, uint32_t sequence, struct column_info *columns,
                      const size_t *offsets, uint32_t n, struct slice bytes)
{
	struct memory_dataset *memory = user;

	for (size_t b = 0; b < memory->dataset.n_blocks[BLOCK_SPAN]; b++) {
		struct block_info *info = &memory->infos[BLOCK_SPAN][b];
		if (info->source != source || info->sequence != sequence) {
			continue;
		}
		info->columns = xrealloc_array(info->columns, (size_t)info->n_columns + n,
		                               sizeof *info->columns);
		for (uint32_t i = 0; i < n; i++) {
			const char *copy = arena_copy(memory->arena, bytes.ptr + offsets[i],
			                              columns[i].blob_bytes);
			columns[i].blob_id =
			    add_blob(memory, (struct slice){copy, columns[i].blob_bytes});
			info->columns[info->n_columns++] = columns[i];
		}
		block_info_remap(info, NULL, 0); /* sorts */
		return 0;
	}
	return -1;
}

void
memory_dataset_free(struct memory_dataset *memory)
{
	if (!memory) {
		return;
	}
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		for (size_t i = 0; i < memory->dataset.n_blocks[kind]; i++) {
			free(memory->infos[kind][i].columns);
		}
		free(memory->infos[kind]);
	}
	for (size_t i = 0; i < memory->n_blocks; i++) {
		block_free(memory->blocks[i]);
	}
	for (uint32_t i = 0; i < memory->dataset.n_sources; i++) {
		free(memory->maps[i].texts);
		free(memory->maps[i].lanes);
		free(memory->maps[i].keys);
	}
	path_classes_free(memory->classes);
	free(memory->blocks);
	free(memory->maps);
	free(memory->sources);
	free(memory->blobs);
	free(memory->lanes);
	free(memory->text_slices);
	free(memory->key_slices);
	intern_free(memory->texts);
	intern_free(memory->keys);
	intern_free(memory->lane_keys);
	arena_free(memory->arena);
	free(memory);
}
