/*
 * What a run must have for a saved query to have an answer: the words of the header's `needs:`.
 * Every word must hold; in a word, alternatives stand between bars. Counts are known of every run.
 * The rest is asked of its small tables (span_total, lane, trial ...), once for all queries of a
 * library that may fit, so that a list of queries costs one look at each table however many there
 * are.
 */
#include "config.h"

#include <stddef.h>
#include <string.h>

#include "query/saved/query.h"
#include "query/saved/query_file.h"

#define PATTERNS 32 /* of one kind, in one library */

/* What a run has how much of. */
static const struct {
	const char *word;
	size_t offset;
} counts[] = {
    {"spans", offsetof(struct run_info, n_spans)},
    {"events", offsetof(struct run_info, n_events)},
    {"counters", offsetof(struct run_info, n_counters)},
    {"tasks", offsetof(struct run_info, n_tasks)},
    {"transfers", offsetof(struct run_info, n_transfers)},
};
#define N_COUNTS COUNT_OF(counts)

static const struct {
	const char *word, *sql;
} facts[] = {
    {"capacity", "SELECT 1 FROM capacity LIMIT 1"},
    {"devices", "SELECT 1 FROM lane WHERE kind = 'device' LIMIT 1"},
    {"flows", "SELECT 1 FROM dependency WHERE type = 'span' LIMIT 1"},
    {"preemptions", "SELECT 1 FROM preemption LIMIT 1"},
    {"trials", "SELECT 1 FROM trial LIMIT 1"},
};
#define N_FACTS COUNT_OF(facts)

/* `name=PATTERN`: some span has it, or some lane. */
static const struct {
	const char *word, *column, *table;
} columns[] = {
    {"category", "category", "span_total"},
    {"lane", "name", "lane"},
    {"name", "name", "span_total"},
};
#define N_COLUMNS COUNT_OF(columns)

/* ---- words ---- */

/* Up to one of the ends, but for what stands in single quotes. */
static struct slice
take_until(struct slice *rest, const char *ends)
{
	struct slice item = {rest->ptr, 0};
	bool is_quoted = false;

	while (item.len < rest->len && (is_quoted || !strchr(ends, item.ptr[item.len]))) {
		is_quoted ^= item.ptr[item.len++] == '\'';
	}
	size_t n = item.len + (item.len < rest->len);
	*rest = slice_from(*rest, n);
	return item;
}

static bool
next_word(struct slice *rest, struct slice *word)
{
	*rest = slice_trim(*rest, " \t");
	*word = take_until(rest, " \t");
	return word->len > 0;
}

/* The pattern of `name='PATTERN'`, and which of the columns it is for; false if the item is no
 * such. */
static bool
split_pattern(struct slice item, size_t *column, struct slice *pattern)
{
	for (*column = 0; *column < N_COLUMNS; ++*column) {
		const char *word = columns[*column].word;
		size_t n = strlen(word);

		if (item.len > n + 1 && memcmp(item.ptr, word, n) == 0 && item.ptr[n] == '=') {
			*pattern = (struct slice){item.ptr + n + 1, item.len - n - 1};
			if (pattern->len >= 2 && pattern->ptr[0] == '\'' &&
			    pattern->ptr[pattern->len - 1] == '\'') {
				pattern->ptr++;
				pattern->len -= 2;
			}
			return pattern->len > 0 && !memchr(pattern->ptr, '\'', pattern->len);
		}
	}
	return false;
}

static bool
is_known(struct slice item)
{
	struct slice pattern;
	size_t column;

	return NAME_FIND(item, counts) < N_COUNTS || NAME_FIND(item, facts) < N_FACTS ||
	       split_pattern(item, &column, &pattern);
}

bool
query_needs_are_known(const char *needs, struct slice *unknown)
{
	struct slice rest = slice_of(needs), word;

	while (next_word(&rest, &word)) {
		*unknown = word;
		if (word.ptr[word.len - 1] == '|') {
			return false;
		}
		while (word.len > 0) {
			*unknown = take_until(&word, "|");
			if (!is_known(*unknown)) {
				return false;
			}
		}
	}
	return true;
}

/* ---- does a run have it? ---- */

/* Is the item one of the lines? */
static bool
is_line(const char *lines, struct slice item)
{
	for (size_t n; *lines; lines += n + (lines[n] == '\n')) {
		n = strcspn(lines, "\n");
		if (slice_equal((struct slice){lines, n}, item)) {
			return true;
		}
	}
	return false;
}

