/* What import and merge share: an option, and what is said of a run that was made. */
#include "config.h"
#include "cli/cmd_import.h"

#include <stdio.h>

#include "store/store.h"
#include "util/format.h"
#include "util/utf8.h"

int
take_threads(const char *value, unsigned *n_threads, struct err *err)
{
	int64_t threads;

	if (!slice_int64(slice_of(value), &threads) || threads < 1 || threads > 256) {
		return err_set(err, ERR_USAGE, "--threads %s: not a number from 1 to 256", value);
	}
	*n_threads = (unsigned)threads;
	return 0;
}

static void
add_count(struct strbuf *line, uint64_t n, const char *one, const char *many)
{
	char number[FORMAT_BYTES];
	if (n) {
		strbuf_printf(line, ", %s %s", format_count(number, (int64_t)n),
		              n == 1 ? one : many);
	}
}

void
say_imported(const struct ingest_plan *plan, const struct ingest_summary *summary)
{
	char number[FORMAT_BYTES];
	struct strbuf line = {0};
	utf8_escape(&line, slice_of(summary->out_path));
	if (summary->is_held) {
		strbuf_add_text(&line, ": holds this already");
		puts(line.data);
		strbuf_free(&line);
		return;
	}
	strbuf_printf(&line, ": %s", plan ? plan->format : "a part");
	add_count(&line, summary->sources, "file", "files");
	add_count(&line, summary->records, "record", "records");
	add_count(&line, summary->spans, "span", "spans");
	add_count(&line, summary->tasks, "task", "tasks");
	add_count(&line, summary->transfers, "transfer", "transfers");
	strbuf_printf(&line, "; %s", format_size(number, (int64_t)summary->run_bytes));
	strbuf_printf(&line, " in %s", format_duration(number, (int64_t)(summary->seconds * 1e9)));
	if (summary->problems) {
		strbuf_printf(&line, "; %s problem%s: see lanescope info",
		              format_count(number, (int64_t)summary->problems),
		              summary->problems == 1 ? "" : "s");
	}
	puts(line.data);
	strbuf_free(&line);
}

bool
import_has_skipped(const char *run_path, const struct ingest_summary *summary)
{
	struct err err = ERR_INIT;
	bool skipped = summary->bad_records > 0;
	bool is_clean = !summary->problems && !summary->is_held; /* what is held was not counted */
	struct store *store = skipped || is_clean ? NULL : store_open(run_path, &err);
	struct stmt *stmt =
	    store ? store_prepare(store,
	                          "SELECT 1 FROM problem WHERE kind IN ('malformed', 'invalid', "
	                          "'duplicate', 'truncated') LIMIT 1",
	                          &err)
		  : NULL;
	skipped = skipped || (stmt && stmt_step(stmt, &err) == 1);
	stmt_free(stmt);
	store_close(store);
	return skipped;
}
