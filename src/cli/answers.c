/*
 * An answer's file is called after a digest of what it is about, as the path of a run: both sides
 * find the same files by the same words. The file that ends a process's answers tells what it
 * could not read though it went on: answers are no surer for coming from elsewhere. The folder is
 * in the current one, where the other machines see it as they see the runs; it is gone when the
 * program ends, however it does.
 */
#include "config.h"
#include "cli/answers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/jobs.h"
#include "cli/options.h"
#include "cli/path_list.h"
#include "store/store.h"
#include "util/digest.h"
#include "util/litter.h"
#include "util/tempfile.h"

#define ANSWER_BYTES_MAX ((size_t)2 << 30)

static char *
answer_path(const char *folder, const char *about)
{
	struct digest digest;
	struct strbuf path = {0};
	char name[DIGEST_TEXT_BYTES];

	digest_init(&digest);
	digest_add(&digest, about, strlen(about));
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

/* ---- the options ---- */

int
answers_take(struct answer_jobs *answers, int id, const char *value, struct err *err)
{
	switch (id) {
	case OPTION_JOBS:
		return take_jobs(value, &answers->n, err) ? -1 : 1;
	case OPTION_WITH:
		answers->launcher = value;
		return 1;
	case OPTION_ONE_PART:
		return jobs_number(value, &answers->nth, &answers->of, err) ? -1 : 1;
	case OPTION_ANSWERS:
		answers->left_in = value;
		cli_say_errors_only();
		return 1;
	default:
		return 0;
	}
}

int
answers_check(const struct answer_jobs *answers, struct err *err)
{
	return answers->launcher && !answers->n
	           ? err_set(err, ERR_USAGE,
	                     "--with starts the processes of --jobs: how many are they?")
	       : answers->left_in && !answers->of
	           ? err_set(err, ERR_USAGE, "--answers is of a part: --part is missing")
	       : answers->n && answers->of ? err_set(err, ERR_USAGE, "--jobs can't be with --part")
	                                   : 0;
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
write_answer(FILE *file, answer_pack *pack_answer, void *answer, struct err why, struct err *err)
{
	struct pack pack = {.user = file, .piece = write_piece};

	pack_reason(&pack, &why);
	if (answer) {
		pack_answer(&pack, answer);
	}
	int status = pack_end(&pack, err);
	return fclose(file) != 0 && status == 0 ? err_set_errno(err, errno, "can't write an answer")
	                                        : status;
}

/* It gets its name only when it is whole. The path is freed. */
static int
write_file(char *path, answer_pack *pack, void *answer, const struct err *why, struct err *err)
{
	char *temporary = tempfile_new(path, err);
	FILE *file = temporary ? fopen(temporary, "w") : NULL;
	int status = -1;

	if (file) {
		status = write_answer(file, pack, answer, *why, err);
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
answers_keep(const struct answer_jobs *answers, const char *about, answer_pack *pack, void *answer,
             const struct err *why, struct err *err)
{
	return write_file(answer_path(answers->left_in, about), pack, answer, why, err);
}

int
answers_end(const struct answer_jobs *answers, struct cli *cli, struct err *err)
{
	struct err failure = ERR_INIT;

	(void)store_failure(&failure);
	cli->is_asked = true;
	return write_file(end_path(answers->left_in, answers->nth, answers->of), NULL, NULL,
	                  &failure, err);
}

/* ---- the one that waits ---- */

static bool
is_done(void *user, unsigned nth)
{
	const struct answer_jobs *answers = user;
	char *path = end_path(answers->folder, nth, answers->n);
	bool is_there = access(path, F_OK) == 0;

	free(path);
	return is_there;
}

/* "--name=value", as whoever reads them takes them for what they were taken for here. */
static void
add_given(struct path_list *words, const struct cli_given *given)
{
	struct strbuf word = {0};

	strbuf_printf(&word, "--%s%s%s", given->option->name, given->value ? "=" : "",
	              given->value ? given->value : "");
	path_list_add(words, word.data);
	strbuf_free(&word);
}

static bool
is_of_this_process(int id)
{
	return id == OPTION_JOBS || id == OPTION_WITH || id == OPTION_OUT;
}

static void
copy_words(const struct cli *cli, struct path_list *words)
{
	for (size_t i = 0; i < cli->n_given; i++) {
		if (!is_of_this_process(cli->given[i].option->id)) {
			add_given(words, &cli->given[i]);
		}
	}
	path_list_add(words, "--");
	for (int i = cli->first_word; i < cli->argc; i++) {
		path_list_add(words, cli->argv[i]);
	}
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

static int
read_answer(FILE *file, answer_pack *pack_answer, void *answer, struct err *why, struct err *err)
{
	struct pack pack = {.is_reading = true, .user = file, .piece = read_piece};

	pack_break(&pack);
	pack_reason(&pack, why);
	if (why->code == ERR_NONE && !pack.failed && answer) {
		pack_answer(&pack, answer);
	}
	return pack_end(&pack, err);
}

/* 0: the answer, or why there is none, was read. The path is freed. */
static int
read_file(char *path, answer_pack *pack, void *answer, struct err *why, struct err *err)
{
	FILE *file = fopen(path, "r");
	int status = file ? read_answer(file, pack, answer, why, err)
	                  : err_set_errno(err, errno, "no process has answered: %s", path);

	if (file) {
		(void)fclose(file); /* only read */
	}
	free(path);
	return status;
}

int
answers_load(const struct answer_jobs *answers, const char *about, answer_pack *pack, void *answer,
             struct err *err)
{
	struct err why = ERR_INIT;

	if (read_file(answer_path(answers->folder, about), pack, answer, &why, err)) {
		return -1;
	}
	*err = why;
	return why.code == ERR_NONE ? 0 : -1;
}

/* What the first of them could not read that lacked anything. */
static int
take_failures(const struct answer_jobs *answers, struct cli *cli, struct err *err)
{
	int status = 0;

	for (unsigned nth = 1; nth <= answers->n && status == 0 && cli->elsewhere.code == ERR_NONE;
	     nth++) {
		status = read_file(end_path(answers->folder, nth, answers->n), NULL, NULL,
		                   &cli->elsewhere, err);
	}
	return status;
}

int
answers_run(struct answer_jobs *answers, struct cli *cli, struct err *err)
{
	struct path_list words = {0};
	struct jobs_call call = {.n = answers->n,
	                         .launcher = answers->launcher,
	                         .is_done = is_done,
	                         .user = answers,
	                         .cancel = &cli->cancel};
	int status;

	answers->folder = tempfile_folder("lanescope.answers", err);
	if (!answers->folder) {
		return -1;
	}
	path_list_add(&words, cli->command->name);
	path_list_add(&words, "--answers");
	path_list_add(&words, answers->folder);
	path_list_add(&words, "--part");
	call.part_word = words.n;
	path_list_add(&words, "");
	copy_words(cli, &words);
	call.words = words.paths;
	call.n_words = words.n;
	status = jobs_run(&call, err);
	path_list_free(&words);
	return status ? status : take_failures(answers, cli, err);
}

void
answers_fini(struct answer_jobs *answers)
{
	if (answers->folder) {
		litter_remove(answers->folder);
		free(answers->folder);
		answers->folder = NULL;
	}
}
