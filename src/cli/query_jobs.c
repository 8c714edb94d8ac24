/*
 * An answer's file is called after a digest of the run's path as it was found: both sides find the
 * same files by the same words. The folder is in the current one, where the other machines see it
 * as they see the runs; it is gone when the program ends, however it does.
 */
#include "config.h"
#include "cli/query_jobs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/jobs.h"
#include "cli/path_list.h"
#include "util/digest.h"
#include "util/litter.h"
#include "util/pack.h"
#include "util/tempfile.h"

#define ANSWER_BYTES_MAX ((size_t)2 << 30)

static char *
answer_path(const char *folder, const char *run_path)
{
	struct digest digest;
	struct strbuf path = {0};
	char name[DIGEST_TEXT_BYTES];

	digest_init(&digest);
	digest_add(&digest, run_path, strlen(run_path));
	strbuf_printf(&path, "%s/%s", folder, digest_print(digest_end(&digest), name));
	return strbuf_take(&path);
}

static char *
end_path(const char *folder, unsigned nth, unsigned of)
{
	struct strbuf path = {0};

	strbuf_printf(&path, "%s/%u-of-%u", folder, nth, of);
	return strbuf_take(&path);
}

/* ---- the process that answers ---- */

static int
write_piece(void *user, struct pack *pack, struct err *err)
{
	FILE *file = user;
	struct slice bytes = strbuf_slice(&pack->bytes);
	size_t n = fwrite(bytes.ptr, 1, bytes.len, file);

	strbuf_clear(&pack->bytes);
	return n == bytes.len ? 0 : err_set_errno(err, errno, "can't write an answer");
}

/* What stands before an answer, or in its place. */
static void
pack_reason(struct pack *pack, struct err *why)
{
	uint32_t code = why->code;

	pack_small(pack, &code);
	pack_field(pack, why->message, sizeof why->message);
	pack->failed |= code > ERR_INTERNAL;
	why->code = pack->failed ? ERR_FORMAT : code;
}

static int
write_answer(FILE *file, struct result *result, struct err why, struct err *err)
{
	struct pack pack = {.user = file, .piece = write_piece};

	pack_reason(&pack, &why);
	if (result) {
		(void)result_pack(&pack, result);
	}
	int status = pack_end(&pack, err);
	return fclose(file) != 0 && status == 0 ? err_set_errno(err, errno, "can't write an answer")
	                                        : status;
}

/* It gets its name only when it is whole. */
int
query_jobs_keep(const struct query_jobs *jobs, const char *run_path, struct result *result,
                const struct err *why, struct err *err)
{
	char *path = answer_path(jobs->answers, run_path);
	char *temporary = tempfile_new(path, err);
	FILE *file = temporary ? fopen(temporary, "w") : NULL;
	int status = -1;

	if (file) {
		status = write_answer(file, result, *why, err);
	} else if (temporary) {
		err_set_errno(err, errno, "%s", temporary);
	}
	if (temporary && tempfile_end(temporary, path, status == 0) && status == 0) {
		status = err_set_errno(err, errno, "%s", path);
	}
	free(path);
	return status;
}

int
query_jobs_end(const struct query_jobs *jobs, struct err *err)
{
	char *path = end_path(jobs->answers, jobs->nth, jobs->of);
	FILE *file = fopen(path, "w");
	int status = file && fclose(file) == 0 ? 0 : err_set_errno(err, errno, "%s", path);

	free(path);
	return status;
}

/* ---- the one that waits ---- */

static bool
is_done(void *user, unsigned nth)
{
	const struct query_jobs *jobs = user;
	char *path = end_path(jobs->folder, nth, jobs->n);
	bool is_there = access(path, F_OK) == 0;

	free(path);
	return is_there;
}

/* Is the word one of the option? *takes: the next one is its value. */
static bool
is_option(const char *word, const char *option, bool *takes)
{
	size_t n = strlen(option);

	*takes = word[n] == '\0';
	return strncmp(word, option, n) == 0 && (*takes || word[n] == '=' || option[1] != '-');
}

/* The words of this call, but for what is about jobs and about where the answer goes. */
static void
copy_words(const struct cli *cli, struct path_list *words)
{
	static const char *const left[] = {"--jobs", "--with", "--out", "-o"};

	for (int i = 1; i < cli->argc; i++) {
		bool is_left = false, takes = false;
		for (size_t k = 0; k < COUNT_OF(left) && !is_left; k++) {
			is_left = strncmp(cli->argv[i], left[k], strlen(left[k])) == 0 &&
			          is_option(cli->argv[i], left[k], &takes);
		}
		if (!is_left) {
			path_list_add(words, cli->argv[i]);
		}
		i += is_left && takes;
	}
}

int
query_jobs_run(struct query_jobs *jobs, const struct cli *cli, struct err *err)
{
	struct path_list words = {0};
	struct jobs_call call = {.n = jobs->n,
	                         .launcher = jobs->launcher,
	                         .is_done = is_done,
	                         .user = jobs,
	                         .cancel = &cli->cancel};
	int status;

	jobs->folder = tempfile_folder("lanescope.answers", err);
	if (!jobs->folder) {
		return -1;
	}
	path_list_add(&words, "query");
	path_list_add(&words, "--answers");
	path_list_add(&words, jobs->folder);
	path_list_add(&words, "--part");
	call.part_word = words.n;
	path_list_add(&words, "");
	copy_words(cli, &words);
	call.words = words.paths;
	call.n_words = words.n;
	status = jobs_run(&call, err);
	path_list_free(&words);
	return status;
}

/* All of a file is its only piece. */
static int
read_piece(void *user, struct pack *pack, struct err *err)
{
	FILE *file = user;
	char bytes[65536];
	size_t n;

	while (pack->bytes.len < ANSWER_BYTES_MAX &&
	       (n = fread(bytes, 1, sizeof bytes, file)) > 0) {
		strbuf_add(&pack->bytes, bytes, n);
	}
	return ferror(file) ? err_set_errno(err, errno, "can't read an answer") : 0;
}

static struct result *
read_answer(FILE *file, struct err *err)
{
	struct pack pack = {.is_reading = true, .user = file, .piece = read_piece};
	struct result *result = NULL;
	struct err why = ERR_INIT;

	pack_break(&pack);
	pack_reason(&pack, &why);
	if (why.code == ERR_NONE && !pack.failed) {
		result = result_pack(&pack, NULL);
	}
	if (pack_end(&pack, err)) {
		result_free(result);
		return NULL;
	}
	if (!result) {
		*err = why;
	}
	return result;
}

struct result *
query_jobs_load(const struct query_jobs *jobs, const char *run_path, struct err *err)
{
	char *path = answer_path(jobs->folder, run_path);
	FILE *file = fopen(path, "r");
	struct result *result = file ? read_answer(file, err) : NULL;

	if (file) {
		(void)fclose(file); /* only read */
	} else {
		err_set_errno(err, errno, "no process has answered for it: %s", path);
	}
	free(path);
	return result;
}

void
query_jobs_fini(struct query_jobs *jobs)
{
	if (jobs->folder) {
		litter_remove(jobs->folder);
		free(jobs->folder);
		jobs->folder = NULL;
	}
}
