/*
 * Filters: a condition on rows, compiled once for a run, evaluated on the chunks of a block loop.
 *
 *   condition := conjunction { OR conjunction }        conjunction := negation { AND negation }
 *   negation := NOT negation | '(' condition ')' | predicate
 *   predicate := COLUMN ( = | == | <> | != | < | <= | > | >= ) value
 *              | COLUMN [NOT] IN '(' [ value { ',' value } ] ')'
 *              | COLUMN [NOT] BETWEEN value AND value
 *              | COLUMN [NOT] LIKE value [ ESCAPE value ] | COLUMN [NOT] GLOB value | COLUMN [NOT]
 *              REGEXP value
 *              | COLUMN IS [NOT] NULL
 *   value := [+|-] NUMBER [UNIT] | 'text' | "text" | e'text' | WORD | ?1 ... ?8 | NULL
 *
 * Words are case-insensitive; a quote inside a text is doubled; in e'...' a backslash writes any
 * byte (util/quote.h); a WORD, which no operator is called, is a text up to the next blank, comma
 * or ")". Columns are those that scan.h lists, arg.KEY, arg."any key". Conditions on duration, self
 * and size are about calls (filter_calls.c); on record_duration, record_self and record_size about
 * rows. SQL's rules: three-valued logic, numbers before texts, texts by bytes, LIKE ignores ASCII
 * case, GLOB does not; no affinity: 5 and '5' differ (but arg.KEY of a JSON text that is an integer
 * is equal to both). A text given for a column that holds only numbers is read as a number with an
 * optional unit, or refused. REGEXP is util/regex.h's, found anywhere in the text.
 *
 * Use: compile, bind to the fields of a loop, make a state for each thread, give the loop that of
 * the calling one to leave out blocks by, filter_chunk in `scan`.
 * Used by column/ops, explain/parts, export, query/spans, store.
 */
#ifndef LANESCOPE_COLUMN_SCAN_FILTER_H
#define LANESCOPE_COLUMN_SCAN_FILTER_H

#include "column/scan/blockloop.h"
#include "column/scan/scan.h"

struct filter;
/* text NULL or blank: every row that is in the dataset's scope, as always. The dataset is borrowed;
 * text and parameters are not kept. NULL on error: ERR_QUERY with the position, what was found and
 * what is allowed; ERR_LIMIT. parameters NULL: the text may have none. */
struct filter *filter_compile(const struct dataset *dataset, enum block_kind kind, const char *text,
                              const struct scan_value parameters[SCAN_PARAMETERS], struct err *err);
void filter_free(struct filter *filter); /* takes NULL */
/* Tries a condition on spans without a run, and without parameters. -1: what is wrong with it. */
int filter_check(const char *text, struct err *err);
/* Adds the fields that it reads to the loop's and remembers their slots. Returns how many of the
 * loop's are worth sifting by (block_loop.n_sift), those of names, categories, lanes and sizes, if
 * there were none before. */
size_t filter_bind(struct filter *filter, struct block_fields *fields);

/* What one thread needs to evaluate a filter (pattern matchers, scratch). The filter must outlive
 * it. */
struct filter_state;
struct filter_state *filter_state_new(const struct filter *filter);
void filter_state_free(struct filter_state *state); /* takes NULL */

/* What the metadata of a block tell: no row matches, some may, all do. */
enum filter_verdict { FILTER_NONE, FILTER_SOME, FILTER_ALL };
enum filter_verdict filter_prune(struct filter_state *state, const struct block_info *block);

/* The same of an opened block (or being sifted), with what its columns of few values tell. */
enum filter_verdict filter_open(struct filter_state *state, struct block_view *view);

/* Sets the bits of the matching rows of the view's chunk (bits from view->n on are 0); returns how
 * many match. */
uint32_t filter_chunk(struct filter_state *state, struct block_view *view,
                      uint64_t matches[CHUNK_WORDS]);

bool filter_takes_all(const struct filter *filter); /* without looking */
/* Are name, category and lane all that it asks of a row? Then it can be asked of a total. */
bool filter_fits_totals(const struct filter *filter);
bool filter_is_of_lanes(const struct filter *filter); /* or is lane all? */
bool filter_accepts_total(struct filter_state *state, const struct dataset_total *total);

#endif
