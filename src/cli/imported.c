/* What import and merge share: options, and what is said of a run that was made. */
#include "config.h"
#include "cli/cli.h"
#include "cli/cmd_import.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "query/saved/run_tags.h"
#include "store/store.h"
#include "util/format.h"
#include "util/utf8.h"

static int
take_threads(const char *value, unsigned *n_threads, struct err *err)
{
	int64_t threads;

	if (!slice_int64(slice_of(value), &threads) || threads < 1 || threads > 256) {
		return err_set(err, ERR_USAGE, "--threads %s: not a number from 1 to 256", value);
	}
	*n_threads = (unsigned)threads;
	return 0;
}

int
import_take(struct ingest_options *options, struct import_saying *say, int id, const char *value,
            struct err *err)
{
	switch (id) {
	case OPTION_OUT:
		options->out = value;
		return 0;
	case OPTION_FORCE:
		options->clash = CLASH_REPLACE;
		return 0;
	case OPTION_STRICT:
		say->is_strict = true;
		return 0;
	case OPTION_QUIET:
		say->is_quiet = true;
		return 0;
	case OPTION_THREADS:
		return take_threads(value, &options->n_threads, err);
	default:
		return 0;
	}
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

/* plan NULL: of a part. */
static void
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
		strbuf_printf(
		    &line, "; %s problem%s%s", format_count(number, (int64_t)summary->problems),
		    summary->problems == 1 ? "" : "s", plan ? ": see lanescope info" : "");
	}
	puts(line.data);
	strbuf_free(&line);
}

/* Were records skipped? Counted by the importer; what a file lost because it is cut short has no
 * count, but a problem. */
static bool
has_skipped(const char *run_path, const struct ingest_summary *summary)
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

/* Does the run at the place lack a tag that it was to get? */
static bool
lacks_tags(const char *run_path, const struct tag_list *tags)
{
	struct err err = ERR_INIT;
	struct run_tags held = {0};
	struct store *store = store_open(run_path, &err);
	bool lacks = false;

	if (store && run_tags_read(store, &held, &err) == 0) {
		for (size_t i = 0; !lacks && i < tags->n; i++) {
			const struct run_tag *tag = run_tags_find(&held, tags->all[i].key);
			lacks = strcmp(tag ? tag->value : "", tags->all[i].value) != 0;
		}
	}
	run_tags_free(&held);
	store_close(store);
	return lacks;
}

int
say_import(const struct ingest_plan *plan, const struct ingest_summary *summary,
           const struct import_saying *say)
{
	if (strcmp(summary->out_path, plan->out_path) != 0) {
		cli_say("%s holds another run: this one is %s", plan->out_path, summary->out_path);
	}
	if (!say->is_quiet) {
		say_imported(plan, summary);
	}
	if (summary->is_held && lacks_tags(summary->out_path, plan->tags)) {
		cli_say("%s: was imported with other tags, which stay: lanescope tag gives it "
		        "these, --force imports it again",
		        summary->out_path);
		return CLI_FAILED;
	}
	bool skipped = plan->n_problems > 0 || has_skipped(summary->out_path, summary);
	return say->is_strict && skipped ? CLI_SKIPPED : CLI_DONE;
}

int
say_part_import(const struct ingest_plan *plan, const struct ingest_summary *summary,
                const struct import_saying *say)
{
	bool skipped = (plan && plan->n_problems > 0) || summary->bad_records > 0;

	if (!say->is_quiet) {
		say_imported(NULL, summary);
	}
	return say->is_strict && skipped ? CLI_SKIPPED : CLI_DONE;
}
