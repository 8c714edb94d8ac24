/* An answer as bytes, from the process that made it to the one that puts answers together. */
#include "config.h"
#include "query/saved/query.h"

#include <stdlib.h>

#include "util/pack.h"

static void
pack_column(struct pack *pack, struct arena *arena, struct result_column *column)
{
	uint32_t kind = column->kind, better = column->better, sums = column->sums;

	pack_kept_string(pack, arena, &column->name);
	pack_small(pack, &kind);
	pack_flag(pack, &column->is_measure);
	pack_flag(pack, &column->is_key);
	pack_small(pack, &better);
	pack_flag(pack, &column->is_lead);
	pack_flag(pack, &column->absent_is_zero);
	pack_small(pack, &sums);
	pack_kept_string(pack, arena, &column->about);
	pack_kept_string(pack, arena, &column->unit);
	pack->failed |=
	    !column->name || kind >= COLUMN_KINDS || better > BETTER_HIGHER || sums > SUMS_REL_TO_B;
	column->kind = pack->failed ? KIND_TEXT : kind;
	column->better = pack->failed ? BETTER_NONE : better;
	column->sums = pack->failed ? SUMS_BY_NAME : sums;
}

static void
pack_value(struct pack *pack, struct result *result, struct value *value)
{
	uint32_t type = value->type;
	struct slice text = {"", 0};

	pack_small(pack, &type);
	switch ((enum value_type)type) {
	case VALUE_NULL:
		break;
	case VALUE_INTEGER:
		pack_signed(pack, &value->integer);
		break;
	case VALUE_REAL:
		pack_real(pack, &value->real);
		break;
	case VALUE_TEXT:
	case VALUE_BLOB:
		text = pack->is_reading ? text : value->text;
		pack_slice(pack, &text);
		if (pack->is_reading) {
			value->text = result_keep_text(result, text);
		}
		break;
	default:
		pack->failed = true;
	}
	value->type = pack->failed ? VALUE_NULL : type;
}

static void
pack_rows(struct pack *pack, struct result *result)
{
	uint64_t n_rows = result->n_rows;

	pack_unsigned(pack, &n_rows);
	for (uint64_t row = 0; row < n_rows && !pack->failed; row++) {
		pack_break(pack);
		struct value *values =
		    pack->is_reading ? result_add_row(result) : result_value(result, row, 0);
		for (size_t column = 0; column < result->n_columns; column++) {
			struct value value = values[column];
			pack_value(pack, result, &value);
			values[column] = value;
		}
	}
}

static void
pack_notes(struct pack *pack, struct result *result)
{
	uint64_t n = result->n_notes;

	pack_unsigned(pack, &n);
	for (uint64_t i = 0; i < n && !pack->failed; i++) {
		const char *note = pack->is_reading ? NULL : result->notes[i];
		bool is_of_scope = !pack->is_reading && note == result->out_of_scope;
		pack_break(pack);
		pack_kept_string(pack, result->arena, &note);
		pack_flag(pack, &is_of_scope);
		if (!pack->is_reading || !note) {
			continue;
		}
		result_add_note(result, "%s", note);
		if (is_of_scope) {
			result->out_of_scope = result->notes[result->n_notes - 1];
		}
	}
}

struct result *
result_pack(struct pack *pack, struct result *result)
{
	struct arena *arena = arena_new();
	struct result_column *columns = pack->is_reading ? NULL : result->columns;
	const char *title = pack->is_reading ? NULL : result->title;
	size_t n = pack->is_reading ? 0 : result->n_columns, capacity = 0;
	uint64_t n_columns = n;

	pack_break(pack);
	pack_kept_string(pack, arena, &title);
	pack_unsigned(pack, &n_columns);
	for (uint64_t i = 0; i < n_columns && !pack->failed; i++) {
		if (pack->is_reading) {
			MEM_GROW(columns, capacity, (size_t)i + 1);
			columns[i] = (struct result_column){0};
			n = (size_t)i + 1;
		}
		pack_column(pack, arena, &columns[i]);
	}
	if (pack->is_reading) {
		result = result_new(title, columns, pack->failed ? 0 : n);
		free(columns);
	}
	pack_rows(pack, result);
	pack_notes(pack, result);
	arena_free(arena);
	return result;
}
