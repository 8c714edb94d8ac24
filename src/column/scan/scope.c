/*
 * Scopes as text. Words are divided where a ";" stands outside of quotes as the filter language has
 * them; a quote that does not end is no quote ("lanes worker's"). A mistake in a condition is told
 * by its place in the whole text: it is tried with blanks in place of what stands before it.
 */
#include "config.h"
#include "column/scan/scope.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/filter.h"
#include "util/ascii.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/quote.h"

#define BLANKS " \t\r\n"

/* The length of the first word, up to its ";". */
static size_t
word_length(struct slice text)
{
	struct strbuf unquoted = {0};
	size_t i = 0, n;

	while (i < text.len && text.ptr[i] != ';') {
		bool is_word = i > 0 && is_word_char(text.ptr[i - 1]);
		n = 0;
		if (text.ptr[i] == '\'' || text.ptr[i] == '"' ||
		    (!is_word && to_lower(text.ptr[i]) == 'e')) {
			strbuf_clear(&unquoted);
			if (quote_take(slice_from(text, i), &unquoted, &n) != QUOTE_TAKEN) {
				n = 0;
			}
		}
		i += n > 0 ? n : 1;
	}
	strbuf_free(&unquoted);
	return i;
}

static struct slice
trim(struct slice text)
{
	return slice_trim(text, BLANKS);
}

/* Takes "range", "lanes" or "filter" off a word. */
static bool
takes_keyword(struct slice *word, const char *keyword)
{
	size_t n = strlen(keyword);
	struct slice rest = slice_from(*word, n);

	if (word->len < n || !slice_is_anycase((struct slice){word->ptr, n}, keyword) ||
	    (rest.len > 0 && !strchr(BLANKS "'\"", rest.ptr[0]))) {
		return false;
	}
	*word = trim(rest);
	return true;
}

static int
read_time(struct slice text, int64_t absent, int64_t *ns, struct err *err)
{
	if (text.len == 0) {
		*ns = absent;
		return 0;
	}
	if (!parse_duration(text, ns) || *ns < 0) {
		return err_set(
		    err, ERR_USAGE,
		    "scope: range: %.*s is no time from the run's start (3.2s, 10ms, ns)",
		    (int)text.len, text.ptr);
	}
	return 0;
}

static int
read_range(struct slice text, struct scope_word *word, struct err *err)
{
	char start[FORMAT_BYTES], end[FORMAT_BYTES];
	const char *dots = text.len > 1 ? memmem(text.ptr, text.len, "..", 2) : NULL;

	if (!dots) {
		return err_set(err, ERR_USAGE,
		               "scope: a range is START .. END, as in: range 1.2s .. 3.4s");
	}
	size_t n = (size_t)(dots - text.ptr);
	if (read_time(trim((struct slice){text.ptr, n}), 0, &word->start_ns, err) ||
	    read_time(trim(slice_from(text, n + 2)), INT64_MAX, &word->end_ns, err)) {
		return -1;
	}
	if (word->start_ns >= word->end_ns) {
		return err_set(
		    err, ERR_USAGE, "scope: the range is empty: it begins at %s and ends at %s",
		    format_duration(start, word->start_ns), format_duration(end, word->end_ns));
	}
	return 0;
}

/* A text that may stand in quotes as a whole. */
static char *
read_text(struct slice text)
{
	struct strbuf unquoted = {0};
	size_t n;

	if (quote_take(text, &unquoted, &n) == QUOTE_TAKEN && n == text.len) {
		strbuf_add(&unquoted, "", 0);
		return strbuf_take(&unquoted);
	}
	strbuf_free(&unquoted);
	return xstrndup(text.ptr, text.len);
}

/* Tries a condition that stands at that place of the text. */
static int
check(struct slice condition, size_t offset, struct err *err)
{
	struct strbuf padded = {0};

	for (size_t i = 0; i < offset; i++) {
		strbuf_add_char(&padded, ' ');
	}
	strbuf_add_slice(&padded, condition);
	int rc = filter_check(padded.data, err);
	strbuf_free(&padded);
	return rc == 0 ? 0 : err_wrap(err, "scope");
}

static void
add_glob(struct strbuf *out, const char *pattern)
{
	strbuf_add_text(out, "lane_name GLOB ");
	quote_add(out, slice_of(pattern), '\'');
}

static int
read_lanes(struct slice text, struct scope_word *word, struct err *err)
{
	struct strbuf condition = {0};
	int rc = text.len > 0 ? 0
	                      : err_set(err, ERR_USAGE,
	                                "scope: lanes: a pattern of their names is needed, as in: "
	                                "lanes worker*");

	word->text = read_text(text);
	if (rc == 0) {
		add_glob(&condition, word->text);
		rc = check(strbuf_slice(&condition), 0, err);
	}
	strbuf_free(&condition);
	return rc;
}

