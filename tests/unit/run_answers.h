/* What tests of imports ask of run files, as text: columns by '|', a newline behind each row. */
#ifndef LANESCOPE_TESTS_RUN_ANSWERS_H
#define LANESCOPE_TESTS_RUN_ANSWERS_H

#include <stdlib.h>
#include <string.h>

#include "store/store.h"
#include "unit.h"
#include "util/mem.h"

static inline struct store *
open_run(const char *path)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(path, &err);
	ck_assert_msg(store != NULL, "%s", err.message);
	return store;
}

/* All rows of a statement. New. */
static inline char *
query(struct store *store, const char *sql)
{
	struct err err = ERR_INIT;
	struct strbuf out = {NULL, 0, 0};
	struct stmt *stmt = store_prepare(store, sql, &err);
	int more;

	ck_assert_msg(stmt != NULL, "%s: %s", sql, err.message);
	while ((more = stmt_step(stmt, &err)) == 1) {
		for (int i = 0; i < stmt_columns(stmt); i++) {
			struct slice text = stmt_text(stmt, i);
			strbuf_add_text(&out, i ? "|" : "");
			strbuf_add(&out, text.ptr, text.len);
		}
		strbuf_add_char(&out, '\n');
	}
	ck_assert_msg(more == 0, "%s: %s", sql, err.message);
	stmt_free(stmt);
	return strbuf_take(&out);
}

static inline void
expect(struct store *store, const char *sql, const char *expected)
{
	char *rows = query(store, sql);
	ck_assert_msg(strcmp(rows, expected) == 0, "%s:\n%s\nexpected:\n%s", sql, rows, expected);
	free(rows);
}

/* The same of a run file. */
static inline char *
answer(const char *run, const char *sql)
{
	struct store *store = open_run(run);
	char *rows = query(store, sql);
	store_close(store);
	return rows;
}

static inline void
expect_answer(const char *run, const char *sql, const char *expected)
{
	struct store *store = open_run(run);
	expect(store, sql, expected);
	store_close(store);
}

/* Two run files answer alike. */
static inline void
expect_same_answers(const char *run, const char *other, const char *const *statements, size_t n)
{
	struct store *stores[] = {open_run(run), open_run(other)};

	for (size_t i = 0; i < n; i++) {
		char *one = query(stores[0], statements[i]), *two = query(stores[1], statements[i]);
		ck_assert_msg(strcmp(one, two) == 0, "%s:\n%.700s---\n%.700s", statements[i], one,
		              two);
		free(one);
		free(two);
	}
	store_close(stores[0]);
	store_close(stores[1]);
}

#endif
