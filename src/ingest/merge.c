/*
 * Texts come first and in the order of (source, code), so the run's codes depend on nothing but the
 * input. A symbol that its own source defines takes that text at once; the others wait until all
 * sources are in, as the definition may stand in any of them: first by (scope, symbol), then by
 * symbol alone, the first definition winning each time; what nobody defined is called by its
 * symbol.
 */
#include "config.h"
#include "ingest/merge.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

void
merge_init(struct merge *merge, struct spill *texts)
{
	*merge = (struct merge){.texts = intern_new_spilled(texts),
	                        .keys = intern_new(),
	                        .scopes = intern_new(),
	                        .names = intern_new()};
}

void
merge_fini(struct merge *merge)
{
	intern_free(merge->texts);
	intern_free(merge->keys);
	intern_free(merge->scopes);
	intern_free(merge->names);
	free(merge->scoped_text);
	free(merge->named_text);
	lane_list_free(&merge->lanes);
	*merge = (struct merge){0};
}

/* Id of key in `intern`, with a place in the array of definitions beside it. */
static uint32_t
symbol_id(struct intern *intern, struct slice key, uint32_t **definitions, size_t *capacity)
{
	uint32_t n = intern_count(intern);
	uint32_t id = intern_id(intern, key);

	if (id == n) {
		*definitions =
		    mem_grow(*definitions, capacity, (size_t)n + 1, sizeof **definitions);
		(*definitions)[n] = TEXT_NONE;
	}
	return id;
}

static uint32_t *
new_map(uint32_t n)
{
	return xrealloc_array(NULL, (size_t)n + 1, sizeof(uint32_t));
}

/* Marks the codes that have no text of their own. */
static bool *
mark_textless(const struct source *source)
{
	bool *marks = xcalloc((size_t)source->n_texts + 1, sizeof *marks);

	for (size_t i = 0; i < source->n_symbols; i++) {
		if (source->symbols[i].code != TEXT_NONE) {
			marks[source->symbols[i].code] = true;
		}
	}
	for (size_t i = 0; i < source->n_told_texts; i++) {
		marks[source->told_texts[i].code] = true;
	}
	return marks;
}

/* The first source's texts, where each has its own code, are the run's: with a million names there
 * is no room for two dictionaries. */
static void
take_texts(struct merge *merge, struct source *source)
{
	struct intern *empty = merge->texts;

	merge->texts = source->texts;
	source->texts = empty;
	for (uint32_t code = 0; code < source->n_texts; code++) {
		source->text_map[code] = code;
	}
}

static void
merge_texts(struct merge *merge, struct source *source)
{
	source->n_texts = intern_count(source->texts);
	source->text_map = new_map(source->n_texts);
	if (intern_count(merge->texts) == 0 && source->n_symbols == 0 &&
	    source->n_told_texts == 0 && source->n_untold == 0) {
		take_texts(merge, source);
		return;
	}
	bool *is_textless = mark_textless(source);
	for (uint32_t code = 0; code < source->n_texts; code++) {
		source->text_map[code] =
		    is_textless[code] ? TEXT_NONE
				      : intern_id(merge->texts, intern_text(source->texts, code));
	}
	for (size_t i = 0; i < source->n_told_texts; i++) {
		const struct told_text *told = &source->told_texts[i];
		source->text_map[told->code] = source->text_map[told->text];
	}
	free(is_textless);
}

static void
add_pending(struct source *source, uint32_t code, uint32_t scoped)
{
	MEM_GROW(source->pending, source->pending_capacity, source->n_pending + 1);
	source->pending[source->n_pending++] = (struct pending_symbol){code, scoped};
}

static void
merge_symbols(struct merge *merge, struct source *source)
{
	for (uint32_t i = 0; i < source->n_symbols; i++) {
		const struct symbol *symbol = &source->symbols[i];
		struct slice key = intern_text(source->scopes, i);
		uint32_t scoped =
		    symbol_id(merge->scopes, key, &merge->scoped_text, &merge->scoped_capacity);
		uint32_t named = symbol_id(merge->names, symbol_of_key(key), &merge->named_text,
		                           &merge->named_capacity);
		if (symbol->definition == TEXT_NONE) {
			if (symbol->code != TEXT_NONE) {
				add_pending(source, symbol->code, scoped);
			}
			continue;
		}
		uint32_t text = source->text_map[symbol->definition];
		if (merge->scoped_text[scoped] == TEXT_NONE) {
			merge->scoped_text[scoped] = text;
		}
		if (merge->named_text[named] == TEXT_NONE) {
			merge->named_text[named] = text;
		}
		if (symbol->code != TEXT_NONE) {
			source->text_map[symbol->code] = text;
		}
	}
}

