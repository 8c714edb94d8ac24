/* Every value goes through json_add_text first, so that jansson never sees a text that it
 * refuses. */
#include "config.h"
#include "util/json_document.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>

#include "util/json_text.h"
#include "util/library.h"
#include "util/mem.h"

#define DEPTH 8

struct json_document {
	json_t *open[DEPTH]; /* borrowed but for the first */
	size_t depth;
};

static void *
allocate(size_t size)
{
	return xcalloc(1, size);
}

struct json_document *
json_document_new(void)
{
	struct json_document *document = xcalloc(1, sizeof *document);

	json_set_alloc_funcs(allocate, free); /* it never fails */
	document->open[document->depth++] = json_array();
	return document;
}

static void
add(struct json_document *document, const char *key, json_t *value)
{
	json_t *parent = document->open[document->depth - 1];

	if (key) {
		json_object_set_new(parent, key, value);
	} else {
		json_array_append_new(parent, value);
	}
}

void
json_document_open(struct json_document *document, const char *key, bool is_array)
{
	json_t *value = is_array ? json_array() : json_object();

	assert(document->depth < DEPTH);
	add(document, key, value);
	document->open[document->depth++] = value;
}

void
json_document_close(struct json_document *document)
{
	document->depth--;
}

void
json_document_text(struct json_document *document, const char *key, const char *text)
{
	struct strbuf quoted = {0};

	json_add_text(&quoted, slice_of(text ? text : ""));
	add(document, key,
	    text ? json_loadb(quoted.data, quoted.len, JSON_DECODE_ANY, NULL) : json_null());
	strbuf_free(&quoted);
}

void
json_document_write(const struct json_document *document, bool is_ascii, FILE *file)
{
	size_t i;
	json_t *item;

	fputc('[', file);
	json_array_foreach(document->open[0], i, item)
	{
		fputs(i ? ",\n " : "", file);
		json_dumpf(item, file, is_ascii ? JSON_ENSURE_ASCII : 0);
	}
	fputs("]\n", file);
}

void
json_document_free(struct json_document *document)
{
	json_decref(document->open[0]);
	free(document);
}

void
json_document_library(struct strbuf *out)
{
#if JANSSON_VERSION_HEX >= 0x020d00
	library_add(out, "jansson", JANSSON_VERSION, jansson_version_str());
#else
	library_add(out, "jansson", JANSSON_VERSION, NULL);
#endif
}
