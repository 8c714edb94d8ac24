/* A column is of numbers where all that stand in it are; else its numbers stay what they are, so
 * that they sort before the texts and as numbers. */
#include "config.h"
#include "query/saved/tag_columns.h"

#include <stdlib.h>

static bool
is_from_people(const struct run_tags *tags, size_t n_runs, const char *key)
{
	for (size_t i = 0; i < n_runs; i++) {
		const struct run_tag *tag = run_tags_find(&tags[i], key);
		if (tag && tag->origin != TAG_OF_TRACE) {
			return true;
		}
	}
	return false;
}

enum column_kind
tag_kind(const struct run_tags *tags, size_t n_runs, const char *key)
{
	enum column_kind kind = KIND_INTEGER;
	for (size_t i = 0; i < n_runs; i++) {
		const struct run_tag *tag = run_tags_find(&tags[i], key);
		struct value value;
		if (tag && !run_tag_number(tag, &value)) {
			return KIND_TEXT;
		}
		kind = tag && value.type == VALUE_REAL ? KIND_REAL : kind;
	}
	return kind;
}

static bool
has_key(const struct tag_columns *columns, const char *key)
{
	size_t i = name_find(slice_of(key), columns->keys, columns->n, sizeof *columns->keys);
	return i < columns->n;
}

void
tag_columns_add(struct tag_columns *columns, const struct run_tags *tags, size_t n_runs,
                bool of_traces, const struct result_column *beside, size_t n_beside)
{
	columns->arena = columns->arena ? columns->arena : arena_new();
	for (size_t i = 0; i < n_runs; i++) {
		for (size_t k = 0; k < tags[i].n; k++) {
			const char *key = tags[i].all[k].key;
			size_t at = columns->n;
			if (has_key(columns, key) ||
			    is_from_people(tags, n_runs, key) == of_traces) {
				continue;
			}
			bool is_taken = column_find(beside, n_beside, slice_of(key)) >= 0;
			MEM_GROW(columns->keys, columns->keys_capacity, at + 1);
			MEM_GROW(columns->columns, columns->capacity, at + 1);
			columns->keys[at] = key;
			columns->columns[columns->n++] = (struct result_column){
			    .name =
				arena_printf(columns->arena, "%s%s", is_taken ? "tag." : "", key),
			    .kind = tag_kind(tags, n_runs, key),
			    .is_key = true,
			    .about = "a tag of the run"};
		}
	}
}

void
tag_columns_values(const struct tag_columns *columns, size_t from, size_t n,
                   const struct run_tags *tags, struct result *result, struct value *row)
{
	for (size_t i = 0; i < n; i++) {
		const struct run_tag *tag = run_tags_find(tags, columns->keys[from + i]);
		row[i] = tag ? run_tag_value(result, tag) : (struct value){.type = VALUE_NULL};
	}
}

void
tag_columns_free(struct tag_columns *columns)
{
	free(columns->keys);
	free(columns->columns);
	arena_free(columns->arena);
}
