/* Classes of paths, which the user can name, and of sizes, which are fixed. */
#include "config.h"
#include "explain/io.h"

#include <stdlib.h>
#include <string.h>

#include "column/rowvalue.h"

#define PATTERNS_MAX 128

struct io_classes {
	char *text;
	const char *names[IO_CLASSES_MAX];
	unsigned n; /* given ones; "other" and "(no path)" follow */
	struct {
		struct slice glob;
		unsigned class;
	} patterns[PATTERNS_MAX];
	size_t n_patterns;
};

static int
add_patterns(struct io_classes *classes, char *globs, struct err *err)
{
	for (char *glob = globs, *bar; glob; glob = bar) {
		bar = strchr(glob, '|');
		if (bar) {
			*bar++ = 0;
		}
		if (classes->n_patterns == PATTERNS_MAX) {
			return err_set(err, ERR_USAGE, "classes: more than %d patterns",
			               PATTERNS_MAX);
		}
		classes->patterns[classes->n_patterns].glob = slice_of(glob);
		classes->patterns[classes->n_patterns++].class = classes->n;
	}
	return 0;
}

struct io_classes *
io_classes_new(const char *text, struct err *err)
{
	struct io_classes *classes = xcalloc(1, sizeof *classes);
	char *rest = NULL;
	classes->text = xstrdup(text);
	for (char *word = strtok_r(classes->text, " \t\n", &rest); word;
	     word = strtok_r(NULL, " \t\n", &rest)) {
		char *equals = strchr(word, '=');
		if (!equals || equals == word) {
			err_set(err, ERR_USAGE, "classes: \"%s\" is not NAME=GLOB|GLOB...", word);
			goto fail;
		}
		if (classes->n + 2 == IO_CLASSES_MAX) {
			err_set(err, ERR_USAGE, "classes: more than %d", IO_CLASSES_MAX - 2);
			goto fail;
		}
		*equals = 0;
		if (add_patterns(classes, equals + 1, err)) {
			goto fail;
		}
		classes->names[classes->n++] = word;
	}
	return classes;
fail:
	io_classes_free(classes);
	return NULL;
}

void
io_classes_free(struct io_classes *classes)
{
	if (classes) {
		free(classes->text);
		free(classes);
	}
}

unsigned
io_class_of(const struct io_classes *classes, struct slice path)
{
	for (size_t i = 0; i < classes->n_patterns; i++) {
		if (text_glob(path, classes->patterns[i].glob)) {
			return classes->patterns[i].class;
		}
	}
	return classes->n;
}

unsigned
io_class_none(const struct io_classes *classes)
{
	return classes->n + 1;
}

unsigned
io_classes_count(const struct io_classes *classes)
{
	return classes->n + 2;
}

const char *
io_class_name(const struct io_classes *classes, unsigned index)
{
	return index < classes->n    ? classes->names[index]
	       : index == classes->n ? "other"
	                             : "(no path)";
}

static const struct {
	int64_t below;
	const char *name;
} sizes[] = {
    {INT64_C(4) << 10, "below 4 KiB"},     {INT64_C(64) << 10, "4 to 64 KiB"},
    {INT64_C(1) << 20, "64 KiB to 1 MiB"}, {INT64_C(16) << 20, "1 to 16 MiB"},
    {INT64_C(256) << 20, "16 to 256 MiB"}, {INT64_MAX, "256 MiB and more"},
};
#define SIZES (sizeof sizes / sizeof *sizes)

unsigned
io_size_class(int64_t size_bytes, int64_t calls)
{
	unsigned i = 0;
	if (size_bytes == SIZE_NONE) {
		return SIZES;
	}
	if (calls > 1) {
		return SIZES + 1;
	}
	while (i + 1 < SIZES && size_bytes >= sizes[i].below) {
		i++;
	}
	return i;
}

const char *
io_size_name(unsigned index)
{
	return index < SIZES    ? sizes[index].name
	       : index == SIZES ? "no size"
	                        : "sums of many calls";
}
