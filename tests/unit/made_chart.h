/* Charts of results that tests make up. */
#ifndef LANESCOPE_TESTS_MADE_CHART_H
#define LANESCOPE_TESTS_MADE_CHART_H

#include "chart/chart.h"
#include "tests/unit/unit.h"

static const struct result_column task_columns[] = {
    COLUMN_KEY("name", NULL), COLUMN_KEY("host", NULL),
    COLUMN_MEASURE("total", KIND_DURATION, NULL), COLUMN_MEASURE("calls", KIND_COUNT, NULL)};

static inline struct value
text(const char *text)
{
	return (struct value){.type = VALUE_TEXT, .text = slice_of(text)};
}

static inline struct chart *
plot(const struct result *result, enum chart_kind kind, const char *x, const char *y,
     const char *series)
{
	struct err err = ERR_INIT;
	struct chart_wish wish = {true, kind, x, y, series, NULL, 0};
	struct chart *chart = chart_new(result, &wish, &err);

	ck_assert_msg(chart != NULL, "%s", err.message);
	return chart;
}

#endif
