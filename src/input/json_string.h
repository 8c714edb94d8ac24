/* Scanning one JSON string, for tokenizers.
 * Used by import. */
#ifndef LANESCOPE_INPUT_JSON_STRING_H
#define LANESCOPE_INPUT_JSON_STRING_H

#include "input/json.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum json_scan_result {
	JSON_SCAN_ERROR = -1,
	JSON_SCAN_DONE,
	JSON_SCAN_SHORT /* limit came before the closing quote */
};

struct json_scan {
	struct slice text; /* into the source, or into scratch */
	const char *end;   /* behind the closing quote; where the error is */
	const char *error;
};

/* The rest of json_scan_string: from `at`, the first byte that is neither plain nor the closing
 * quote. */
enum json_scan_result json_scan_string_slowly(const char *quote, const char *at, bool is_ascii,
                                              const char *limit, unsigned flags,
                                              struct strbuf *scratch, struct json_scan *scan);

/*
 * The first byte from `at` on that is a quote, a backslash or below 0x20. *is_ascii is cleared if a
 * byte before it is above 0x7f. Stops at or a little behind limit.
 */
static inline const char *
json_scan_plain(const char *at, const char *limit, bool *is_ascii)
{
	for (; at < limit;) {
#ifdef __SSE2__
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
		__m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
		__m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
		__m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
		unsigned found = (unsigned)_mm_movemask_epi8(
		    _mm_or_si128(_mm_or_si128(quotes, backslashes), controls));
		unsigned high = (unsigned)_mm_movemask_epi8(bytes);
		if (found) {
			*is_ascii &= (high & (found ^ (found - 1))) == 0;
			return at + __builtin_ctz(found);
		}
		*is_ascii &= high == 0;
		at += 16;
#else
		const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones * 0x80;
		uint64_t bytes;
		memcpy(&bytes, at, sizeof bytes);
		uint64_t quotes = bytes ^ ones * '"', backslashes = bytes ^ ones * '\\';
		/* The lowest marked byte is always right; higher ones may be carried into. */
		uint64_t found =
		    (((quotes - ones) & ~quotes) | ((backslashes - ones) & ~backslashes) |
		     ((bytes - ones * 0x20) & ~bytes)) &
		    tops;
		uint64_t high = bytes & tops;
		if (found) {
			*is_ascii &= (high & (found ^ (found - 1))) == 0;
			return at + __builtin_ctzll(found) / 8;
		}
		*is_ascii &= high == 0;
		at += 8;
#endif
	}
	return at;
}

/* The string whose opening quote stands at `quote`; at most INPUT_PADDING bytes behind limit are
 * looked at. */
static inline enum json_scan_result
json_scan_string(const char *quote, const char *limit, unsigned flags, struct strbuf *scratch,
                 struct json_scan *scan)
{
	bool is_ascii = true;
	const char *at = json_scan_plain(quote + 1, limit, &is_ascii);

	if (at < limit && *at == '"' && is_ascii) {
		scan->text = (struct slice){quote + 1, (size_t)(at - quote - 1)};
		scan->end = at + 1;
		return JSON_SCAN_DONE;
	}
	return json_scan_string_slowly(quote, at, is_ascii, limit, flags, scratch, scan);
}

#endif
