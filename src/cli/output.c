/*
 * Output to a file goes to a temporary file beside it, which takes its place only when everything
 * was written: a script that dies half-way leaves the old answer, never half of a new one. Devices,
 * pipes and descriptors are written in place. What an answer was made of is never replaced by it.
 *
 * A pager gets tables on terminals only, and only if there is one: LANESCOPE_PAGER, PAGER, else
 * less, told to leave at once when the table fits the screen.
 */
#include "config.h"
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "query/saved/target.h"
#include "util/tempfile.h"
#include "util/budget.h"
#include "util/utf8.h"

int
output_take(void *user, int id, const char *value, struct err *err)
{
	struct output_choice *choice = user;
	int64_t limit;
	switch (id) {
	case OPTION_FORMAT:
		choice->format = value;
		return export_format_find(value, err) ? 1 : -1;
	case OPTION_OUT:
		choice->path = value;
		return 1;
	case OPTION_SORT:
		choice->sort = value;
		return 1;
	case OPTION_COLUMNS:
		choice->columns = value;
		return 1;
	case OPTION_PATH:
		choice->has_path = true;
		return 1;
	case OPTION_NO_HEADER:
		choice->no_header = true;
		return 1;
	case OPTION_SAFE_CSV:
		choice->safe_csv = true;
		return 1;
	case OPTION_NO_PAGER:
		choice->no_pager = true;
		return 1;
	case OPTION_SUM:
	case OPTION_NO_SUM:
		choice->sums = id == OPTION_SUM ? SUMS_ALWAYS : SUMS_NEVER;
		choice->sums_are_set = true;
		return 1;
	case OPTION_LIMIT:
		if (!slice_int64(slice_of(value), &limit) || limit < 0) {
			return err_set(err, ERR_USAGE, "--limit %s: not a number of rows", value);
		}
		choice->limited = true;
		choice->limit = (size_t)limit;
		return 1;
	default:
		return 0;
	}
}

static bool
is_to_stdout(const struct output_choice *choice)
{
	return !choice->path || strcmp(choice->path, "-") == 0;
}

static void
refuse_ending(const char *path, const char *ending, struct err *err)
{
	struct strbuf list = {0};
	for (const struct export_format *format = export_formats; format->name; format++) {
		strbuf_printf(&list, "%s.%s", list.len ? ", " : "", format->extension);
	}
	err_set(err, ERR_USAGE,
	        "%s: %s is not written here, but %s; --format writes one of them under this name",
	        path, ending, list.data);
	strbuf_free(&list);
}

const struct export_format *
output_choose_format(const struct output_choice *choice, struct err *err)
{
	bool is_terminal = is_to_stdout(choice) && isatty(STDOUT_FILENO);
	const char *slash = choice->path ? strrchr(choice->path, '/') : NULL;
	const char *dot = choice->path ? strrchr(slash ? slash : choice->path, '.') : NULL;
	if (choice->format) {
		return export_format_find(choice->format, err);
	}
	for (const struct export_format *format = export_formats; dot && format->name; format++) {
		if (strcasecmp(dot + 1, format->extension) == 0) {
			return format;
		}
	}
	if (choice->path && target_is_foreign(choice->path) && !target_is_special(choice->path)) {
		refuse_ending(choice->path, dot, err);
		return NULL;
	}
	return export_format_find(is_terminal ? "table" : "csv", err);
}

static bool
has_less(void)
{
	const char *path = getenv("PATH");
	struct strbuf file = {0};
	bool found = false;
	while (path && *path && !found) {
		size_t n = strcspn(path, ":");
		strbuf_clear(&file);
		strbuf_printf(&file, "%.*s/less", (int)n, path);
		found = n > 0 && access(file.data, X_OK) == 0;
		path += n + (path[n] == ':');
	}
	strbuf_free(&file);
	return found;
}

/* NULL: no pager. */
static const char *
pager_command(void)
{
	const char *pager = getenv("LANESCOPE_PAGER");
	pager = pager ? pager : getenv("PAGER");
	if (pager) {
		return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
	}
	return has_less() ? "less -FRX" : NULL;
}

/* Standard output goes on into the pager; the parent keeps the write end as a FILE. Without one (no
 * processes left, say) the answer goes to the terminal as it is. */
static void
start_pager(struct output *output)
{
	int ends[2];
	const char *command = pager_command();
	if (!command || pipe(ends) != 0) {
		return;
	}
	pid_t pid = fork();
	if (pid == 0) {
		budget_lift();
		(void)dup2(ends[0], STDIN_FILENO);
		(void)close(ends[0]);
		(void)close(ends[1]);
		(void)execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	(void)close(ends[0]);
	FILE *file = pid > 0 ? fdopen(ends[1], "w") : NULL;
	if (!file) {
		(void)close(ends[1]);
		return;
	}
	(void)signal(SIGPIPE, SIG_IGN); /* who leaves the pager early has seen enough */
	(void)signal(SIGALRM, SIG_IGN); /* after SIGINT: the pager has the terminal until it ends */
	output->file = file;
	output->pager = pid;
}

/* N of "/dev/fd/N" and the like: whoever opened it wants the bytes there, not a file of that name.
 * -1: none. */
static int
descriptor_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	int64_t number;
	if (strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0) {
		return path[8] == 'o' ? STDOUT_FILENO : STDERR_FILENO;
	}
	for (size_t i = 0; i < 2; i++) {
		size_t n = strlen(folders[i]);
		if (strncmp(path, folders[i], n) == 0 && slice_int64(slice_of(path + n), &number) &&
		    number >= 0 && number < 65536) {
			return (int)number;
		}
	}
	return -1;
}

