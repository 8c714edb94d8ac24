/*
 * What each file's first bytes tell: its format, the job it is of, and a hash by which copies are
 * suspected. A file that leads to no format is passed over where it merely lies in a folder, and
 * fails where it was named.
 */
#include "config.h"
#include "ingest/plan.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "util/order.h"

static void
not_recognised(struct planning *planning, const struct plan_file *file, struct slice head)
{
	struct strbuf reason = {0};

	plan_stray(planning, file->path, "no trace format recognises it");
	if (!file->named) {
		plan_skip(planning, file->path, "no trace format recognises it");
		return;
	}
	if (slice_starts_with(head, "SQLite format 3")) {
		plan_fail(planning, file->path,
		          "is a database, not a trace (open run files as they are)");
		return;
	}
	strbuf_add_text(&reason, "no trace format recognises it (known: ");
	for (size_t i = 0; import_formats[i]; i++) {
		strbuf_printf(&reason, "%s%s", i ? ", " : "", import_formats[i]->name);
	}
	strbuf_add_text(&reason, "; --format names one)");
	plan_fail(planning, file->path, reason.data);
	strbuf_free(&reason);
}

static void
note_empty(struct planning *planning, const struct plan_file *file)
{
	plan_stray(planning, file->path, "is empty");
	if (file->named) {
		plan_fail(planning, file->path,
		          "no trace found: it is empty (--format says of which format)");
	} else {
		plan_skip(planning, file->path, "is empty");
	}
}

static void
note_unreadable(struct planning *planning, const struct plan_file *file, const char *reason)
{
	plan_trouble(planning, file->path, reason, file->named);
	if (file->named) {
		plan_fail(planning, file->path, reason);
	}
}

/* What the head tells beyond the format. */
static void
take_head(struct planning *planning, struct plan_file *file, const struct input *input,
          struct slice head)
{
	const struct import_format *format = file->format;
	struct stat status, itself;

	file->grouping = format->group_of ? format->group_of(head, file->path) : format->grouping;
	file->look = (struct import_look){.begin_ns = TIME_NONE, .rank = -1, .ranks = -1};
	if (format->look) {
		format->look(head, file->path, planning->arena, &file->look);
	}
	file->is_compressed = input_compressed(input);
	file->is_link = lstat(file->path, &itself) == 0 && S_ISLNK(itself.st_mode);
	if (stat(file->path, &status) == 0 && S_ISREG(status.st_mode)) {
		file->head_length = LEAST(head.len, HEAD_BYTES);
		file->head_hash = hash_bytes(head.ptr, file->head_length, 0);
		for (unsigned i = 0; i < RUNGS && RUNG_BYTES(i) <= file->head_length; i++) {
			file->rung_hashes[i] = hash_bytes(head.ptr, RUNG_BYTES(i), 0);
		}
		file->device = (uint64_t)status.st_dev;
		file->inode = (uint64_t)status.st_ino;
		file->raw_size = (uint64_t)status.st_size;
	}
}

bool
plan_reads_once(const char *path)
{
	struct stat status;
	return strcmp(path, "-") == 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

static void
look_at(struct planning *planning, struct plan_file *file)
{
	const char *wished = planning->options->format;
	const struct import_format *only = wished ? import_find(wished) : NULL, *format = NULL;
	struct err err = ERR_INIT;
	struct slice head;
	struct input *input = input_open(file->path, &err);

	if (!input || import_recognise(input, only, &format, &head, &err)) {
		note_unreadable(planning, file, err.message);
		input_close(input);
		return;
	}
	if (only && file->named) {
		format = only; /* read as told; what merely lies in a folder must look like it */
	}
	bool is_broken = head.len == 0 && input_truncated(input) && !(only && file->named);
	format = is_broken ? NULL
	                   : format; /* a name alone makes an empty file a trace, no damaged one */
	file->format = format;
	if (is_broken) {
		note_unreadable(planning, file, input_truncation(input));
	} else if (!format && head.len == 0) {
		note_empty(planning, file);
	} else if (!format) {
		not_recognised(planning, file, head);
	} else {
		take_head(planning, file, input, head);
	}
	if (format && plan_reads_once(file->path)) {
		file->opened.input = input;
		input = NULL;
	}
	input_close(input);
}

/* Was this very path given already, however it is spelled? Once is enough then. */
static bool
is_given_again(struct planning *planning, struct intern *seen, const struct plan_file *file)
{
	struct slice folder = intern_text(planning->folders, file->folder);
	struct strbuf path = {0};
	uint32_t n = intern_count(seen);

	strbuf_add_slice(&path, folder);
	strbuf_printf(&path, "/%s", path_name(file->path));
	bool again = intern_id(seen, strbuf_slice(&path)) != n;
	strbuf_free(&path);
	return again;
}

int
plan_look(struct planning *planning, struct err *err)
{
	struct intern *seen = intern_new();
	size_t kept = 0;
	int result = 0;

	for (size_t i = 0; i < planning->n_files && result == 0; i++) {
		struct plan_file file = planning->files[i];
		if (cancel_requested(planning->options->cancel)) {
			result = err_set(err, ERR_CANCELLED, "cancelled");
		} else if (is_given_again(planning, seen, &file)) {
			planning->is_settled[file.given] = true;
		} else {
			look_at(planning, &file);
			planning->files[kept++] = file;
		}
	}
	planning->n_files = kept;
	intern_free(seen);
	return result;
}
