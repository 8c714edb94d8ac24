/*
 * A word leads to a topic. Most words have one meaning; where a word has several, the first kind of
 * enum topic_kind is shown with all of its places, and the others are named with the words that
 * lead to them. A word that is no topic is looked for in the text of all pages and queries.
 */
#include "config.h"
#include "manual/written.h"

#include <stdlib.h>
#include <string.h>

#include "util/order.h"

#define PLACES_MAX 40

/* Options are found with their dashes and without. */
static struct slice
without_dashes(struct slice word)
{
	while (word.len > 1 && *word.ptr == '-') {
		word = slice_from(word, 1);
	}
	return word;
}

const char *
manual_word(const struct manual *manual, size_t i)
{
	return i < manual->n_topics ? without_dashes(slice_of(manual->topics[i].name)).ptr : NULL;
}

static struct topic *
add_topic(struct manual *manual, enum topic_kind kind, const char *name)
{
	struct topic *topic;

	MEM_GROW(manual->topics, manual->capacity, manual->n_topics + 1);
	topic = &manual->topics[manual->n_topics++];
	*topic = (struct topic){.kind = kind, .name = name};
	return topic;
}

struct manual *
manual_open(const struct query_library *library)
{
	struct manual *manual = xcalloc(1, sizeof *manual);
	const struct column_meaning *column;
	const char *name;
	struct manual_page page;

	manual->arena = arena_new();
	manual->library = library;
	for (size_t i = 0; i < query_library_count(library); i++) {
		const struct saved_query *query = query_library_get(library, i);
		add_topic(manual, TOPIC_QUERY, query->name)->query = query;
	}
	for (size_t i = 0; (column = column_meaning_at(i)) != NULL; i++) {
		for (size_t k = 0; (name = column_alias(column->name, k)) != NULL; k++) {
			add_topic(manual, TOPIC_COLUMN, name)->column = column;
		}
	}
	for (size_t i = 0; manual_page(i, &page); i++) {
		index_page(manual, &page);
	}
	return manual;
}

void
manual_close(struct manual *manual)
{
	if (manual) {
		free(manual->topics);
		arena_free(manual->arena);
		free(manual);
	}
}

/* "lanescope-query", "lanescope-query.5", "lanescope-query(5)", or without "lanescope-". */
static bool
names_page(struct slice word, struct slice page)
{
	static const char start[] = "lanescope-";
	size_t n = strcspn(word.ptr, ".(");

	word.len = LEAST(word.len, n);
	if (slice_equal(word, page)) {
		return true;
	}
	return slice_starts_with(page, start) && slice_equal(word, slice_from(page, strlen(start)));
}

/* What of the words says where to look. */
struct lookup {
	struct slice name;
	int kind;          /* enum topic_kind; -1: any */
	struct slice page; /* empty: any */
};

static bool
fits(const struct topic *topic, const struct lookup *wanted)
{
	struct slice name = without_dashes(slice_of(topic->name));

	if ((wanted->kind >= 0 && topic->kind != (enum topic_kind)wanted->kind) ||
	    (wanted->page.len && !names_page(wanted->page, topic->page.name))) {
		return false;
	}
	return slice_is_anycase(without_dashes(wanted->name), name.ptr) ||
	       (topic->kind == TOPIC_PAGE && names_page(wanted->name, topic->page.name));
}

static bool
is_known(const struct manual *manual, const struct lookup *wanted)
{
	size_t i = 0;

	while (i < manual->n_topics && !fits(&manual->topics[i], wanted)) {
		i++;
	}
	return i < manual->n_topics;
}

/* All of the words are the name, or the first says the kind or the page. */
static struct lookup
read_words(const struct manual *manual, struct slice words)
{
	struct lookup wanted = {.name = words, .kind = -1};
	struct slice rest = words, first = slice_take_word(&rest);
	size_t kind = 0;

	if (rest.len == 0 || is_known(manual, &wanted)) {
		return wanted;
	}
	while (kind < TOPIC_KINDS && !slice_is(first, topic_kinds[kind])) {
		kind++;
	}
	if (kind < TOPIC_KINDS) {
		wanted.kind = (int)kind;
		wanted.name = rest;
		return wanted;
	}
	for (size_t i = 0; i < manual->n_topics; i++) {
		if (manual->topics[i].kind == TOPIC_PAGE &&
		    names_page(first, manual->topics[i].page.name)) {
			return (struct lookup){rest, -1, first};
		}
	}
	return wanted;
}