int
output_check(const struct output_choice *choice, struct err *err)
{
	static const struct path_list none;
	const struct path_list *inputs = choice->inputs ? choice->inputs : &none;
	if (is_to_stdout(choice) || descriptor_of(choice->path) >= 0) {
		return 0;
	}
	return target_check(choice->path, (const char *const *)inputs->paths, inputs->n, err);
}

static int
open_file(struct output *output, const char *path, struct err *err)
{
	struct stat status;
	int descriptor = descriptor_of(path);
	if (descriptor >= 0) {
		int fd = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
		output->file = fd < 0 ? NULL : fdopen(fd, "w");
		return output->file ? 0 : err_set_errno(err, errno, "%s", path);
	}
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
		output->file =
		    fopen(path, "we"); /* a device or a pipe; a folder fails with its reason */
		return output->file ? 0 : err_set_errno(err, errno, "%s", path);
	}
	char *real = xrealpath(path); /* a link stays a link */
	output->path = real ? real : xstrdup(path);
	int fd = tempfile_create(output->path, 0666, &output->temporary);
	if (fd < 0) {
		return err_set_errno(err, errno, "%s", path);
	}
	output->file = fdopen(fd, "w");
	if (!output->file) {
		err_set_errno(err, errno, "%s", path);
		(void)tempfile_end(output->temporary, output->path, false);
		output->temporary = NULL;
		close(fd);
		return -1;
	}
	return 0;
}

int
output_open(struct output *output, const struct output_choice *choice, struct err *err)
{
	bool to_stdout = is_to_stdout(choice);
	*output =
	    (struct output){.file = stdout, .is_terminal = to_stdout && isatty(STDOUT_FILENO)};
	output->format = output_check(choice, err) ? NULL : output_choose_format(choice, err);
	if (!output->format) {
		return -1;
	}
	output->options = (struct export_options){
	    .header = !choice->no_header,
	    .escape = output->is_terminal,
	    .safe = choice->safe_csv,
	    .ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0,
	    .width = output->is_terminal ? cli_width(stdout) : 0,
	};
	if (!to_stdout && open_file(output, choice->path, err)) {
		free(output->path);
		output->path = NULL;
		return -1;
	}
	if (output->is_terminal && !choice->no_pager &&
	    strcmp(output->format->name, "table") == 0) {
		start_pager(output);
	}
	return 0;
}

static int
finish_file(struct output *output, bool ok, struct err *err)
{
	int rc = 0;
	if (ok && output->temporary && fsync(fileno(output->file)) != 0 && errno != EINVAL) {
		rc = err_set_errno(err, errno, "%s", output->path);
	}
	if (fclose(output->file) != 0 && rc == 0 && ok) {
		rc = err_set_errno(err, errno, "%s", output->path ? output->path : "output");
	}
	if (output->temporary && tempfile_end(output->temporary, output->path, ok && rc == 0)) {
		rc = err_set_errno(err, errno, "%s", output->path);
	}
	output->temporary = NULL;
	return rc;
}

static int
output_failed(struct err *err)
{
	return err_set_errno(err, errno ? errno : EIO, "can't write the output");
}

int
output_stream_columns(void *user, const struct result_column *columns, size_t n, struct err *err)
{
	struct output_stream *stream = user;
	const struct output *output = stream->output;
	(void)err;
	stream->columns = xcalloc(n + 1, sizeof *columns);
	memcpy(stream->columns, columns, n * sizeof *columns);
	exporter_open(&stream->exporter, output->format, &output->options, output->file,
	              stream->columns, n);
	return 0;
}

int
output_stream_row(void *user, const struct value *values, struct err *err)
{
	struct output_stream *stream = user;
	exporter_row(&stream->exporter, values);
	return ferror(stream->output->file) ? output_failed(err) : 0;
}

int
output_stream_end(struct output_stream *stream, int rc, struct err *err)
{
	struct err closing = ERR_INIT;
	if (stream->columns && exporter_close(&stream->exporter, &closing) && rc == 0) {
		*err = closing;
		rc = -1;
	}
	free(stream->columns);
	return rc;
}

int
output_close(struct output *output, int rc, struct err *err)
{
	bool ok = rc == 0;
	if (output->pager) {
		(void)fclose(output->file); /* a pager that was left early is no error */
		while (waitpid(output->pager, NULL, 0) < 0 && errno == EINTR) {
		}
	} else if (output->file == stdout) {
		errno = 0;
		if ((fflush(stdout) != 0 || ferror(stdout)) && ok) {
			rc = output_failed(err);
		}
	} else if (finish_file(output, ok, err)) {
		rc = -1;
	}
	free(output->path);
	free(output->temporary);
	return rc;
}

