/* What the verdict tells of two schedules, as a test reads it. */
#ifndef LANESCOPE_TESTS_CAUSES_FIXTURE_H
#define LANESCOPE_TESTS_CAUSES_FIXTURE_H

#include "explain/parts/parts.h"
#include "explain_fixture.h"

struct told {
	size_t n;
	struct told_cause {
		char cause[32], slice[160], sentence[240], against[240]; /* empty where NULL */
		double makespan, low, high, lane_time, lane_low, lane_high, chance;
	} cause[8];
	char note[1000];
};

static inline void
told_text(const struct result *result, size_t row, const char *column, char *out, size_t size)
{
	out[0] = 0;
	for (size_t c = 0; c < result->n_columns; c++) {
		const struct value *value = result_value(result, row, c);
		if (strcmp(result->columns[c].name, column) == 0 && value->type == VALUE_TEXT) {
			snprintf(out, size, "%.*s", (int)value->text.len, value->text.ptr);
		}
	}
}

/* The first rows of B beside A; their order is that of their ranks. Frees neither schedule. */
static inline struct told
told_of(struct schedule *a, struct schedule *b)
{
	struct told told = {0};
	struct result *result = made_explain(&explain_causes, a, b, NULL);
	ck_assert_ptr_nonnull(result);
	told.n = result->n_rows;
	for (size_t row = 0; row < told.n && row < COUNT_OF(told.cause); row++) {
		struct told_cause *cause = &told.cause[row];
		ck_assert_double_eq(made_number(result, row, "rank"), (double)row + 1);
		told_text(result, row, "cause", cause->cause, sizeof cause->cause);
		told_text(result, row, "slice", cause->slice, sizeof cause->slice);
		told_text(result, row, "sentence", cause->sentence, sizeof cause->sentence);
		told_text(result, row, "against", cause->against, sizeof cause->against);
		cause->makespan = made_number(result, row, "makespan");
		cause->low = made_number(result, row, "makespan_low");
		cause->high = made_number(result, row, "makespan_high");
		cause->lane_time = made_number(result, row, "lane_time");
		cause->lane_low = made_number(result, row, "lane_time_low");
		cause->lane_high = made_number(result, row, "lane_time_high");
		cause->chance = made_number(result, row, "chance");
		printf("# %zu %s %s: %s (%.1f ms, %.1f to %.1f; lanes %.1f) %s\n", row + 1,
		       cause->cause, cause->slice, cause->sentence, cause->makespan / 1e6,
		       cause->low / 1e6, cause->high / 1e6, cause->lane_time / 1e6, cause->against);
	}
	snprintf(told.note, sizeof told.note, "%s", result->n_notes ? result->notes[0] : "");
	result_free(result);
	return told;
}

#endif
