/*
 * One list of patterns in the order in which they are tried: the user's, then the guesses, which
 * are written in the same language and read by the same code. A name that comes again adds patterns
 * to its class: where /work is a parallel file system, too, one pattern says so and those known
 * stay.
 *
 * Guesses go by how paths begin, since that is what sites agree on: mount points. A pattern that
 * ends in "/" and "*" is of the folder itself, too, which a trace may open or stat.
 */
#include "config.h"
#include "column/scan/path_classes.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/rowvalue.h"
#include "util/ascii.h"
#include "util/mem.h"

static const char guesses[] =
    "shm=/dev/shm/*|/run/shm/*"
    ":tmp=/tmp/*|/var/tmp/*"
    ":system=/proc/*|/sys/*|/dev/*|/etc/*|/usr/*|/bin/*|/sbin/*|/lib/*|/lib32/*|/lib64/*|/opt/*|/"
    "run/*|/boot/*|/var/*"
    ":ssd=/l/ssd*|/l/nvme*|/ssd*|/nvme*|/mnt/ssd*|/mnt/nvme*|/mnt/bb/*|/local/*|/localscratch*|"
    "/local_scratch*|/lscratch*|/scratch/local/*"
    ":pfs=/p/*|/lustre*|/lus/*|/gpfs*|/beegfs*|/fsx*|/scratch*|/pscratch*|/work/*|/mnt/lustre*|/"
    "mnt/gpfs*|"
    "/mnt/beegfs*|/global/cscratch*|/global/scratch*"
    ":home=/home/*|/home[0-9]*|/g/g*|/users/*|/Users/*|/root/*|/global/home*|/nfs/home*";

struct path_pattern {
	struct slice glob;
	unsigned class;
};

struct path_classes {
	struct arena *arena;
	struct slice names[PATH_CLASSES_MAX];
	unsigned n;
	unsigned other; /* of what nothing matches */
	struct path_pattern *patterns;
	size_t n_patterns, capacity;
};

static bool
is_separator(char c)
{
	return c == ':' || is_space(c);
}

/* How long a name followed by "=" stands at the text's begin; 0: none. */
static size_t
name_length(const char *text)
{
	size_t n = 0;

	while (is_word_char(text[n]) || text[n] == '-') {
		n++;
	}
	return n > 0 && text[n] == '=' ? n : 0;
}

/* Patterns go on until a separator that a name follows: a path may hold colons and blanks. */
static size_t
patterns_length(const char *text)
{
	size_t n = 0, end = 0; /* end: behind the last byte that is no separator */

	while (text[n]) {
		if (is_separator(text[n]) && name_length(text + n + 1) > 0) {
			break;
		}
		end = is_separator(text[n]) ? end : n + 1;
		n++;
	}
	return end;
}

static int
find_class(struct path_classes *classes, struct slice name, unsigned *class, struct err *err)
{
	for (*class = 0; *class < classes->n; ++*class) {
		if (slice_equal(classes->names[*class], name)) {
			return 0;
		}
	}
	if (name.len > PATH_CLASS_NAME_MAX) {
		return err_set(err, ERR_USAGE,
		               "the name of a class has more than %d characters: %.*s...",
		               PATH_CLASS_NAME_MAX, PATH_CLASS_NAME_MAX, name.ptr);
	}
	if (classes->n == PATH_CLASSES_MAX) {
		return err_set(err, ERR_USAGE, "more than %d classes", PATH_CLASSES_MAX);
	}
	classes->names[classes->n++] = arena_slice(classes->arena, name);
	return 0;
}

static int
add_pattern(struct path_classes *classes, struct slice glob, unsigned class, struct err *err)
{
	if (classes->n_patterns == PATH_CLASS_PATTERNS_MAX) {
		return err_set(err, ERR_USAGE, "more than %d patterns", PATH_CLASS_PATTERNS_MAX);
	}
	MEM_GROW(classes->patterns, classes->capacity, classes->n_patterns + 1);
	classes->patterns[classes->n_patterns++] =
	    (struct path_pattern){arena_slice(classes->arena, glob), class};
	return 0;
}

static int
add_patterns(struct path_classes *classes, struct slice name, struct slice globs, struct err *err)
{
	unsigned class;

	if (find_class(classes, name, &class, err)) {
		return -1;
	}
	for (size_t first = 0, end; first <= globs.len; first = end + 1) {
		for (end = first; end < globs.len && globs.ptr[end] != '|'; end++) {
		}
		if (end == first) {
			return err_set(err, ERR_USAGE,
			               "class %.*s has an empty pattern (pfs=/p/lustre*|/gpfs/*)",
			               (int)name.len, name.ptr);
		}
		if (add_pattern(classes, (struct slice){globs.ptr + first, end - first}, class,
		                err)) {
			return -1;
		}
	}
	return 0;
}

static int
add_text(struct path_classes *classes, const char *text, struct err *err)
{
	while (is_separator(*text)) {
		text++;
	}
	while (*text) {
		size_t n = name_length(text);
		if (n == 0) {
			return err_set(err, ERR_USAGE,
			               "\"%.40s\" is not NAME=PATTERN|PATTERN... "
			               "(pfs=/p/lustre*:ssd=/l/ssd/*)",
			               text);
		}
		size_t n_globs = patterns_length(text + n + 1);
		if (add_patterns(classes, (struct slice){text, n},
		                 (struct slice){text + n + 1, n_globs}, err) < 0) {
			return -1;
		}
		for (text += n + 1 + n_globs; is_separator(*text); text++) {
		}
	}
	return 0;
}

static int
add_base(struct path_classes *classes, const struct path_classes *base, struct err *err)
{
	unsigned class;

	for (size_t i = 0; i < base->n_patterns; i++) {
		const struct path_pattern *pattern = &base->patterns[i];
		if (find_class(classes, base->names[pattern->class], &class, err) ||
		    add_pattern(classes, pattern->glob, class, err)) {
			return -1;
		}
	}
	return 0;
}

struct path_classes *
path_classes_new(const char *text, struct err *err)
{
	return path_classes_extend(NULL, text, err);
}

struct path_classes *
path_classes_extend(const struct path_classes *base, const char *text, struct err *err)
{
	struct path_classes *classes = xcalloc(1, sizeof *classes);

	classes->arena = arena_new();
	if (add_text(classes, text ? text : "", err) ||
	    (base ? add_base(classes, base, err) : add_text(classes, guesses, err)) < 0 ||
	    find_class(classes, slice_of("other"), &classes->other, err)) {
		path_classes_free(classes);
		return NULL;
	}
	return classes;
}

void
path_classes_free(struct path_classes *classes)
{
	if (classes) {
		arena_free(classes->arena);
		free(classes->patterns);
		free(classes);
	}
}

static bool
pattern_matches(struct slice path, struct slice glob)
{
	if (text_glob(path, glob)) {
		return true;
	}
	bool is_of_folder =
	    glob.len > 2 && glob.ptr[glob.len - 1] == '*' && glob.ptr[glob.len - 2] == '/';
	return is_of_folder && text_glob(path, (struct slice){glob.ptr, glob.len - 2});
}

unsigned
path_classes_find(const struct path_classes *classes, struct slice path)
{
	for (size_t i = 0; i < classes->n_patterns; i++) {
		if (pattern_matches(path, classes->patterns[i].glob)) {
			return classes->patterns[i].class;
		}
	}
	return classes->other;
}

unsigned
path_classes_count(const struct path_classes *classes)
{
	return classes->n;
}

struct slice
path_classes_name(const struct path_classes *classes, unsigned index)
{
	return classes->names[index];
}
