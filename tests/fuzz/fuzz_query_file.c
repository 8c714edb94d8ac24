/* Saved queries, any text: a file that is refused is refused with a place, what is taken can be
 * shown, and its parameters take or refuse any value. */
#include "config.h"

#include "fuzz/fuzz.h"
#include "query/saved/query_file.h"
#include "util/mem.h"
#include "util/order.h"

static void
check_parameters(const struct saved_query *query, struct slice text)
{
	for (size_t i = 0; i < query->n_params; i++) {
		const struct query_param *param = &query->params[i];
		struct strbuf words = {0};
		struct err err = ERR_INIT;
		struct value value;
		int rc = query_param_value(param, (struct slice){text.ptr, LEAST(text.len, 9)},
		                           &value, &err);
		FUZZ_CHECK((rc == 0) == (err.code == ERR_NONE));
		query_allowed_print(param, &words);
		strbuf_free(&words);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct slice text = {(const char *)data, size};
	struct err err = ERR_INIT;
	const struct saved_query *query = query_file_parse(arena, "it", "it.sql", text, &err);

	FUZZ_CHECK(query ? err.code == ERR_NONE : strncmp(err.message, "it.sql:", 7) == 0);
	if (query) {
		struct run_info run = {.format = "cascade"};
		FUZZ_CHECK(query->title && query->sql);
		check_parameters(query, text);
		(void)query_needs_are_met(query->needs, &run);
	}
	arena_free(arena);
	return 0;
}
