/*
 * Spans and points of flows by thread and time, or by flow and time.
 *
 * They stand in the order of the file, in which those of a thread are in order but for a few long
 * parts: so threads are told apart by counting, and the parts are merged. What is moved are times
 * and places; the elements are looked at where times are equal.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdlib.h>

#include "util/order.h"

struct moment {
	int64_t time_ns;
	void *element;
};

static inline bool
is_behind(const struct moment *x, const struct moment *y, chrome_compare *compare)
{
	return x->time_ns != y->time_ns ? x->time_ns > y->time_ns
	                                : compare(x->element, y->element) > 0;
}

/* The end of the part from `at` on that is in order. */
static size_t
part_end(const struct moment *moments, size_t at, size_t n, chrome_compare *compare)
{
	for (at++; at < n && !is_behind(&moments[at - 1], &moments[at], compare);) {
		at++;
	}
	return at;
}

/* Merges [0, middle) and [middle, n), each in order. */
static void
merge(struct moment *moments, size_t middle, size_t n, struct moment *room, chrome_compare *compare)
{
	size_t left = 0, right = middle, at = 0;

	memcpy(room, moments, middle * sizeof *room);
	while (left < middle) {
		bool is_right = right < n && is_behind(&room[left], &moments[right], compare);
		moments[at++] = is_right ? moments[right++] : room[left++];
	}
}

/* room: for n. */
static void
merge_parts(struct moment *moments, size_t n, struct moment *room, chrome_compare *compare)
{
	for (bool is_done = false; !is_done;) {
		is_done = true;
		for (size_t begin = 0, middle, end; begin < n; begin = end) {
			end = middle = part_end(moments, begin, n, compare);
			if (middle < n) {
				end = part_end(moments, middle, n, compare);
				merge(moments + begin, middle - begin, end - begin, room, compare);
				is_done = begin == 0 && end == n;
			}
		}
	}
}

void **
chrome_order(void *elements, size_t n, const struct chrome_ordering *ordering)
{
	size_t n_groups = ordering->n_groups, sum = 0, most = 0;
	size_t *ends = xcalloc(n_groups, sizeof *ends);
	struct moment *moments = xcalloc(n, sizeof *moments);
	char *element = elements;
	uint32_t group;

	for (size_t i = 0; i < n; i++) {
		memcpy(&group, element + i * ordering->bytes, sizeof group);
		ends[group]++;
	}
	for (size_t i = 0; i < n_groups; i++) { /* where they begin, at first */
		size_t count = ends[i];
		ends[i] = sum;
		sum += count;
		most = MOST(most, count);
	}
	for (size_t i = 0; i < n; i++, element += ordering->bytes) {
		memcpy(&group, element, sizeof group);
		struct moment *moment = &moments[ends[group]++];
		memcpy(&moment->time_ns, element + ordering->time_at, sizeof moment->time_ns);
		moment->element = element;
	}
	struct moment *room = xcalloc(most, sizeof *room);
	for (size_t i = 0, begin = 0; i < n_groups; begin = ends[i++]) {
		merge_parts(moments + begin, ends[i] - begin, room, ordering->compare);
	}
	free(room);
	free(ends);
	void **ordered = xcalloc(n, sizeof *ordered);
	for (size_t i = 0; i < n; i++) {
		ordered[i] = moments[i].element;
	}
	free(moments);
	return ordered;
}
