/*
 * Single rows as SQL values: one table says for each column its name, its type, and which of a
 * block's columns it needs, so that a query reads no others.
 */
#include "config.h"
#include "store/vtab.h"

#include "util/intervals.h"

#define BIT(field) (UINT64_C(1) << (field))

static const struct {
	const char *declaration;
	uint64_t fields;
} columns_of_rows[] = {
    [ROW_ID] = {"id INTEGER", 0},
    [ROW_START] = {"start INTEGER", BIT(FIELD_START)},
    [ROW_DURATION] = {"duration INTEGER", BIT(FIELD_DURATION)},
    [ROW_FINISH] = {"finish INTEGER", BIT(FIELD_START) | BIT(FIELD_DURATION)},
    [ROW_SELF] = {"self INTEGER", BIT(FIELD_DURATION) | BIT(FIELD_COVERED)},
    [ROW_DEPTH] = {"depth INTEGER", BIT(FIELD_DEPTH)},
    [ROW_PARENT] = {"parent INTEGER", BIT(FIELD_PARENT)},
    [ROW_LANE] = {"lane INTEGER", BIT(FIELD_LANE)},
    [ROW_LANE_NAME] = {"lane_name TEXT", BIT(FIELD_LANE)},
    [ROW_HOST] = {"host TEXT", BIT(FIELD_LANE)},
    [ROW_PROCESS] = {"process", BIT(FIELD_LANE)},
    [ROW_THREAD] = {"thread", BIT(FIELD_LANE)},
    [ROW_KIND] = {"kind TEXT", BIT(FIELD_LANE)},
    [ROW_NAME] = {"name TEXT", BIT(FIELD_NAME)},
    [ROW_CATEGORY] = {"category TEXT", BIT(FIELD_CATEGORY)},
    [ROW_PATH] = {"path TEXT", BIT(FIELD_PATH)},
    [ROW_PATH_CLASS] = {"class TEXT", BIT(FIELD_PATH)},
    [ROW_SIZE] = {"size INTEGER", BIT(FIELD_SIZE)},
    [ROW_CALLS] = {"calls INTEGER", BIT(FIELD_CALLS)},
    [ROW_CALL_SUM] = {"call_sum INTEGER",
                      BIT(FIELD_CALLS) | BIT(FIELD_CALL_SUM) | BIT(FIELD_DURATION)},
    [ROW_CALL_MIN] = {"call_min INTEGER", BIT(FIELD_CALLS) | BIT(FIELD_CALL_MIN)},
    [ROW_CALL_MAX] = {"call_max INTEGER", BIT(FIELD_CALLS) | BIT(FIELD_CALL_MAX)},
    [ROW_SIZE_MIN] = {"size_min INTEGER", BIT(FIELD_CALLS) | BIT(FIELD_SIZE_MIN)},
    [ROW_SIZE_MAX] = {"size_max INTEGER", BIT(FIELD_CALLS) | BIT(FIELD_SIZE_MAX)},
    [ROW_UNFINISHED] = {"unfinished INTEGER", BIT(FIELD_UNFINISHED)},
    [ROW_VALUE] = {"value REAL", BIT(FIELD_VALUE)},
    [ROW_SOURCE] = {"source INTEGER", 0},
    [ROW_ARGS] = {"args TEXT", 0},
};

static const enum row_column span_columns[] = {
    ROW_ID,         ROW_START,    ROW_DURATION,  ROW_FINISH,   ROW_SELF,       ROW_DEPTH,
    ROW_PARENT,     ROW_LANE,     ROW_LANE_NAME, ROW_HOST,     ROW_PROCESS,    ROW_THREAD,
    ROW_KIND,       ROW_NAME,     ROW_CATEGORY,  ROW_PATH,     ROW_PATH_CLASS, ROW_SIZE,
    ROW_CALLS,      ROW_CALL_SUM, ROW_CALL_MIN,  ROW_CALL_MAX, ROW_SIZE_MIN,   ROW_SIZE_MAX,
    ROW_UNFINISHED, ROW_SOURCE,   ROW_ARGS,
};
static const enum row_column event_columns[] = {
    ROW_ID,     ROW_START, ROW_LANE, ROW_LANE_NAME, ROW_HOST,   ROW_PROCESS,
    ROW_THREAD, ROW_KIND,  ROW_NAME, ROW_CATEGORY,  ROW_SOURCE, ROW_ARGS,
};
static const enum row_column counter_columns[] = {
    ROW_ID,     ROW_START, ROW_LANE, ROW_LANE_NAME, ROW_HOST,   ROW_PROCESS,
    ROW_THREAD, ROW_KIND,  ROW_NAME, ROW_VALUE,     ROW_SOURCE, ROW_ARGS,
};

#define SHAPE(array)                                                                               \
	{                                                                                          \
		array, sizeof(array) / sizeof((array)[0])                                          \
	}

