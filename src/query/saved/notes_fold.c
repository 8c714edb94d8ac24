/*
 * Notes about many runs: what is said alike of several becomes one line.
 *
 * Two notes say the same where they agree but for the names of runs and for figures (with their
 * units). Where figures agree, too, the line is of all these runs; else it is the first one's, and
 * says of how many more.
 */
#include "config.h"
#include "query/saved/query.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/intern.h"

#define RUNS_NAMED 3u
enum { NAME = 1, FIGURE };

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Bytes of the longest name at the start of a text, as a word of its own; 0: none. */
static size_t
name_at(const char *text, const char *const *names, size_t n)
{
	size_t longest = 0;
	for (size_t i = 0; i < n; i++) {
		size_t bytes = strlen(names[i]);
		if (bytes > longest && strncmp(text, names[i], bytes) == 0 &&
		    !is_word(text[bytes])) {
			longest = bytes;
		}
	}
	return longest;
}

/* Bytes of a figure and its unit. */
static size_t
figure_at(const char *text)
{
	static const char *const units[] = {"ns",  "us",  "ms",  "s",   "min", "h", "d", "B",
	                                    "KiB", "MiB", "GiB", "TiB", "%",   "k", "M", "G"};
	size_t bytes = strspn(text, "0123456789");
	while (bytes && text[bytes] && strchr(".,", text[bytes]) &&
	       isdigit((unsigned char)text[bytes + 1])) {
		bytes += 1 + strspn(text + bytes + 1, "0123456789");
	}
	for (size_t u = 0; bytes && text[bytes] == ' ' && u < COUNT_OF(units); u++) {
		size_t of_unit = strlen(units[u]);
		if (strncmp(text + bytes + 1, units[u], of_unit) == 0 &&
		    !is_word(text[bytes + 1 + of_unit])) {
			return bytes + 1 + of_unit;
		}
	}
	return bytes;
}

/* The note without names, and without figures unless they are to stay. */
static void
print_shape(struct strbuf *shape, const char *note, const char *const *names, size_t n,
            bool has_figures)
{
	strbuf_clear(shape);
	for (size_t at = 0; note[at];) {
		bool begins = at == 0 || !is_word(note[at - 1]);
		size_t name = begins ? name_at(note + at, names, n) : 0;
		size_t figure = begins && !name && !has_figures ? figure_at(note + at) : 0;
		strbuf_add_char(shape, (char)(name ? NAME : figure ? FIGURE : note[at]));
		at += name ? name : figure ? figure : 1;
	}
}

struct said {
	size_t n;     /* notes that say it */
	bool differs; /* in its figures */
	uint32_t with_figures;
	const char *first;
	struct strbuf of; /* the first few runs whose note it is */
};

static void
add_fact(struct said *fact, const char *note, uint32_t with_figures, size_t name)
{
	if (fact->n == 0) {
		fact->first = note;
		fact->with_figures = with_figures;
	}
	fact->differs = fact->differs || with_figures != fact->with_figures;
	if (name && fact->n < RUNS_NAMED) {
		strbuf_printf(&fact->of, "%s%.*s", fact->n ? ", " : "", (int)name, note);
	}
	fact->n++;
}

static void
print_fact(struct result *result, const struct said *fact, size_t name, const char *what)
{
	if (fact->n == 1) {
		result_add_note(result, "%s", fact->first);
	} else if (fact->differs || !name) {
		result_add_note(result, "%s (and the like of %zu more)", fact->first, fact->n - 1);
	} else {
		result_add_note(result, "of %zu %s (%s%s)%s", fact->n, what, fact->of.data,
		                fact->n > RUNS_NAMED ? ", ..." : "", fact->first + name);
	}
}

void
result_fold_notes(struct result *result, const char *const *names, size_t n, const char *what)
{
	size_t n_notes = result->n_notes, n_facts = 0;
	const char **notes = result->notes;
	struct intern *shapes = intern_new(), *texts = intern_new(), *seen = intern_new();
	struct said *facts = xcalloc(n_notes + 1, sizeof *facts);
	struct strbuf shape = {0};
	for (size_t i = 0; i < n_notes; i++) {
		size_t n_seen = intern_count(seen), name = name_at(notes[i], names, n);
		if (intern_id(seen, slice_of(notes[i])) < n_seen) {
			continue;
		}
		name = notes[i][name] == ':' ? name : 0;
		print_shape(&shape, notes[i], names, n, true);
		uint32_t with_figures = intern_id(texts, strbuf_slice(&shape));
		print_shape(&shape, notes[i], names, n, false);
		uint32_t fact = intern_id(shapes, strbuf_slice(&shape));
		n_facts = intern_count(shapes);
		add_fact(&facts[fact], notes[i], with_figures, name);
	}
	result->n_notes = 0;
	for (size_t f = 0; f < n_facts; f++) {
		size_t name = name_at(facts[f].first, names, n);
		print_fact(result, &facts[f], facts[f].first[name] == ':' ? name : 0, what);
		strbuf_free(&facts[f].of);
	}
	free(facts);
	strbuf_free(&shape);
	intern_free(shapes);
	intern_free(texts);
	intern_free(seen);
}
