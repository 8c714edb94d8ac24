/* Facts are left out from the end where the screen is narrow, and whole: half a number would be another one. */
#include "config.h"

#include "ui/facts.h"

#include <stdio.h>
#include <string.h>

#include "util/format.h"
#include "util/utf8.h"

#define MARGIN 2

void
facts_add_count(struct strbuf *facts, int64_t n, const char *one, const char *many)
{
	char count[FORMAT_BYTES];

	if (n > 0) {
		strbuf_printf(facts, "%s%s %s", facts->len > 0 ? ", " : "", format_count(count, n),
		              n == 1 ? one : many);
	}
}

static struct slice
that_fit(struct slice facts, int columns)
{
	while (facts.len > 0 && utf8_columns(facts) > (size_t)columns) {
		do {
			facts.len--;
		} while (facts.len > 0 && facts.ptr[facts.len] != ',');
	}
	return facts;
}

void
facts_draw(struct canvas *canvas, int y, int width, struct slice facts, int64_t n_problems)
{
	char problems[FORMAT_BYTES + 16], count[FORMAT_BYTES];
	int right, columns;

	snprintf(problems, sizeof(problems), "%s problem%s",
	         n_problems > 0 ? format_count(count, n_problems) : "no",
	         n_problems == 1 ? "" : "s");
	right = (int)strlen(problems);
	columns = width - right - MARGIN - 3;
	if (columns > 0) {
		canvas_text(canvas, MARGIN, y, columns, STYLE_HEADER, that_fit(facts, columns));
	}
	canvas_puts(canvas, width - right - 1, y, n_problems > 0 ? STYLE_ERROR : STYLE_MUTED,
	            problems);
}
