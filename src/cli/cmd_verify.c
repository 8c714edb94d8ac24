/* lanescope verify RUN...: is every page of a run file as it was written? */
#include "config.h"
#include "cli/open.h"
#include "cli/output.h"

#include "query/saved/query.h"
#include "store/runfile.h"

enum { VERIFY_RUN, VERIFY_PAGES, VERIFY_BYTES, VERIFY_DAMAGED, VERIFY_FIRST, VERIFY_COLUMNS };
static const struct result_column columns[] = {
    [VERIFY_RUN] = {.name = "run", .kind = KIND_TEXT, .is_key = true},
    [VERIFY_PAGES] = {.name = "pages", .kind = KIND_COUNT},
    [VERIFY_BYTES] = {.name = "file_bytes", .kind = KIND_SIZE},
    [VERIFY_DAMAGED] = {.name = "damaged", .kind = KIND_COUNT},
    [VERIFY_FIRST] = {.name = "first_damaged", .kind = KIND_INTEGER},
};

/* The run's own word on pages of zeros, and whether it can be opened at all. */
static int
count_zero_pages(const char *path, int64_t *pages, struct err *err)
{
	struct store *store = store_open(path, err);
	struct stmt *stmt =
	    store ? store_prepare(store, "SELECT zero_pages FROM run_whole", err) : NULL;
	int status = stmt && stmt_step(stmt, err) == 1 ? 0 : -1;
	if (status == 0) {
		*pages = stmt_integer(stmt, 0);
	}
	stmt_free(stmt);
	store_close(store);
	return status;
}

/* One run file, and a row for it where it can be read; 0 if nothing is wrong with it. */
static int
verify_file(struct cli *cli, const char *path, struct result *result, struct err *err)
{
	struct file_identity identity;
	struct runfile_pages pages;
	int64_t zero_pages;
	if (runfile_check(path, &identity, err) ||
	    runfile_verify(path, &pages, &cli->cancel, err)) {
		return -1;
	}
	struct value *row = result_add_row(result);
	row[VERIFY_RUN] = value_text(result, slice_of(path));
	row[VERIFY_PAGES] = value_integer(pages.n);
	row[VERIFY_BYTES] = value_integer(pages.n * pages.page_bytes);
	row[VERIFY_DAMAGED] = value_integer(pages.damaged);
	if (pages.damaged) {
		row[VERIFY_FIRST] = value_integer(pages.first);
		return err_set(err, ERR_FORMAT,
		               "%s: is damaged (pages that are not as they were written: %lld of "
		               "%lld, the first is %lld): copy the file again or import its traces "
		               "again",
		               path, (long long)pages.damaged, (long long)pages.n,
		               (long long)pages.first);
	}
	if (count_zero_pages(path, &zero_pages, err)) {
		return -1;
	}
	if (zero_pages == 0 && pages.zero) {
		row[VERIFY_DAMAGED] = value_integer(pages.zero);
		return err_set(err, ERR_FORMAT,
		               "%s: is damaged (pages that are lost, with zeros instead: %lld of "
		               "%lld): copy the file again or import its traces again",
		               path, (long long)pages.zero, (long long)pages.n);
	}
	return 0;
}

/* Of all arguments; those that name no run file are said. */
static size_t
find_files(struct cli *cli, struct path_list *paths)
{
	size_t n_failed = 0;
	for (size_t i = 0; i < cli->n_words; i++) {
		struct err err = ERR_INIT;
		if (find_only_runs(cli->words[i], "only these have checksums", paths, &err)) {
			cli_say("%s", err.message);
			n_failed++;
		}
	}
	return n_failed;
}

int
command_verify(struct cli *cli)
{
	struct output_choice choice = {0};
	struct path_list paths = {0};
	struct err err = ERR_INIT;
	if (options_parse(cli, output_take, &choice, &err) ||
	    (!cli->n_words && err_set(&err, ERR_USAGE, "which run?"))) {
		return cli_usage(cli, &err);
	}
	size_t n_failed = find_files(cli, &paths);
	struct result *result = result_new("Run files", columns, VERIFY_COLUMNS);
	choice.inputs = &paths;
	for (size_t i = 0; i < paths.n && err.code != ERR_CANCELLED; i++) {
		err = (struct err)ERR_INIT;
		if (verify_file(cli, paths.paths[i], result, &err) && err.code != ERR_CANCELLED) {
			cli_say("%s", err.message);
			n_failed++;
		}
	}
	int status = n_failed ? CLI_FAILED : CLI_DONE;
	if (err.code == ERR_CANCELLED || output_result(result, &choice, &err)) {
		status = cli_fail(&err);
	}
	result_free(result);
	path_list_free(&paths);
	return status;
}
