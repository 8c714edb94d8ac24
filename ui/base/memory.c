/* A sorted array: hundreds of entries at most, written seldom. */
#include "config.h"

#include "ui/base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/base/texts.h"
#include "util/mem.h"
#include "util/slice.h"

struct memory_entry {
	char *key, *value;
};

struct memory {
	struct memory_entry *entries; /* by key */
	size_t n, capacity;
};

struct memory *
memory_new(void)
{
	return xcalloc(1, sizeof(struct memory));
}

void
memory_free(struct memory *memory)
{
	if (!memory) {
		return;
	}
	for (size_t i = 0; i < memory->n; i++) {
		free(memory->entries[i].key);
		free(memory->entries[i].value);
	}
	free(memory->entries);
	free(memory);
}

/* Where key stands or would stand. */
static size_t
place_of(const struct memory *memory, const char *key, bool *is_there)
{
	size_t low = 0, high = memory->n;

	*is_there = false;
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = strcmp(memory->entries[middle].key, key);

		if (order == 0) {
			*is_there = true;
			return middle;
		}
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

void
memory_set(struct memory *memory, const char *key, const char *value)
{
	bool is_there;
	size_t i = place_of(memory, key, &is_there);

	if (is_there) {
		free(memory->entries[i].value);
		if (value) {
			memory->entries[i].value = xstrdup(value);
			return;
		}
		free(memory->entries[i].key);
		memory->n--;
		memmove(&memory->entries[i], &memory->entries[i + 1],
		        (memory->n - i) * sizeof *memory->entries);
		return;
	}
	if (!value) {
		return;
	}
	MEM_GROW(memory->entries, memory->capacity, memory->n + 1);
	memmove(&memory->entries[i + 1], &memory->entries[i],
	        (memory->n - i) * sizeof *memory->entries);
	memory->entries[i] = (struct memory_entry){xstrdup(key), xstrdup(value)};
	memory->n++;
}

const char *
memory_get(const struct memory *memory, const char *key)
{
	bool is_there;
	size_t i = place_of(memory, key, &is_there);

	return is_there ? memory->entries[i].value : NULL;
}

#define LINE_LIMIT (1 << 16)
#define ENTRY_LIMIT 100000

static void
unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from == '\\' && from[1]) {
			from++;
			*to++ = *from == 'n' ? '\n' : *from == 'r' ? '\r' : *from;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
}

/* "NAME = TEXT" with its newline gone. */
static bool
take_line(struct memory *memory, char *line)
{
	char *equals = strstr(line, " = ");

	if (!*line || *line == '#') {
		return true;
	}
	if (!equals || equals == line || memory->n >= ENTRY_LIMIT) {
		return false;
	}
	*equals = '\0';
	unescape(equals + 3);
	memory_set(memory, line, equals + 3);
	return true;
}

int
memory_load(struct memory *memory, const char *path, struct err *err)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t capacity = 0, number = 0;
	ssize_t length;
	int result = 0;

	if (!file) {
		return errno == ENOENT ? 0 : err_set_errno(err, errno, "%s", path);
	}
	while (result == 0 && (length = getline(&line, &capacity, file)) >= 0) {
		number++;
		line[length > 0 && line[length - 1] == '\n' ? length - 1 : length] = '\0';
		if (length > LINE_LIMIT || !take_line(memory, line)) {
			result = err_set(
			    err, ERR_FORMAT,
			    "%s:%zu: not a line of a session file (NAME = TEXT); remove the "
			    "file to begin anew",
			    path, number);
		}
	}
	if (result == 0 && ferror(file)) {
		result = err_set_errno(err, errno, "%s", path);
	}
	free(line);
	fclose(file);
	return result;
}

static void
add_escaped(struct strbuf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\n' || *text == '\r' || *text == '\\') {
			strbuf_add_char(out, '\\');
		}
		strbuf_add_char(out, *text == '\n' ? 'n' : *text == '\r' ? 'r' : *text);
	}
}

int
memory_save(const struct memory *memory, const char *path, struct err *err)
{
	struct strbuf text = {0};
	int result;

	strbuf_add_text(&text, "# lanescope session\n");
	for (size_t i = 0; i < memory->n; i++) {
		strbuf_printf(&text, "%s = ", memory->entries[i].key);
		add_escaped(&text, memory->entries[i].value);
		strbuf_add_char(&text, '\n');
	}
	result = text_save(path, strbuf_slice(&text), err);
	strbuf_free(&text);
	return result;
}
