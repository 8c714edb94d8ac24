#include "config.h"
#include "import/shared.h"

#include <math.h>
#include <stdio.h>

#include "util/order.h"

int
import_tell(struct sink *sink, struct problem *problem, struct strbuf *reason)
{
	problem->reason = reason->data;
	int stop = sink_problem(sink, problem);
	strbuf_free(reason);
	return stop;
}

int
import_tag(struct sink *sink, const char *key, const char *value)
{
	return sink_tag_texts(sink, TEXT_NONE, slice_of(key), slice_of(value));
}

int
import_tag_no_zone(struct sink *sink, struct slice scope)
{
	return sink_tag_texts(sink, sink_text(sink, scope), slice_of("zone"),
	                      slice_of("not recorded"));
}

int
import_tag_count(struct sink *sink, const char *key, size_t count)
{
	char number[32];

	snprintf(number, sizeof number, "%zu", count);
	return import_tag(sink, key, number);
}

bool
import_is_one_of(struct slice text, const char *const *names)
{
	for (; *names; names++) {
		if (slice_is(text, *names)) {
			return true;
		}
	}
	return false;
}

void
import_fill_number(struct arg *arg, struct slice text, bool is_integer)
{
	uint64_t unsigned_value;

	arg->type = ARG_INTEGER;
	if (is_integer && !slice_is(text, "-0")) {
		if (slice_int64(text, &arg->integer)) {
			return;
		}
		if (slice_uint64(text, &unsigned_value)) {
			arg->type = ARG_UNSIGNED;
			arg->integer = (int64_t)unsigned_value;
			return;
		}
	} else if (slice_double(text, &arg->real) && isfinite(arg->real)) {
		arg->type = ARG_REAL;
		return;
	}
	arg->type = ARG_JSON; /* more digits than any machine type holds */
	arg->text = text;
}

int
import_compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return ORDER(x, y);
}
