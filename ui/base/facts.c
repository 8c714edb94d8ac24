/* Facts are left out where the screen is narrow: a dialect of several words first, then from the
 * end, and whole: half a number would be another one. */
#include "config.h"

#include "ui/base/facts.h"

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
		strbuf_printf(facts, ", %s %s", format_count(count, n), n == 1 ? one : many);
	}
}

void
facts_add_exact(struct strbuf *out, int64_t number)
{
	char digits[24];
	size_t n = (size_t)snprintf(digits, sizeof digits, "%lld", (long long)number);

	for (size_t i = 0; i < n; i++) {
		strbuf_printf(out, i > 0 && (n - i) % 3 == 0 ? " %c" : "%c", digits[i]);
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

static void
draw_those_that_fit(struct canvas *canvas, int y, int columns, const struct run_info *info,
                    struct slice facts)
{
	struct strbuf line = {0};

	strbuf_printf(&line, "%s%s%s%.*s", info->format, *info->dialect ? " " : "", info->dialect,
	              (int)facts.len, facts.ptr);
	/* one word ("pytorch") tells more than the last facts, a list of kinds of files does not */
	if (strchr(info->dialect, ' ') && utf8_columns(strbuf_slice(&line)) > (size_t)columns) {
		strbuf_clear(&line);
		strbuf_printf(&line, "%s%.*s", info->format, (int)facts.len, facts.ptr);
	}
	canvas_text(canvas, MARGIN, y, columns, STYLE_HEADER,
	            that_fit(strbuf_slice(&line), columns));
	strbuf_free(&line);
}

void
facts_draw(struct canvas *canvas, int y, int width, const struct run_info *info, struct slice facts)
{
	int64_t n_problems = info->n_problems;
	char problems[FORMAT_BYTES + 16], count[FORMAT_BYTES];
	int right, columns;

	snprintf(problems, sizeof problems, "%s problem%s",
	         n_problems > 0 ? format_count(count, n_problems) : "no",
	         n_problems == 1 ? "" : "s");
	right = (int)strlen(problems);
	columns = width - right - MARGIN - 3;
	if (columns > 0) {
		draw_those_that_fit(canvas, y, columns, info, facts);
	}
	canvas_puts(canvas, width - right - 1, y, n_problems > 0 ? STYLE_ERROR : STYLE_MUTED,
	            problems);
}