/* offset: of the word in the text, for messages. Its text is to be freed in any case. */
static int
read_word(struct slice text, size_t offset, struct scope_word *word, struct err *err)
{
	struct slice rest = text;

	if (takes_keyword(&rest, "range")) {
		word->kind = SCOPE_RANGE;
		return read_range(rest, word, err);
	}
	if (takes_keyword(&rest, "lanes")) {
		word->kind = SCOPE_LANES;
		return read_lanes(rest, word, err);
	}
	word->kind = SCOPE_FILTER;
	bool is_quoted = takes_keyword(&rest, "filter");
	word->text = read_text(is_quoted ? rest : text);
	return check(slice_of(word->text), is_quoted ? 0 : offset, err);
}

int
scope_read(struct slice text, struct scope *scope, struct err *err)
{
	struct scope read = {NULL, 0};
	int rc = 0;

	for (size_t at = 0, n; rc == 0 && at < text.len; at += n + 1) {
		struct slice rest = slice_from(text, at);
		n = word_length(rest);
		struct slice word = trim((struct slice){rest.ptr, n});
		struct scope_word one = {.text = NULL};
		if (word.len == 0) {
			continue;
		}
		if (read.n == SCOPE_WORDS) {
			rc = err_set(err, ERR_LIMIT, "scope: more than %d words", SCOPE_WORDS);
		} else if (memchr(word.ptr, '\0', word.len)) {
			rc = err_set(err, ERR_USAGE, "scope: a NUL is no text");
		} else if (read_word(word, (size_t)(word.ptr - text.ptr), &one, err)) {
			rc = -1;
		} else {
			scope_add(&read, &one);
		}
		free(one.text);
	}
	if (rc == 0) {
		*scope = read;
	} else {
		scope_free(&read);
	}
	return rc;
}

static void
write_time(struct strbuf *out, int64_t ns)
{
	static const struct {
		int64_t ns;
		int digits;
		const char *name;
	} units[] = {{1000000000, 9, "s"}, {1000000, 6, "ms"}, {1000, 3, "us"}, {1, 0, "ns"}};
	size_t i = 0;

	while (i + 1 < COUNT_OF(units) && ns < units[i].ns) {
		i++;
	}
	strbuf_printf(out, "%lld", (long long)(ns / units[i].ns));
	int64_t rest = ns % units[i].ns;
	if (rest > 0) {
		strbuf_printf(out, ".%0*lld", units[i].digits, (long long)rest);
		while (out->data[out->len - 1] == '0') {
			out->data[--out->len] = '\0';
		}
	}
	strbuf_add_text(out, units[i].name);
}

/* Would the text be read as it stands, as all that is behind a keyword? */
static bool
is_plain(const char *text)
{
	struct slice all = slice_of(text);

	return all.len > 0 && !strpbrk(text, ";'\"") && slice_equal(trim(all), all) &&
	       !quote_escapes(all);
}

/* Is the condition a word by itself? */
static bool
is_word(const char *text)
{
	struct slice all = slice_of(text), rest = all;

	return word_length(all) == all.len && slice_equal(trim(all), all) && !quote_escapes(all) &&
	       !takes_keyword(&rest, "range") && !takes_keyword(&rest, "lanes") &&
	       !takes_keyword(&rest, "filter");
}

void
scope_word_write(const struct scope_word *word, struct strbuf *out)
{
	switch (word->kind) {
	case SCOPE_RANGE:
		strbuf_add_text(out, "range ");
		write_time(out, word->start_ns);
		strbuf_add_text(out, " ..");
		if (word->end_ns < INT64_MAX) {
			strbuf_add_char(out, ' ');
			write_time(out, word->end_ns);
		}
		break;
	case SCOPE_LANES:
		strbuf_add_text(out, "lanes ");
		if (is_plain(word->text)) {
			strbuf_add_text(out, word->text);
		} else {
			quote_add(out, slice_of(word->text), '\'');
		}
		break;
	case SCOPE_FILTER:
		if (is_word(word->text)) {
			strbuf_add_text(out, word->text);
		} else {
			strbuf_add_text(out, "filter ");
			quote_add(out, slice_of(word->text), '\'');
		}
		break;
	}
}

void
scope_write(const struct scope *scope, struct strbuf *out)
{
	for (size_t i = 0; i < scope->n; i++) {
		strbuf_add_text(out, i > 0 ? "; " : "");
		scope_word_write(&scope->words[i], out);
	}
}

static bool
words_equal(const struct scope_word *a, const struct scope_word *b)
{
	return a->kind == b->kind &&
	       (a->kind == SCOPE_RANGE ? a->start_ns == b->start_ns && a->end_ns == b->end_ns
	                               : strcmp(a->text, b->text) == 0);
}

