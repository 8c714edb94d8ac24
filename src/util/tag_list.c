/* A file is read whole, within its limit, and without waiting: what is no regular file has no
 * tags. */
#include "config.h"
#include "util/tag_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/ascii.h"
#include "util/order.h"
#include "util/quote.h"
#include "util/utf8.h"

#define BLANKS " \t\r"

int
tag_check_key(struct slice key, struct err *err)
{
	bool is_good = key.len > 0 && key.len <= TAG_KEY_BYTES &&
	               (is_letter(key.ptr[0]) || key.ptr[0] == '_') && key.ptr[key.len - 1] != '-';
	for (size_t i = 0; is_good && i < key.len; i++) {
		is_good = is_word_char(key.ptr[i]) || key.ptr[i] == '.' || key.ptr[i] == '-';
	}
	if (is_good) {
		return 0;
	}
	struct strbuf shown = {0};
	utf8_escape(&shown, (struct slice){key.ptr, LEAST(key.len, TAG_KEY_BYTES)});
	err_set(err, ERR_USAGE,
	        "\"%s\" can't be a tag's name: up to %u of a-z, A-Z, 0-9, _ . and -, a letter "
	        "first",
	        shown.data ? shown.data : "", TAG_KEY_BYTES);
	strbuf_free(&shown);
	return -1;
}

static int
check_value(struct slice key, struct slice value, struct err *err)
{
	bool is_good = value.len <= TAG_VALUE_BYTES && utf8_valid(value);
	for (size_t i = 0; is_good && i < value.len; i++) {
		is_good = (unsigned char)value.ptr[i] >= 0x20 && value.ptr[i] != 0x7f;
	}
	return is_good ? 0
	               : err_set(err, ERR_USAGE,
	                         "tag %.*s: a value is one line of at most %u bytes of UTF-8",
	                         (int)key.len, key.ptr, TAG_VALUE_BYTES);
}

int
tag_list_set(struct tag_list *list, struct slice key, struct slice value, struct err *err)
{
	if (tag_check_key(key, err) || check_value(key, value, err)) {
		return -1;
	}
	size_t i = name_find(key, list->all, list->n, sizeof *list->all);
	if (i == list->n && list->n == TAGS_MAX) {
		return err_set(err, ERR_LIMIT, "more than %u tags", TAGS_MAX);
	}
	list->arena = list->arena ? list->arena : arena_new();
	if (i == list->n) {
		MEM_GROW(list->all, list->capacity, list->n + 1);
		list->all[list->n++].key = arena_slice(list->arena, key).ptr;
	}
	list->all[i].value = arena_slice(list->arena, value).ptr;
	return 0;
}

/* As written, or what a text in quotes means. */
static int
set_written(struct tag_list *list, struct slice key, struct slice value, struct err *err)
{
	struct strbuf meant = {0};
	size_t n = 0;
	bool is_quoted = quote_take(value, &meant, &n) == QUOTE_TAKEN && n == value.len;
	int rc = tag_list_set(list, key, is_quoted ? strbuf_slice(&meant) : value, err);

	strbuf_free(&meant);
	return rc;
}

int
tag_list_take(struct tag_list *list, const char *text, struct err *err)
{
	const char *equals = strchr(text, '=');
	if (!equals) {
		return err_set(err, ERR_USAGE, "\"%s\" is no tag: write key=value", text);
	}
	struct slice key = slice_trim((struct slice){text, (size_t)(equals - text)}, BLANKS);
	return set_written(list, key, slice_trim(slice_of(equals + 1), BLANKS), err);
}

int
tag_list_add(struct tag_list *list, const struct tag_list *other, struct err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < other->n; i++) {
		rc = tag_list_set(list, slice_of(other->all[i].key), slice_of(other->all[i].value),
		                  err);
	}
	return rc;
}

const char *
tag_list_find(const struct tag_list *list, const char *key)
{
	size_t i = name_find(slice_of(key), list->all, list->n, sizeof *list->all);
	return i < list->n ? list->all[i].value : NULL;
}

/* ---- files ---- */