struct row_shape
row_shape(enum block_kind kind)
{
	static const struct row_shape shapes[] = {
	    [BLOCK_SPAN] = SHAPE(span_columns),
	    [BLOCK_EVENT] = SHAPE(event_columns),
	    [BLOCK_COUNTER] = SHAPE(counter_columns),
	};
	return shapes[kind];
}

void
row_declare(enum block_kind kind, struct strbuf *columns)
{
	struct row_shape shape = row_shape(kind);
	for (int i = 0; i < shape.n; i++) {
		bool is_time = shape.columns[i] == ROW_START && kind != BLOCK_SPAN;
		strbuf_add_text(columns, i > 0 ? ", " : "");
		strbuf_add_text(columns, is_time ? "time INTEGER"
		                                 : columns_of_rows[shape.columns[i]].declaration);
	}
}

void
row_declare_alias(enum block_kind kind, struct strbuf *columns)
{
	if (kind != BLOCK_SPAN) {
		strbuf_add_text(columns, ", start INTEGER HIDDEN");
	}
}

uint64_t
row_fields(enum row_column column)
{
	return columns_of_rows[column].fields;
}

static void
result_ident(sqlite3_context *context, const struct dataset *dataset, struct ident ident)
{
	if (ident.type == IDENT_INTEGER) {
		sqlite3_result_int64(context, ident.integer);
	} else if (ident.type == IDENT_TEXT) {
		vtab_result_code(context, dataset, ident.text);
	}
}

static void
lane_result(sqlite3_context *context, const struct dataset *dataset, uint32_t number,
            enum row_column column)
{
	if (number >= dataset->n_lanes) {
		return;
	}
	const struct dataset_lane *lane = &dataset->lanes[number];
	switch (column) {
	case ROW_LANE:
		sqlite3_result_int64(context, number);
		break;
	case ROW_LANE_NAME:
		vtab_result_code(context, dataset, lane->name);
		break;
	case ROW_HOST:
		vtab_result_code(context, dataset, lane->host);
		break;
	case ROW_PROCESS:
		result_ident(context, dataset, lane->process);
		break;
	case ROW_THREAD:
		result_ident(context, dataset, lane->thread);
		break;
	default:
		vtab_result_text(context, slice_of(lane_kind_name(lane->kind)));
	}
}

static void
result_known(sqlite3_context *context, int64_t value, int64_t none)
{
	if (value != none) {
		sqlite3_result_int64(context, value);
	}
}

void
row_result(sqlite3_context *context, const struct dataset *dataset, const struct span_row *row,
           enum row_column column)
{
	switch (column) {
	case ROW_ID:
		sqlite3_result_int64(context, row->id);
		break;
	case ROW_START:
		sqlite3_result_int64(context, row->start_ns);
		break;
	case ROW_DURATION:
		sqlite3_result_int64(context, row->duration_ns);
		break;
	case ROW_FINISH:
		sqlite3_result_int64(context, time_add(row->start_ns, row->duration_ns));
		break;
	case ROW_SELF:
		sqlite3_result_int64(context, row->self_ns);
		break;
	case ROW_DEPTH:
		sqlite3_result_int64(context, row->depth);
		break;
	case ROW_PARENT:
		if (row->parent != 0) {
			sqlite3_result_int64(context, row->parent);
		}
		break;
	case ROW_LANE:
	case ROW_LANE_NAME:
	case ROW_HOST:
	case ROW_PROCESS:
	case ROW_THREAD:
	case ROW_KIND:
		lane_result(context, dataset, row->lane, column);
		break;
	case ROW_NAME:
		vtab_result_code(context, dataset, row->name);
		break;
	case ROW_CATEGORY:
		vtab_result_code(context, dataset, row->category);
		break;
	case ROW_PATH:
		vtab_result_code(context, dataset, row->path);
		break;
	case ROW_PATH_CLASS:
		if (row->path < dataset->n_texts) {
			vtab_result_text(context,
			                 dataset_class_of(dataset, dataset->texts[row->path]));
		}
		break;
	case ROW_SIZE:
		result_known(context, row->size_bytes, SIZE_NONE);
		break;
	case ROW_CALLS:
		sqlite3_result_int64(context, row->calls);
		break;
	case ROW_CALL_SUM:
		if (row->calls != 1) {
			sqlite3_result_int64(context, row->call_sum_ns);
		}
		break;
	case ROW_CALL_MIN:
		result_known(context, row->call_min_ns, TIME_NONE);
		break;
	case ROW_CALL_MAX:
		result_known(context, row->call_max_ns, TIME_NONE);
		break;
	case ROW_SIZE_MIN:
		result_known(context, row->size_min, SIZE_NONE);
		break;
	case ROW_SIZE_MAX:
		result_known(context, row->size_max, SIZE_NONE);
		break;
	case ROW_UNFINISHED:
		if (row->is_unfinished) {
			sqlite3_result_int64(context, 1);
		}
		break;
	case ROW_VALUE:
		sqlite3_result_double(context, row->value);
		break;
	case ROW_SOURCE:
		sqlite3_result_int64(context, row->source);
		break;
	case ROW_ARGS:
		break;
	}
}