bool
scope_equal(const struct scope *a, const struct scope *b)
{
	bool is_equal = a->n == b->n;

	for (size_t i = 0; is_equal && i < a->n; i++) {
		is_equal = words_equal(&a->words[i], &b->words[i]);
	}
	return is_equal;
}

void
scope_add(struct scope *scope, const struct scope_word *word)
{
	for (size_t i = 0; i < scope->n; i++) {
		if (words_equal(&scope->words[i], word)) {
			return;
		}
	}
	scope->words = xrealloc_array(scope->words, scope->n + 1, sizeof *scope->words);
	struct scope_word *added = &scope->words[scope->n++];
	*added = *word;
	added->text = word->kind != SCOPE_RANGE ? xstrdup(word->text) : NULL;
}

void
scope_remove(struct scope *scope, size_t i)
{
	free(scope->words[i].text);
	scope->n--;
	memmove(&scope->words[i], &scope->words[i + 1], (scope->n - i) * sizeof *scope->words);
}

void
scope_copy(struct scope *scope, const struct scope *from)
{
	*scope = (struct scope){NULL, 0};
	for (size_t i = 0; from && i < from->n; i++) {
		scope_add(scope, &from->words[i]);
	}
}

void
scope_free(struct scope *scope)
{
	for (size_t i = 0; i < scope->n; i++) {
		free(scope->words[i].text);
	}
	free(scope->words);
	*scope = (struct scope){NULL, 0};
}

bool
scope_range(const struct scope *scope, int64_t *start_ns, int64_t *end_ns)
{
	bool has_range = false;
	int64_t start = 0, end = INT64_MAX;

	for (size_t i = 0; i < scope->n; i++) {
		const struct scope_word *word = &scope->words[i];
		if (word->kind == SCOPE_RANGE) {
			has_range = true;
			start = word->start_ns > start ? word->start_ns : start;
			end = word->end_ns < end ? word->end_ns : end;
		}
	}
	if (has_range) {
		*start_ns = start;
		*end_ns = end > start ? end : start;
	}
	return has_range;
}

static void
add_condition(const struct scope_word *word, struct strbuf *out)
{
	if (word->kind == SCOPE_LANES) {
		add_glob(out, word->text);
	} else {
		strbuf_printf(out, "(%s)", word->text);
	}
}

const char *
scope_condition(const struct scope *scope)
{
	static const struct dataset nothing;
	struct err ignored = ERR_INIT;
	const char *found = NULL;

	for (size_t i = 0; i < scope->n && !found; i++) {
		const struct scope_word *word = &scope->words[i];
		if (word->kind == SCOPE_FILTER) {
			struct filter *filter =
			    filter_compile(&nothing, BLOCK_SPAN, word->text, NULL, &ignored);
			found = filter && filter_is_of_lanes(filter) ? NULL : word->text;
			filter_free(filter);
		}
	}
	return found;
}

static int
word_lanes(const char *condition, const struct dataset *dataset, bool *lanes, struct err *err)
{
	struct filter *filter = filter_compile(dataset, BLOCK_SPAN, condition, NULL, err);
	int cuts = 0;

	if (!filter) {
		return -1;
	}
	struct filter_state *state = filter_state_new(filter);
	for (uint32_t i = 0; i < dataset->n_lanes && filter_is_of_lanes(filter); i++) {
		const struct dataset_total total = {
		    .lane = i, .category = TEXT_NONE, .name = TEXT_NONE};
		lanes[i] = lanes[i] && filter_accepts_total(state, &total);
		cuts |= !lanes[i];
	}
	filter_state_free(state);
	filter_free(filter);
	return cuts;
}

int
scope_lanes(const struct scope *scope, const struct dataset *dataset, bool *lanes, struct err *err)
{
	struct dataset whole = *dataset;
	int cuts = 0;

	whole.scope = (struct dataset_scope){0};
	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		lanes[i] = true;
	}
	for (size_t i = 0; i < scope->n && cuts >= 0; i++) {
		struct strbuf condition = {0};
		if (scope->words[i].kind == SCOPE_RANGE) {
			continue;
		}
		add_condition(&scope->words[i], &condition);
		int cut = word_lanes(condition.data, &whole, lanes, err);
		cuts = cut < 0 ? -1 : cuts | cut;
		strbuf_free(&condition);
	}
	return cuts;
}

char *
scope_filter(const struct scope *scope)
{
	struct strbuf out = {0};

	for (size_t i = 0; i < scope->n; i++) {
		const struct scope_word *word = &scope->words[i];
		if (word->kind == SCOPE_RANGE) {
			continue;
		}
		strbuf_add_text(&out, out.len > 0 ? " AND " : "");
		add_condition(word, &out);
	}
	return out.len > 0 ? strbuf_take(&out) : NULL;
}
