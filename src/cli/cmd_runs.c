/* lanescope runs [FOLDER]...: what is here. */
#include "config.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/runs.h"

#include "query/runs.h"

static int
take(void *user, int id, const char *value, struct err *err)
{
	return output_take(user, id, value, err) < 0 ? -1 : 0;
}

enum {
	RUN_NAME,
	RUN_FORMAT,
	RUN_STARTED,
	RUN_DURATION,
	RUN_LANES,
	RUN_RECORDS,
	RUN_PROBLEMS,
	RUN_BYTES,
	RUN_PATH,
	RUN_COLUMNS
};
static const struct result_column columns[RUN_COLUMNS] = {
    [RUN_NAME] = {.name = "run", .kind = KIND_TEXT},
    [RUN_FORMAT] = {.name = "format", .kind = KIND_TEXT},
    [RUN_STARTED] = {.name = "started", .kind = KIND_CLOCK},
    [RUN_DURATION] = {.name = "duration", .kind = KIND_DURATION},
    [RUN_LANES] = {.name = "lanes", .kind = KIND_COUNT},
    [RUN_RECORDS] = {.name = "records", .kind = KIND_COUNT},
    [RUN_PROBLEMS] = {.name = "problems", .kind = KIND_COUNT},
    [RUN_BYTES] = {.name = "file_bytes", .kind = KIND_SIZE},
    [RUN_PATH] = {.name = "path", .kind = KIND_TEXT},
};

static struct result *
list_runs(const struct run_list *runs)
{
	struct result *result = result_new("Runs", columns, RUN_COLUMNS);
	for (size_t i = 0; i < runs->n; i++) {
		const struct run_entry *entry = &runs->entries[i];
		if (entry->error) {
			cli_say("%s", entry->error);
			continue;
		}
		struct value *row = result_add_row(result);
		row[RUN_NAME] = value_text(result, slice_of(entry->info.name));
		row[RUN_FORMAT] = value_text(result, slice_of(entry->info.format));
		if (slice_is(slice_of(entry->info.clock), "wall")) { /* other clocks tell no date */
			row[RUN_STARTED] = value_integer(entry->info.start_ns);
		}
		row[RUN_DURATION] = value_integer(entry->info.duration_ns);
		row[RUN_LANES] = value_integer(entry->info.n_lanes);
		row[RUN_RECORDS] = value_integer(entry->info.n_records);
		row[RUN_PROBLEMS] = value_integer(entry->info.n_problems);
		row[RUN_BYTES] = value_integer(entry->file_bytes);
		row[RUN_PATH] = value_text(result, slice_of(entry->path));
	}
	return result;
}

int
runs_print(const char *const *paths, size_t n_paths, const struct output_choice *choice,
           struct err *err)
{
	struct run_list *runs = run_list_new(paths, n_paths, err);
	if (!runs) {
		return -1;
	}
	struct result *result = list_runs(runs);
	if (result->n_rows == 0) {
		result_add_note(result, "no run files here; lanescope import TRACE... makes one");
	}
	int rc = output_result(result, choice, err);
	result_free(result);
	run_list_free(runs);
	return rc;
}

int
command_runs(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct output_choice choice = {0};
	struct err err = ERR_INIT;
	static const char *const here[] = {"."};
	(void)cli; /* nothing here takes long */
	int first = options_parse(command, argc, argv, take, &choice, &err);
	if (first < 0) {
		return first == -1 ? cli_usage(command, &err) : CLI_DONE;
	}
	bool given = argc > first;
	int rc = runs_print(given ? (const char *const *)(argv + first) : here,
	                    given ? (size_t)(argc - first) : 1, &choice, &err);
	return rc ? cli_fail(&err) : CLI_DONE;
}