static void
print_notes(const struct result *result, struct output *output, struct strbuf *kept)
{
	bool above = output->is_terminal && strcmp(output->format->name, "table") == 0;
	for (size_t i = 0; kept && i < result->n_notes; i++) {
		strbuf_printf(kept, "%s%s", kept->len ? "\n" : "", result->notes[i]);
	}
	for (size_t i = 0; !kept && i < result->n_notes; i++) {
		if (!above) {
			cli_say("note: %s", result->notes[i]);
			continue;
		}
		struct strbuf shown = {0};
		utf8_escape(&shown, slice_of(result->notes[i]));
		fprintf(output->file, "note: %s\n", shown.data ? shown.data : "");
		strbuf_free(&shown);
	}
	if (above && result->n_notes) {
		fputc('\n', output->file);
	}
}

/* NULL: none are wanted. For people, not where each would repeat its only row. */
static struct sum_rows *
make_sums(struct result *result, const struct output_choice *choice,
          const struct export_format *format)
{
	bool is_wanted = choice->sums == SUMS_ALWAYS ||
	                 (choice->sums == SUMS_FOR_PEOPLE && strcmp(format->name, "table") == 0);
	struct sum_rows *sums = is_wanted && result_has_sums(result) ? result_sums(result) : NULL;

	if (sums && choice->sums == SUMS_FOR_PEOPLE && sum_rows_most(sums) < 2) {
		sum_rows_free(sums);
		sums = NULL;
	}
	return sums;
}

int
output_arrange(struct result *result, const struct output_choice *choice, struct err *err)
{
	const struct export_format *format = output_choose_format(choice, err);
	if (!format) {
		return -1;
	}
	struct sum_rows *sums = make_sums(result, choice, format);
	int rc = choice->sort ? result_sort(result, choice->sort, err) : 0;

	if (rc == 0 && choice->limited) {
		(choice->limits_each ? result_limit_each : result_limit)(result, choice->limit);
	}
	if (rc) {
		sum_rows_free(sums);
		return -1;
	}
	result_add_sums(result, sums);
	return choice->columns && result_pick_columns(result, choice->columns, err)
	           ? err_wrap(err, "--columns")
	           : 0;
}

/* Programs tell a row of sums by a column, and read notes as a field. */
static int
export_arranged(const struct result *result, const struct output *output, bool tells_notes,
                struct err *err)
{
	bool is_marked = result->n_sums > 0 && output->format->row;
	struct result *marked = is_marked ? result_mark_sums(result) : NULL;
	bool is_json = strncmp(output->format->name, "json", 4) == 0 ||
	               strcmp(output->format->name, "frame") == 0;
	struct result *told =
	    tells_notes && is_json ? result_with_notes(marked ? marked : result) : NULL;
	int rc = export_result(told     ? told
	                       : marked ? marked
	                                : result,
	                       output->format, &output->options, output->file, err);

	result_free(told);
	result_free(marked);
	return rc;
}

/* What an answer is said to be of; NULL: the whole run. To be freed. */
static char *
scope_words(const struct output_choice *choice)
{
	struct strbuf words = {0};

	if (!choice->scope || choice->scope->n == 0) {
		return NULL;
	}
	strbuf_add_text(&words, "scope: ");
	scope_write(choice->scope, &words);
	return strbuf_take(&words);
}

void
output_note_scope(struct result *result, const struct output_choice *choice)
{
	char *words = scope_words(choice);

	if (words) {
		result_add_note(result, "%s", words);
	}
	free(words);
}

void
output_say_scope(const struct output_choice *choice)
{
	char *words = scope_words(choice);

	if (words) {
		cli_say("note: %s", words);
	}
	free(words);
}

int
output_results(struct result *const *results, size_t n, const struct output_choice *choice,
               struct err *err)
{
	struct output output;
	int rc = 0;
	if (n > 0) {
		output_note_scope(results[0], choice);
	}
	for (size_t i = 0; i < n; i++) {
		if (output_arrange(results[i], choice, err)) {
			return -1;
		}
	}
	if (output_open(&output, choice, err)) {
		return -1;
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (i) {
			fputc('\n', output.file);
		}
		print_notes(results[i], &output, choice->notes);
		rc = export_arranged(results[i], &output, choice->tells_notes, err);
	}
	if (output.pager) {
		rc = 0;
	}
	return output_close(&output, rc, err);
}

int
output_result(struct result *result, const struct output_choice *choice, struct err *err)
{
	return output_results(&result, 1, choice, err);
}

struct result *
output_stack(struct result *const *results, struct run_set *runs,
             const struct output_choice *choice, struct err *err)
{
	const char *const *paths = (const char *const *)runs->paths.paths;
	const struct run_tags *tags = run_set_tags(runs, err);
	return tags ? query_stack(results, runs->names, choice->has_path ? paths : NULL, tags,
	                          runs->n, err)
	            : NULL;
}
