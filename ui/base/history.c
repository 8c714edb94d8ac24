/*
 * A file of lines "KIND TEXT", the newest last, readable by its owner alone: SQL may name what
 * others should not see. It is written whole, so that two explorers that end together leave the
 * history of one of them.
 */
#include "config.h"

#include "ui/base/history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ui/base/texts.h"
#include "util/mem.h"

#define FILE_LIMIT (1 << 20)

struct history {
	char *path;
	char *lines[HISTORY_KINDS][HISTORY_LIMIT];
	size_t n[HISTORY_KINDS];
};

static void
forget(struct history *history, unsigned kind, size_t i)
{
	free(history->lines[kind][i]);
	history->n[kind]--;
	memmove(&history->lines[kind][i], &history->lines[kind][i + 1],
	        (history->n[kind] - i) * sizeof history->lines[kind][0]);
}

void
history_add(struct history *history, unsigned kind, struct slice text)
{
	if (text.len == 0 || memchr(text.ptr, '\n', text.len) || kind >= HISTORY_KINDS) {
		return;
	}
	for (size_t i = 0; i < history->n[kind]; i++) {
		if (slice_is(text, history->lines[kind][i])) {
			forget(history, kind, i);
			break;
		}
	}
	if (history->n[kind] == HISTORY_LIMIT) {
		forget(history, kind, 0);
	}
	history->lines[kind][history->n[kind]++] = text_new(text);
}

const char *
history_get(const struct history *history, unsigned kind, size_t from_newest)
{
	size_t n = kind < HISTORY_KINDS ? history->n[kind] : 0;

	return from_newest > 0 && from_newest <= n ? history->lines[kind][n - from_newest] : NULL;
}

static void
read_file(struct history *history)
{
	FILE *file = fopen(history->path, "re");
	struct stat status;
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;

	if (!file) {
		return;
	}
	if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size <= FILE_LIMIT) {
		while ((length = getline(&line, &capacity, file)) > 0) {
			length -= line[length - 1] == '\n';
			if (length > 2 && line[0] >= '0' && line[1] == ' ') {
				history_add(history, (unsigned)(line[0] - '0'),
				            (struct slice){line + 2, (size_t)length - 2});
			}
		}
	}
	free(line);
	fclose(file);
}

struct history *
history_new(const char *path)
{
	struct history *history = xcalloc(1, sizeof *history);

	if (path) {
		history->path = xstrdup(path);
		read_file(history);
	}
	return history;
}

void
history_free(struct history *history)
{
	if (!history) {
		return;
	}
	for (unsigned kind = 0; kind < HISTORY_KINDS; kind++) {
		while (history->n[kind] > 0) {
			forget(history, kind, history->n[kind] - 1);
		}
	}
	free(history->path);
	free(history);
}

void
history_save(const struct history *history)
{
	struct strbuf text = {0};
	struct err ignored = ERR_INIT;

	if (!history->path) {
		return;
	}
	text_make_folders(history->path);
	for (unsigned kind = 0; kind < HISTORY_KINDS; kind++) {
		for (size_t i = 0; i < history->n[kind]; i++) {
			strbuf_printf(&text, "%u %s\n", kind, history->lines[kind][i]);
		}
	}
	(void)text_save(history->path, strbuf_slice(&text), &ignored);
	strbuf_free(&text);
}
