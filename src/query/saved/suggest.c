/*
 * "Did you mean": the name with the smallest edit distance (insert, delete, replace, swap of
 * neighbours), if it is near enough to be a slip of the fingers: at most one edit in three letters.
 */
#include "config.h"
#include "query/saved/query.h"

#include <string.h>
#include "util/order.h"

#define SUGGEST_LENGTH 64

static size_t
edit_distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
	size_t rows[3][SUGGEST_LENGTH + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2];
	for (size_t j = 0; j <= n_b; j++) {
		above[j] = before[j] = j;
	}
	for (size_t i = 1; i <= n_a; i++) {
		row[0] = i;
		for (size_t j = 1; j <= n_b; j++) {
			size_t cost = a[i - 1] != b[j - 1];
			row[j] = LEAST(above[j - 1] + cost, LEAST(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
				row[j] = LEAST(row[j], before[j - 2] + 1);
			}
		}
		size_t *oldest = before;
		before = above;
		above = row;
		row = oldest;
	}
	return above[n_b];
}

const char *
query_suggest(const char *typed, const char *const *names, size_t n_names)
{
	size_t length = strlen(typed), best = SIZE_MAX;
	const char *nearest = NULL;
	if (length == 0 || length > SUGGEST_LENGTH) {
		return NULL;
	}
	for (size_t i = 0; i < n_names; i++) {
		size_t n = strlen(names[i]);
		if (n > SUGGEST_LENGTH) {
			continue;
		}
		size_t distance = edit_distance(typed, length, names[i], n);
		if (length >= 3 && n > length && strstr(names[i], typed)) {
			distance = LEAST(distance, 1 + length / 4); /* a part of a longer name */
		}
		if (distance < best && distance <= 1 + length / 3) {
			best = distance;
			nearest = names[i];
		}
	}
	return nearest;
}