static bool
has_item(const struct run_info *run, struct slice item)
{
	size_t i = NAME_FIND(item, counts);
	if (i < N_COUNTS) {
		const char *count = (const char *)run + counts[i].offset;
		return *(const int64_t *)(const void *)count > 0;
	}
	return !run->has || is_line(run->has, item);
}

bool
query_needs_are_met(const char *needs, const struct run_info *run)
{
	struct slice rest = slice_of(needs ? needs : ""), word;

	while (next_word(&rest, &word)) {
		bool is_met = false;

		while (word.len > 0) {
			struct slice item = take_until(&word, "|");
			is_met = is_met || has_item(run, item);
		}
		if (!is_met) {
			return false;
		}
	}
	return true;
}

/* ---- asking a run ---- */

struct asking {
	struct store *store;
	struct strbuf asked, has;                /* items, a line each */
	struct slice items[N_COLUMNS][PATTERNS]; /* that ask for a pattern */
	size_t n_items[N_COLUMNS];
};

static void
add_line(struct strbuf *lines, struct slice item)
{
	strbuf_add_slice(lines, item);
	strbuf_add_char(lines, '\n');
}

static int
ask_fact(struct asking *asking, size_t fact, struct err *err)
{
	struct stmt *stmt = store_prepare(asking->store, facts[fact].sql, err);
	int row = stmt_step(stmt, err);

	if (row == 1) {
		add_line(&asking->has, slice_of(facts[fact].word));
	}
	stmt_free(stmt);
	return row < 0 ? -1 : 0;
}

/* Facts are asked at once, patterns put aside; of patterns above the limit it is said that they are
 * there. */
static int
ask_item(struct asking *asking, struct slice item, struct err *err)
{
	struct slice pattern;
	size_t column;

	if (asking->asked.len > 0 && is_line(asking->asked.data, item)) {
		return 0;
	}
	add_line(&asking->asked, item);
	size_t fact = NAME_FIND(item, facts);
	if (fact < N_FACTS) {
		return ask_fact(asking, fact, err);
	}
	if (split_pattern(item, &column, &pattern)) {
		if (asking->n_items[column] == PATTERNS) {
			add_line(&asking->has, item);
		} else {
			asking->items[column][asking->n_items[column]++] = item;
		}
	}
	return 0;
}

static int
ask_patterns(struct asking *asking, size_t column, struct err *err)
{
	struct strbuf sql = {0};
	struct slice pattern;
	size_t n = asking->n_items[column];

	if (n == 0) {
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(&sql, "%smax(s.text GLOB ?%zu)", i ? ", " : "SELECT ", i + 1);
	}
	/* Texts first: of millions of names few are asked for. */
	strbuf_printf(
	    &sql,
	    " FROM (SELECT DISTINCT %s AS id FROM %s WHERE %s IN (SELECT id FROM string WHERE ",
	    columns[column].column, columns[column].table, columns[column].column);
	for (size_t i = 0; i < n; i++) {
		strbuf_printf(&sql, "%stext GLOB ?%zu", i ? " OR " : "", i + 1);
	}
	strbuf_add_text(&sql, ")) t JOIN string s ON s.id = t.id");
	struct stmt *stmt = store_prepare(asking->store, sql.data, err);
	for (size_t i = 0; stmt && i < n; i++) {
		(void)split_pattern(asking->items[column][i], &column, &pattern);
		stmt_bind_text(stmt, (int)i + 1, pattern);
	}
	int row = stmt_step(stmt, err);
	for (size_t i = 0; row == 1 && i < n; i++) {
		if (stmt_integer(stmt, (int)i) > 0) {
			add_line(&asking->has, asking->items[column][i]);
		}
	}
	stmt_free(stmt);
	strbuf_free(&sql);
	return row < 0 ? -1 : 0;
}

const char *
query_needs_ask(struct store *store, const char *needs, struct arena *arena, struct err *err)
{
	struct asking asking = {.store = store};
	struct slice rest = slice_of(needs), word;
	const char *has = NULL;
	int rc = 0;

	while (rc == 0 && next_word(&rest, &word)) {
		while (rc == 0 && word.len > 0) {
			rc = ask_item(&asking, take_until(&word, "|"), err);
		}
	}
	for (size_t column = 0; rc == 0 && column < N_COLUMNS; column++) {
		rc = ask_patterns(&asking, column, err);
	}
	if (rc == 0) {
		has = arena_slice(arena, strbuf_slice(&asking.has)).ptr;
	}
	strbuf_free(&asking.asked);
	strbuf_free(&asking.has);
	return has;
}