int
tag_list_load(const char *path, struct strbuf *text, struct err *err)
{
	struct stat status;
	char chunk[8192];
	ssize_t n = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		return errno == ENOENT ? 1 : err_set_errno(err, errno, "%s", path);
	}
	int rc = fstat(fd, &status) != 0 ? err_set_errno(err, errno, "%s", path)
	         : !S_ISREG(status.st_mode)
	             ? err_set(err, ERR_FORMAT, "%s: is no regular file, so it has no tags", path)
	             : 0;
	while (rc == 0 && text->len <= TAG_FILE_BYTES && (n = read(fd, chunk, sizeof chunk)) > 0) {
		strbuf_add(text, chunk, (size_t)n);
	}
	if (rc == 0 && n < 0) {
		rc = err_set_errno(err, errno, "%s", path);
	}
	if (rc == 0 && text->len > TAG_FILE_BYTES) {
		rc = err_set(err, ERR_LIMIT, "%s: more than %zu KiB are no file of tags", path,
		             TAG_FILE_BYTES >> 10);
	}
	(void)close(fd); /* only read */
	return rc;
}

static int
take_line(struct tag_list *list, struct slice line, char **identity, struct err *err)
{
	line = slice_trim(line, BLANKS);
	const char *equals = line.len ? memchr(line.ptr, '=', line.len) : NULL;
	if (line.len == 0 || line.ptr[0] == '#') {
		return 0;
	}
	if (!equals) {
		return err_set(err, ERR_FORMAT, "a line is key = value, or # and a comment");
	}
	struct slice key =
	    slice_trim((struct slice){line.ptr, (size_t)(equals - line.ptr)}, BLANKS);
	struct slice value = slice_trim(slice_from(line, (size_t)(equals + 1 - line.ptr)), BLANKS);
	if (identity && slice_is(key, "identity")) {
		if (check_value(key, value, err)) {
			return -1;
		}
		free(*identity);
		*identity = xstrndup(value.ptr, value.len);
		return 0;
	}
	return set_written(list, key, value, err);
}

int
tag_list_take_lines(struct tag_list *list, const char *path, struct slice text, char **identity,
                    struct err *err)
{
	struct tag_list read = {0};
	struct slice rest = slice_behind_mark(text);
	int rc = 0;
	for (size_t line = 1; rc == 0 && rest.len > 0; line++) {
		const char *end = memchr(rest.ptr, '\n', rest.len);
		size_t n = end ? (size_t)(end - rest.ptr) : rest.len;
		rc = take_line(&read, (struct slice){rest.ptr, n}, identity, err);
		if (rc) {
			err_wrap(err, "%s:%zu", path, line);
		}
		rest = slice_from(rest, n + 1);
	}
	rc = rc ? rc : tag_list_add(list, &read, err);
	tag_list_free(&read);
	return rc;
}

int
tag_list_read(struct tag_list *list, const char *path, char **identity, struct err *err)
{
	struct strbuf text = {0};
	int rc = tag_list_load(path, &text, err);

	rc = rc ? rc : tag_list_take_lines(list, path, strbuf_slice(&text), identity, err);
	strbuf_free(&text);
	return rc;
}

/* Whether a value reads back as itself without quotes. */
static bool
is_plain(struct slice value)
{
	return slice_trim(value, BLANKS).len == value.len &&
	       (value.len == 0 || !strchr("'\"", value.ptr[0])) &&
	       !(value.len > 1 && (value.ptr[0] == 'e' || value.ptr[0] == 'E') &&
	         strchr("'\"", value.ptr[1]));
}

void
tag_list_write(const struct tag_list *list, const char *identity, struct strbuf *out)
{
	if (identity) {
		strbuf_printf(out, "identity = %s\n", identity);
	}
	for (size_t i = 0; i < list->n; i++) {
		struct slice value = slice_of(list->all[i].value);
		strbuf_printf(out, value.len ? "%s = " : "%s =", list->all[i].key);
		if (is_plain(value)) {
			strbuf_add_slice(out, value);
		} else {
			quote_add(out, value, '"');
		}
		strbuf_add_char(out, '\n');
	}
}

void
tag_list_free(struct tag_list *list)
{
	free(list->all);
	arena_free(list->arena);
	*list = (struct tag_list){0};
}
