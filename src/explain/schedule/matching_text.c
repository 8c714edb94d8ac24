/* What texts of two runs have in common: all but UUIDs, hashes, numbers, folders. */
#include "config.h"
#include "explain/schedule/matching_text.h"

#include "util/ascii.h"

#define UUID_LENGTH 36
#define UUID_HEAD 23 /* where its last part begins, with a dash */
#define HASH_LENGTH 8

/* Length of the UUID that begins at `at`, 0 if none does. One without its last part counts, too:
 * names are made of others by cutting at a dash. */
static size_t
uuid_length(struct slice text, size_t at)
{
	size_t n = 0;
	while (n < UUID_LENGTH && at + n < text.len) {
		bool is_dash = n == 8 || n == 13 || n == 18 || n == UUID_HEAD;
		char c = text.ptr[at + n];
		if (is_dash ? c != '-' : hex_value(c) < 0) {
			break;
		}
		n++;
	}
	if (n == UUID_LENGTH) {
		return n;
	}
	bool is_head =
	    n >= UUID_HEAD && (at + UUID_HEAD == text.len || !is_alnum(text.ptr[at + UUID_HEAD]));
	return is_head ? UUID_HEAD : 0;
}

/* Length of the hash that begins at `at`, 0 if none does: a whole word of hex digits. */
static size_t
hash_length(struct slice text, size_t at)
{
	if (at > 0 && is_alnum(text.ptr[at - 1])) {
		return 0;
	}
	size_t end = at;
	bool has_digit = false;
	while (end < text.len && hex_value(text.ptr[end]) >= 0) {
		has_digit = has_digit || is_digit(text.ptr[end]);
		end++;
	}
	bool is_whole = end == text.len || !is_alnum(text.ptr[end]);
	return is_whole && has_digit && end - at >= HASH_LENGTH ? end - at : 0;
}

static void
strip(struct strbuf *out, struct slice text, bool numbers_too)
{
	for (size_t i = 0; i < text.len;) {
		size_t skip = uuid_length(text, i);
		skip = skip > 0 ? skip : hash_length(text, i);
		if (skip > 0) {
			i += skip;
			if (numbers_too) {
				strbuf_add_char(out, '#');
			}
		} else if (numbers_too && is_digit(text.ptr[i])) {
			while (i < text.len && is_digit(text.ptr[i])) {
				i++;
			}
			strbuf_add_char(out, '#');
		} else {
			strbuf_add_char(out, text.ptr[i++]);
		}
	}
}

void
matching_strip(struct strbuf *out, struct slice text)
{
	strip(out, text, false);
}

void
matching_pattern(struct strbuf *out, struct slice text)
{
	strip(out, text, true);
}

struct slice
matching_basename(struct slice path)
{
	size_t start = path.len;
	while (start > 0 && path.ptr[start - 1] != '/') {
		start--;
	}
	return slice_from(path, start);
}
