/* The line `plot:` of a header: "line x=block_size y=completion_time,best log=x". */
#include "config.h"
#include "query/saved/query_file.h"

#include <string.h>

#include "query/saved/list.h"

bool
query_plot_next(struct slice *rest, struct slice *name, struct slice *value)
{
	struct slice word = slice_take_word(rest);
	const char *equals = word.len > 0 ? memchr(word.ptr, '=', word.len) : NULL;

	*name = equals ? (struct slice){word.ptr, (size_t)(equals - word.ptr)} : word;
	*value = equals ? slice_from(word, name->len + 1) : (struct slice){"", 0};
	return word.len > 0;
}

static bool
are_columns(struct slice list, const struct result_column *columns, size_t n)
{
	for (struct slice item; list_next(&list, &item);) {
		if (column_find(columns, n, item) < 0) {
			return false;
		}
	}
	return true;
}

bool
query_plot_is_known(const char *plot, const struct result_column *columns, size_t n,
                    struct slice *unknown)
{
	struct slice value;
	bool is_first = true;

	for (struct slice rest = slice_of(plot); query_plot_next(&rest, unknown, &value);
	     is_first = false) {
		bool is_column = slice_is(*unknown, "x") || slice_is(*unknown, "y") ||
		                 slice_is(*unknown, "series");

		if (is_first ? value.len > 0
		             : value.len == 0 || !(is_column || slice_is(*unknown, "log"))) {
			return false;
		}
		if (is_column && !are_columns(value, columns, n)) {
			*unknown = value;
			return false;
		}
	}
	return true;
}
