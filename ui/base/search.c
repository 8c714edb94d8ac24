/*
 * Looking is resumable: where it began and how many rows it has seen is all it knows, so that the
 * application may draw and take keys between two slices. While a text is typed each look begins
 * where the prompt was opened: taking a character back goes back to what was found before.
 */
#include "config.h"

#include "ui/base/search.h"
#include "util/clock.h"

#define ROWS_A_LOOK_AT_THE_CLOCK 64

void
search_fini(struct list_search *search)
{
	strbuf_free(&search->text);
	strbuf_free(&search->former);
}

static void
copy(struct strbuf *to, struct slice text)
{
	strbuf_clear(to);
	strbuf_add_slice(to, text);
}

void
search_open(struct list_search *search, const struct list *list)
{
	copy(&search->former, strbuf_slice(&search->text));
	search->from = list->selected;
	search->top = list->top;
	search->outcome = SEARCH_NOTHING;
}

static void
go_back(const struct list_search *search, struct list *list)
{
	list->selected = search->from;
	list->top = search->top;
	list_settle(list);
}

void
search_type(struct list_search *search, struct list *list, struct slice text)
{
	copy(&search->text, text);
	go_back(search, list);
	(void)search_begin(search, list, SEARCH_HERE);
}

void
search_leave(struct list_search *search, struct list *list)
{
	copy(&search->text, strbuf_slice(&search->former));
	go_back(search, list);
	search->outcome = SEARCH_NOTHING;
}

bool
search_begin(struct list_search *search, const struct list *list, enum search_where where)
{
	search->outcome = search->text.len > 0 ? SEARCH_GOES_ON : SEARCH_NOTHING;
	search->where = where;
	search->begin = list->selected;
	search->looked = 0;
	search->n = list->n;
	return search->text.len > 0;
}

static size_t
row_at(const struct list_search *search, size_t i)
{
	size_t n = search->n;

	return search->where == SEARCH_PREVIOUS ? (search->begin + n - 1 - i) % n
	       : search->where == SEARCH_NEXT   ? (search->begin + 1 + i) % n
	                                        : (search->begin + i) % n;
}

enum search_outcome
search_found(const struct list_search *search, size_t row)
{
	bool is_around = search->where == SEARCH_PREVIOUS ? row >= search->begin
	                 : search->where == SEARCH_NEXT   ? row <= search->begin
	                                                  : row < search->begin;

	return is_around ? SEARCH_WRAPPED : SEARCH_FOUND;
}

enum search_outcome
search_go(struct list_search *search, struct list *list,
          bool (*has)(const void *user, size_t row, struct slice text), const void *user,
          int64_t budget_ns)
{
	struct slice text = strbuf_slice(&search->text);
	int64_t begun_ns = clock_ns();

	if (search->outcome != SEARCH_GOES_ON) {
		return search->outcome;
	}
	if (list->n != search->n) { /* other rows now */
		return search->outcome = SEARCH_NOTHING;
	}
	while (search->looked < search->n) {
		size_t row = row_at(search, search->looked);

		if (has(user, row, text)) {
			list->selected = row;
			list_settle(list);
			return search->outcome = search_found(search, row);
		}
		search->looked++;
		if (search->looked % ROWS_A_LOOK_AT_THE_CLOCK == 0 && search->looked < search->n &&
		    clock_ns() - begun_ns >= budget_ns) {
			return SEARCH_GOES_ON;
		}
	}
	return search->outcome = SEARCH_MISSED;
}

bool
search_stop(struct list_search *search)
{
	bool was_on = search->outcome == SEARCH_GOES_ON;

	search->outcome = was_on ? SEARCH_NOTHING : search->outcome;
	return was_on;
}

int
search_percent(const struct list_search *search)
{
	return search->n > 0 ? (int)(search->looked * 100 / search->n) : 100;
}