void
merge_source(struct merge *merge, struct source *source)
{
	merge_texts(merge, source);
	merge_symbols(merge, source);
	source->n_keys = intern_count(source->keys);
	source->key_map = new_map(source->n_keys);
	for (uint32_t key = 0; key < source->n_keys; key++) {
		source->key_map[key] = intern_id(merge->keys, intern_text(source->keys, key));
	}
	source_forget_texts(source);
}

static void
resolve_pending(struct merge *merge, struct source *source)
{
	for (size_t i = 0; i < source->n_pending; i++) {
		const struct pending_symbol *pending = &source->pending[i];
		struct slice name = symbol_of_key(intern_text(merge->scopes, pending->scoped));
		uint32_t text = merge->scoped_text[pending->scoped];
		if (text == TEXT_NONE) {
			text = merge->named_text[intern_find(merge->names, name)];
		}
		if (text == TEXT_NONE) {
			text = intern_id(merge->texts, name);
			source->n_unresolved++;
		}
		source->text_map[pending->code] = text;
	}
}

/* ---- lanes ---- */

static struct ident
map_ident(const uint32_t *texts, struct ident ident)
{
	if (ident.type == IDENT_TEXT) {
		ident.text = texts[ident.text];
	}
	return ident;
}

static void
print_ident(const struct merge *merge, struct strbuf *name, struct ident ident)
{
	if (ident.type == IDENT_INTEGER) {
		strbuf_printf(name, "%" PRId64, ident.integer);
	} else if (ident.type == IDENT_TEXT) {
		struct slice text = intern_text(merge->texts, ident.text);
		strbuf_add_slice(name, text);
	}
}

/* What a lane without a name is called: process/thread, or what there is of it. */
static uint32_t
made_up_name(struct merge *merge, const struct lane *lane)
{
	struct strbuf name = {0};

	print_ident(merge, &name, lane->process);
	if (lane->process.type != IDENT_NONE && lane->thread.type != IDENT_NONE) {
		strbuf_add_char(&name, '/');
	}
	print_ident(merge, &name, lane->thread);
	if (name.len == 0) {
		strbuf_add_text(&name, lane_kind_name(lane->kind));
	}
	uint32_t code = intern_id(merge->texts, strbuf_slice(&name));
	strbuf_free(&name);
	return code;
}

static uint32_t
merge_lane(struct merge *merge, struct lane lane, const uint32_t *texts)
{
	lane.host = map_code(texts, lane.host);
	lane.process = map_ident(texts, lane.process);
	lane.thread = map_ident(texts, lane.thread);
	lane.name = map_code(texts, lane.name);
	return lane_list_id(&merge->lanes, &lane);
}

/* The first source's lanes become the run's where they stand: none is written before it is read. */
static void
merge_lanes(struct merge *merge, struct source *source)
{
	struct lane_list lanes = source->lanes;
	bool is_first = !merge->lanes.lanes;

	source->lanes = (struct lane_list){0};
	if (is_first) {
		merge->lanes.lanes = lanes.lanes;
		merge->lanes.capacity = lanes.capacity;
	}
	source->n_lanes = (uint32_t)lanes.n;
	source->lane_map = new_map(source->n_lanes);
	for (size_t i = 0; i < lanes.n; i++) {
		source->lane_map[i] = merge_lane(merge, lane_list_at(&lanes, i), source->text_map);
	}
	lanes.lanes = is_first ? NULL : lanes.lanes;
	lane_list_free(&lanes);
}

void
merge_finish(struct merge *merge, struct source *sources, uint32_t n_sources)
{
	for (uint32_t i = 0; i < n_sources; i++) {
		resolve_pending(merge, &sources[i]);
	}
	for (uint32_t i = 0; i < n_sources; i++) {
		merge_lanes(merge, &sources[i]);
	}
	index_free(&merge->lanes.index);
	for (size_t i = 0; i < merge->lanes.n; i++) {
		struct lane lane = lane_list_at(&merge->lanes, i);
		if (lane.name == TEXT_NONE) {
			lane_list_rename(&merge->lanes, i, made_up_name(merge, &lane));
		}
	}
}
