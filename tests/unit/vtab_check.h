/* The fixture of a test program, and statements over it that must give the same, a text, or an
 * error. */
#ifndef LANESCOPE_TESTS_VTAB_CHECK_H
#define LANESCOPE_TESTS_VTAB_CHECK_H

#include "tests/unit/vtab_fixture.h"

/* Filters that take all, some and no spans. */
static const char *const span_filters[] = {
    "",
    "duration > 100 AND calls = 1",
    "name = 'write'",
    "name IN ('read', 'open') OR depth = 1",
    "path LIKE '%npy' AND size IS NOT NULL",
    "NOT (category = 'POSIX')",
    "start >= 50000 AND lane <> 2",
    "name = 'nothing'",
};

static struct fixture fixture;

static inline void
setup(void)
{
	fixture_open(&fixture, 20260302);
}

static inline void
teardown(void)
{
	fixture_close(&fixture);
}

/* Both statements give the same rows, and (unless may_be_empty) some. */
static inline void
check_same(const char *sql, const char *plain)
{
	char *got = fixture_query(&fixture, sql), *expected = fixture_query(&fixture, plain);
	ck_assert_msg(strncmp(expected, "error", 5) != 0, "%s: %s", plain, expected);
	size_t same = 0;
	while (got[same] && got[same] == expected[same]) {
		same++;
	}
	size_t context = same > 60 ? same - 60 : 0;
	ck_assert_msg(strcmp(got, expected) == 0, "%s\n%s\n... %.160s\nnot ... %.160s", sql, plain,
	              got + context, expected + context);
	free(got);
	free(expected);
}

static inline void
check_text(const char *sql, const char *expected)
{
	char *got = fixture_query(&fixture, sql);
	ck_assert_msg(strcmp(got, expected) == 0, "%s: %s, not %s", sql, got, expected);
	free(got);
}

static inline void
check_error(const char *sql, const char *part)
{
	char *got = fixture_query(&fixture, sql);
	ck_assert_msg(strncmp(got, "error 1: ", 9) == 0 && strstr(got, part), "%s: %s, not %s", sql,
	              got, part);
	free(got);
}

/* Runs it, and frees it. */
static inline void
execute(char *sql)
{
	fixture_run(&fixture, sql);
	sqlite3_free(sql);
}

#endif
