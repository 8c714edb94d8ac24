/*
 * Tags as people write them. First byte: a file of tags, of lines with a run's identity, or beside
 * traces and maybe JSON, is refused with its line, or is read and written as what reads back as the
 * same; or a pattern, and behind the first line's end a path: what it reads there stands in the
 * path.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/commands.h"
#include "fuzz/fuzz.h"
#include "ingest/tag_file.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/tag_list.h"
#include "util/tag_pattern.h"

static char path[80];

static void
write_bytes(struct slice bytes)
{
	FILE *file = fopen(path, "wb");

	FUZZ_CHECK(file && fwrite(bytes.ptr, 1, bytes.len, file) == bytes.len && fclose(file) == 0);
}

static void
check_same(const struct tag_list *a, const struct tag_list *b)
{
	FUZZ_CHECK(a->n == b->n);
	for (size_t i = 0; i < a->n; i++) {
		FUZZ_CHECK(strcmp(a->all[i].key, b->all[i].key) == 0 &&
		           strcmp(a->all[i].value, b->all[i].value) == 0);
	}
}

static int
read_tags(struct tag_list *list, char **identity, struct err *err)
{
	return identity ? tag_list_read(list, path, identity, err) : tag_file_read(list, path, err);
}

static void
check_file(struct slice bytes, bool is_of_run)
{
	struct tag_list read = {0}, again = {0};
	struct strbuf text = {0};
	struct err err = ERR_INIT;
	char *identity = NULL, *same = NULL;

	write_bytes(bytes);
	if (read_tags(&read, is_of_run ? &identity : NULL, &err) == 0) {
		tag_list_write(&read, identity, &text);
		write_bytes(strbuf_slice(&text));
		FUZZ_CHECK(read_tags(&again, is_of_run ? &same : NULL, &err) == 0);
		check_same(&read, &again);
		FUZZ_CHECK(identity ? same && strcmp(identity, same) == 0 : !same);
	} else {
		FUZZ_CHECK(read.n == 0 && strncmp(err.message, path, strlen(path)) == 0);
	}
	strbuf_free(&text);
	free(identity);
	free(same);
	tag_list_free(&read);
	tag_list_free(&again);
}

static void
check_pattern(const char *pattern, struct slice where)
{
	struct tag_list tags = {0};
	struct err err = ERR_INIT;

	if (tag_pattern_check(pattern, &err)) {
		FUZZ_CHECK(err.message[0] != '\0');
		return;
	}
	bool is_fit = tag_pattern_read(pattern, where, &tags);
	FUZZ_CHECK(is_fit || tags.n == 0);
	for (size_t i = 0; i < tags.n; i++) {
		struct slice value = slice_of(tags.all[i].value);
		FUZZ_CHECK(value.len > 0 && !memchr(value.ptr, '/', value.len) &&
		           memmem(where.ptr, where.len, value.ptr, value.len));
	}
	tag_list_free(&tags);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0) {
		return 0;
	}
	snprintf(path, sizeof path, "%s/tags", fuzz_folder());
	struct slice text = {(const char *)data + 1, size - 1};
	if (data[0] % 4 < 2) {
		check_file(text, data[0] % 2);
	} else {
		const char *end = memchr(text.ptr, '\n', text.len);
		size_t n = end ? (size_t)(end - text.ptr) : text.len;
		char *pattern = xstrndup(text.ptr, n);
		check_pattern(pattern, slice_from(text, LEAST(n + 1, text.len)));
		free(pattern);
	}
	return 0;
}
