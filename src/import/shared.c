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

static bool
is_taken(uint32_t key, const uint32_t *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (keys[i] == key) {
			return true;
		}
	}
	return false;
}

uint32_t
import_field_key(struct sink *sink, struct slice name, size_t place, const char *own,
                 const uint32_t *keys, size_t n)
{
	struct strbuf by_place = {0};
	uint32_t key = 0;
	bool is_named = name.len > 0 && !(own && slice_is(name, own));

	if (is_named) {
		key = sink_key(sink, name);
		is_named = !is_taken(key, keys, n);
	}
	if (!is_named) {
		strbuf_printf(&by_place, "column %zu", place + 1);
		while (is_taken(key = sink_key(sink, strbuf_slice(&by_place)), keys, n)) {
			strbuf_add_char(&by_place, '\'');
		}
	}
	strbuf_free(&by_place);
	return key;
}

int
import_compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return ORDER(x, y);
}
