#include "config.h"

#include "query/saved/natural.h"

#include "util/ascii.h"

/* Takes a run of digits off text, without leading zeros. */
static struct slice
digits_take(struct slice *text)
{
	while (text->len && *text->ptr == '0') {
		*text = slice_from(*text, 1);
	}
	struct slice digits = (struct slice){text->ptr, 0};
	while (text->len && is_digit(*text->ptr)) {
		*text = slice_from(*text, 1);
		digits.len++;
	}
	return digits;
}

int
natural_compare(struct slice a, struct slice b)
{
	while (a.len && b.len) {
		if (is_digit(*a.ptr) && is_digit(*b.ptr)) {
			struct slice left = digits_take(&a), right = digits_take(&b);
			int order = left.len != right.len ? (left.len < right.len ? -1 : 1)
			                                  : memcmp(left.ptr, right.ptr, left.len);

			if (order) {
				return order;
			}
		} else if (*a.ptr != *b.ptr) {
			return (unsigned char)*a.ptr < (unsigned char)*b.ptr ? -1 : 1;
		} else {
			a = slice_from(a, 1);
			b = slice_from(b, 1);
		}
	}
	return a.len ? 1 : b.len ? -1 : 0;
}