static void
lay_mdoc(struct slice mdoc, struct slice name, size_t width, struct strbuf *out)
{
	struct slice unknown;

	(void)manual_lay(mdoc, name, width, out, &unknown);
}

static void
lay_written(struct strbuf *mdoc, size_t width, struct strbuf *out)
{
	lay_mdoc(strbuf_slice(mdoc), slice_of("lanescope"), width, out);
	strbuf_free(mdoc);
}

/* Where it stands: "lanescope-schema(5), TABLES". */
static void
write_place(const struct topic *topic, struct strbuf *mdoc)
{
	write_heading(mdoc, "%.*s(%c), %.*s", (int)topic->page.name.len, topic->page.name.ptr,
	              topic->page.section, (int)topic->section.len, topic->section.ptr);
}

/* Does a paragraph begin with it? ".Nm", then ".Cm NAME", or both on one line. */
static bool
tells_of_command(struct slice text, const char *name)
{
	struct slice line;

	for (bool was_name = false; index_line(&text, &line); was_name = slice_is(line, ".Nm")) {
		struct slice rest = line, macro = slice_take_word(&rest);

		if (slice_is(macro, ".Nm") && slice_starts_with(rest, "Cm ")) {
			(void)slice_take_word(&rest);
		} else if (!was_name || !slice_is(macro, ".Cm")) {
			continue;
		}
		if (slice_is(slice_take_word(&rest), name)) {
			return true;
		}
	}
	return false;
}

static void
add_command(const struct manual *manual, const struct topic *command, struct strbuf *mdoc)
{
	strbuf_add_text(mdoc, ".Sh SYNOPSIS\n");
	strbuf_add_slice(mdoc, command->text);
	for (size_t i = 0; i < manual->n_topics; i++) {
		const struct topic *topic = &manual->topics[i];
		if (topic->kind == TOPIC_SECTION && slice_starts_with(topic->text, ".Ss") &&
		    tells_of_command(topic->text, command->name)) {
			strbuf_add_slice(mdoc, topic->text);
		}
	}
	strbuf_add_text(mdoc, ".Pp\n");
	write_text(mdoc, "Its options in short: lanescope %s --help.", command->name);
}

static void
lay_topic(const struct manual *manual, const struct topic *topic, size_t width, struct strbuf *out)
{
	struct strbuf mdoc = {0};

	if (topic->kind == TOPIC_QUERY) {
		write_query(topic->query, &mdoc);
	} else if (topic->kind == TOPIC_COLUMN) {
		write_column(manual, topic->column, &mdoc);
	} else if (topic->kind == TOPIC_COMMAND) {
		add_command(manual, topic, &mdoc);
	} else if (topic->kind == TOPIC_WORD) {
		write_place(topic, &mdoc);
		strbuf_add_slice(&mdoc, topic->list);
		strbuf_add_char(&mdoc, '\n');
		strbuf_add_slice(&mdoc, topic->text);
		strbuf_add_text(&mdoc, ".El\n");
	} else {
		lay_mdoc(topic->text, topic->page.name, width, out);
		return;
	}
	lay_written(&mdoc, width, out);
}

void
manual_query(const struct saved_query *query, size_t width, struct strbuf *out)
{
	struct strbuf mdoc = {0};

	write_query(query, &mdoc);
	lay_written(&mdoc, width, out);
}

/* Shows the first kind that fits, and names the others. False: none fits. */
static bool
lay_meanings(const struct manual *manual, const struct lookup *wanted, size_t width,
             struct strbuf *out)
{
	size_t n[TOPIC_KINDS] = {0};
	struct strbuf mdoc = {0};
	enum topic_kind shown;
	const char *last = NULL;

	for (size_t i = 0; i < manual->n_topics; i++) {
		n[manual->topics[i].kind] += fits(&manual->topics[i], wanted);
	}
	for (shown = 0; shown < TOPIC_KINDS && n[shown] == 0; shown++) {
	}
	for (size_t i = 0; i < manual->n_topics && shown < TOPIC_KINDS; i++) {
		const struct topic *topic = &manual->topics[i];
		bool is_again = last && last == topic->text.ptr; /* under another name */

		if (topic->kind == shown && fits(topic, wanted) && !is_again) {
			lay_topic(manual, topic, width, out);
			last = topic->text.ptr;
		}
	}
	for (size_t kind = shown + 1; kind < TOPIC_KINDS; kind++) {
		if (n[kind]) {
			strbuf_add_text(&mdoc, mdoc.len ? "" : ".Sh SEE ALSO\n");
			write_line(&mdoc, "lanescope help %s %.*s", topic_kinds[kind],
			           (int)wanted->name.len, wanted->name.ptr);
		}
	}
	if (mdoc.len) {
		lay_written(&mdoc, width, out);
	}
	return shown < TOPIC_KINDS;
}

