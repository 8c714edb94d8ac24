#include "config.h"
#include "cli/complete_tags.h"

#include <sys/stat.h>

#include "cli/open.h"
#include "cli/resolve.h"
#include "query/saved/run_table.h"

static void
add_path(struct path_list *paths, const char *name)
{
	struct strbuf path = {0};
	struct stat status;
	struct err ignored = ERR_INIT;

	if (resolve_name(name, &path, NULL, &ignored) == 0) {
		strbuf_add_text(&path, name);
	}
	if (path.len > 0 && stat(path.data, &status) == 0) {
		path_list_add(paths, path.data);
	}
	strbuf_free(&path);
}

/* A row a run; NULL: there is none to be read. */
static struct result *
read_runs(const char *const *arguments, size_t n)
{
	struct path_list paths = {0};
	struct err ignored = ERR_INIT;
	size_t n_plain;

	for (size_t i = 0; i < n; i++) {
		add_path(&paths, arguments[i]);
	}
	if (paths.n == 0) {
		path_list_add(&paths, ".");
	}
	struct run_list *runs = run_list_new((const char *const *)paths.paths, paths.n, &ignored);
	struct result *table = runs ? run_table_new(runs, &n_plain) : NULL;
	run_list_free(runs);
	path_list_free(&paths);
	return table;
}

void
complete_tag_names(const char *const *arguments, size_t n,
                   void (*take)(void *user, struct slice name), void *user)
{
	struct result *table = read_runs(arguments, n);

	for (size_t i = 0; table && i < table->n_columns; i++) {
		struct slice name = slice_of(table->columns[i].name);

		if (column_find(run_columns, RUN_COLUMNS, name) < 0) {
			take(user, name);
		}
	}
	result_free(table);
}

void
complete_tag_values(const char *const *arguments, size_t n, struct slice name,
                    void (*take)(void *user, struct slice value), void *user)
{
	struct result *table = read_runs(arguments, n);
	int column = table ? column_find(table->columns, table->n_columns, name) : -1;
	char text[FORMAT_BYTES];

	for (size_t row = 0; column >= 0 && row < table->n_rows; row++) {
		const struct value *value = result_value(table, row, (size_t)column);
		size_t before = 0;

		while (before < row &&
		       value_compare(result_value(table, before, (size_t)column), value) != 0) {
			before++;
		}
		if (before == row && value->type != VALUE_NULL) {
			take(user, value_show(value, KIND_TEXT, text));
		}
	}
	result_free(table);
}
