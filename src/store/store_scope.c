/*
 * Setting a connection's scope: all of it, or nothing. Users may not make views, so the authorizer
 * is out of the way meanwhile.
 */
#include "config.h"
#include "store/store_private.h"

#include "store/reader.h"
#include "util/intern.h"

/* Functions that the views use. */
static void
lane_in_scope(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct run_reader *reader = sqlite3_user_data(context);
	sqlite3_int64 lane = sqlite3_value_int64(argv[0]);
	bool is_lane = sqlite3_value_type(argv[0]) == SQLITE_INTEGER && lane >= 0 &&
	               lane < reader->dataset.n_lanes;

	(void)argc;
	sqlite3_result_int(context, is_lane && reader->lanes_in_scope[lane]);
}

static void
text_code_of(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct run_reader *reader = sqlite3_user_data(context);
	struct index *index = &reader->code_of_text;
	const struct slice *texts = reader->dataset.texts;
	struct slice text = {(const char *)sqlite3_value_text(argv[0]),
	                     (size_t)sqlite3_value_bytes(argv[0])};
	uint32_t found;

	(void)argc;
	if (index->n == 0) {
		for (uint32_t i = 0; i < reader->dataset.n_texts; i++) {
			index_add(index, hash_bytes(texts[i].ptr, texts[i].len, 0), i);
		}
	}
	INDEX_FIND(found, index, hash_bytes(text.ptr, text.len, 0),
	           slice_equal(texts[found], text));
	if (found != INDEX_NONE && text.ptr) {
		sqlite3_result_int64(context, found);
	}
}

static int
add_functions(struct store *store)
{
	const int flags = SQLITE_UTF8 | FLAG_INNOCUOUS;
	int result = sqlite3_create_function_v2(store->db, "lane_in_scope", 1, flags, store->reader,
	                                        lane_in_scope, NULL, NULL, NULL);

	return result == SQLITE_OK
	           ? sqlite3_create_function_v2(store->db, "text_code_of", 1, flags, store->reader,
	                                        text_code_of, NULL, NULL, NULL)
	           : result;
}

int
store_set_scope(struct store *store, const struct scope *scope, struct err *err)
{
	static const struct scope all;
	struct scope before = store->scope;
	struct err again = ERR_INIT;

	scope = scope ? scope : &all;
	if (scope_equal(scope, &before)) {
		return 0;
	}
	if (!store_dataset(store, err) || run_reader_set_scope(store->reader, scope, err)) {
		return -1;
	}
	scope_copy(&store->scope, scope);
	sqlite3_set_authorizer(store->db, NULL, NULL);
	int result = add_functions(store);
	int rc = result == SQLITE_OK ? store_show(store, err)
	                             : err_of_file(store->db, result, store->path, err);
	if (rc) {
		scope_free(&store->scope);
		store->scope = before;
		(void)run_reader_set_scope(store->reader, &before, &again);
	} else {
		scope_free(&before);
	}
	store_set_cancel(store, store->cancel); /* its progress handler was out of the way, too */
	store_guard(store);
	return rc;
}