/* Does it stand in the section's text, as it is shown? */
static bool
is_mentioned(struct slice mdoc, struct slice name, struct slice word)
{
	struct strbuf text = {0};
	struct slice unknown;
	size_t n = 0;

	(void)manual_lay(mdoc, name, SIZE_MAX, &text, &unknown);
	for (size_t i = 0; i < text.len; i++) {
		if ((unsigned char)text.data[i] > MANUAL_PLAIN) {
			text.data[n++] = text.data[i];
		}
	}
	bool is_there = slice_contains_anycase((struct slice){text.data, n}, word);
	strbuf_free(&text);
	return is_there;
}

/* The part of a section before its first subsection, which is a section of its own here. */
static struct slice
own_text(const struct topic *topic)
{
	struct slice text = topic->text, line;

	(void)index_line(&text, &line);
	while (index_line(&text, &line)) {
		if (slice_starts_with(line, ".Ss ")) {
			return (struct slice){topic->text.ptr,
			                      (size_t)(line.ptr - topic->text.ptr)};
		}
	}
	return topic->text;
}

/* Appends the places where a word is mentioned, as lines that lead there. How many there are. */
static size_t
write_mentions(const struct manual *manual, struct slice word, struct strbuf *mdoc)
{
	size_t n_places = 0;

	for (size_t i = 0; i < manual->n_topics && n_places < PLACES_MAX; i++) {
		const struct topic *topic = &manual->topics[i];
		const struct saved_query *query = topic->query;
		bool is_there = false;

		if (topic->kind == TOPIC_SECTION || topic->kind == TOPIC_FORMAT ||
		    topic->kind == TOPIC_PRODUCER) {
			is_there = is_mentioned(own_text(topic), topic->page.name, word);
		} else if (query) {
			is_there =
			    slice_contains_anycase(slice_of(query->title), word) ||
			    (query->about && slice_contains_anycase(slice_of(query->about), word));
		}
		if (is_there && query) {
			write_line(mdoc, "lanescope help %s", query->name);
		} else if (is_there) {
			write_line(mdoc, "lanescope help %.*s %s", (int)topic->page.name.len,
			           topic->page.name.ptr, topic->name);
		}
		n_places += is_there;
	}
	return n_places;
}

static const char *
find_near(const struct manual *manual, struct slice word)
{
	const char **names = xcalloc(manual->n_topics, sizeof *names);
	char *typed = xstrndup(word.ptr, word.len);

	for (size_t i = 0; i < manual->n_topics; i++) {
		names[i] = manual->topics[i].name;
	}
	const char *near = query_suggest(typed, names, manual->n_topics);
	free(names);
	free(typed);
	return near;
}

int
manual_answer(const struct manual *manual, struct slice words, size_t width, struct strbuf *out,
              struct err *err)
{
	struct strbuf mdoc = {0};
	struct lookup wanted = read_words(manual, slice_trim(words, " "));
	const char *near;

	if (wanted.name.len == 0 || slice_is(wanted.name, "contents")) {
		write_contents(manual, &mdoc);
		lay_written(&mdoc, width, out);
		return 0;
	}
	if (lay_meanings(manual, &wanted, width, out)) {
		return 0;
	}
	near = find_near(manual, wanted.name);
	write_heading(&mdoc, "%.*s", (int)wanted.name.len, wanted.name.ptr);
	write_text(&mdoc, "The manual has nothing of this name%s%s%s; it is mentioned here:",
	           near ? "; near is " : "", near ? near : "", "");
	strbuf_add_text(&mdoc, ".Pp\n");
	if (write_mentions(manual, wanted.name, &mdoc) > 0) {
		lay_written(&mdoc, width, out);
		return 0;
	}
	strbuf_free(&mdoc);
	return err_set(err, ERR_USAGE, "the manual has no word \"%.*s\"%s%s%s",
	               (int)wanted.name.len, wanted.name.ptr, near ? ": did you mean \"" : "",
	               near ? near : "", near ? "\"?" : " (lanescope help lists what it has)");
}
