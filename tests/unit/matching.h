/* Which rows of a fixture a filter matches. */
#ifndef LANESCOPE_TESTS_MATCHING_H
#define LANESCOPE_TESTS_MATCHING_H

#include "unit/scan_fixture.h"

/* 1 for each row that matches, by id - 1 (free()); parameters may be NULL. NULL and *err on
 * error. */
unsigned char *matching_rows(struct fixture *fixture, enum block_kind kind, const char *text,
                             const struct scan_value *parameters, unsigned n_threads,
                             struct err *err);

#endif
