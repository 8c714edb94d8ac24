/*
 * The table of trace formats. Recognition asks every format how sure it is of the first bytes; the
 * surest wins, and of equals the one that stands first. Where nobody is sure but somebody can't
 * tell yet, all are asked again with many more bytes.
 */
#include "config.h"
#include "import/import.h"

#include <string.h>

#include "import/formats.h"

/* Looked at first, and at most. */
#define SNIFF_BYTES ((size_t)64 << 10)
#define SNIFF_BYTES_MAX ((size_t)16 << 20)
#define SNIFF_GROWTH 16
#define CLAIM_MAX 1000

#define TABLE_ROW(name) &import_##name,
const struct import_format *const import_formats[] = {IMPORT_FORMATS(TABLE_ROW) NULL};

const struct import_format *
import_find(const char *name)
{
	for (size_t i = 0; import_formats[i]; i++) {
		if (strcmp(import_formats[i]->name, name) == 0) {
			return import_formats[i];
		}
	}
	return NULL;
}

/* The surest of the formats; *wants_more: another one can't tell yet. */
static const struct import_format *
find_surest(struct slice head, const char *file_name, const struct import_format *only,
            bool *wants_more)
{
	const struct import_format *best = NULL;
	int best_score = -CLAIM_MAX;

	*wants_more = false;
	for (size_t i = 0; import_formats[i]; i++) {
		const struct import_format *format = import_formats[i];
		int score = only && only != format ? 0 : format->sniff(head, file_name);
		*wants_more |= score < 0;
		if (score == 0 || score == SNIFF_UNDECIDED) {
			continue;
		}
		score = score < 0 ? -CLAIM_MAX - score : score; /* a claim: below all others */
		if (score > best_score) {
			best = format;
			best_score = score;
		}
	}
	*wants_more &= best_score <= 0;
	return best;
}

const struct import_format *
import_sniff(struct slice head, const char *file_name)
{
	bool wants_more;

	return find_surest(head, file_name, NULL, &wants_more);
}

int
import_recognise(struct input *input, const struct import_format *only,
                 const struct import_format **format, struct slice *head, struct err *err)
{
	bool wants_more = true;

	for (size_t n = SNIFF_BYTES; wants_more && n <= SNIFF_BYTES_MAX; n *= SNIFF_GROWTH) {
		if (input_peek(input, n, head, err)) {
			return -1;
		}
		*format = find_surest(*head, input_path(input), only, &wants_more);
		wants_more &= head->len == n;
	}
	return 0;
}
