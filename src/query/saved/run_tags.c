/* Files of later tags are read each time, as they may change while a run is looked at; one that is
 * broken, or another run's, is told and not used. */
#include "config.h"
#include "query/saved/run_tags.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/model.h"
#include "util/tempfile.h"
#include "util/ascii.h"
#include "util/xdg.h"

#define TRACE_TAGS "300" /* of a run, at most */

const char *const tag_origins[TAG_ORIGINS] = {"trace", "import", "later"};

static struct run_tag *
find(const struct run_tags *tags, const char *key)
{
	size_t i = name_find(slice_of(key), tags->all, tags->n, sizeof *tags->all);
	return i < tags->n ? &tags->all[i] : NULL;
}

const struct run_tag *
run_tags_find(const struct run_tags *tags, const char *key)
{
	return find(tags, key);
}

/* value "": there is none any more. */
static void
put(struct run_tags *tags, const char *key, const char *value, enum tag_origin origin)
{
	struct run_tag *tag = find(tags, key);
	if (!tag && *value) {
		MEM_GROW(tags->all, tags->capacity, tags->n + 1);
		tag = &tags->all[tags->n++];
	}
	if (tag && *value) {
		*tag = (struct run_tag){arena_strdup(tags->arena, key),
		                        arena_strdup(tags->arena, value), origin};
	} else if (tag) {
		size_t i = (size_t)(tag - tags->all);
		memmove(tag, tag + 1, (--tags->n - i) * sizeof *tag);
	}
}

/* ---- the run file ---- */

static int
read_own(struct store *store, struct run_tags *tags, struct err *err)
{
	struct stmt *stmt = store_prepare_plain(
	    store,
	    "SELECT key, substr(value, 1, 300), scope IS NOT NULL FROM tags WHERE scope IS NULL OR "
	    "scope = '" TAG_SCOPE_GIVEN "' ORDER BY scope IS NOT NULL, id LIMIT " TRACE_TAGS,
	    err);
	int more;
	while ((more = stmt_step(stmt, err)) > 0) {
		const char *key = arena_slice(tags->arena, stmt_text(stmt, 0)).ptr;
		const char *value = arena_slice(tags->arena, stmt_text(stmt, 1)).ptr;
		bool is_given = stmt_integer(stmt, 2) != 0;
		if (is_given || !find(tags, key)) { /* of several that traces say, the first */
			put(tags, key, value, is_given ? TAG_OF_IMPORT : TAG_OF_TRACE);
		}
	}
	stmt_free(stmt);
	return more;
}

/* ---- later ones ---- */

static void
path_beside(const struct store *store, struct strbuf *path)
{
	strbuf_printf(path, "%s.tags", store_path(store));
}

/* False: nobody says where. */
static bool
path_in_state(const struct store *store, struct strbuf *path)
{
	struct strbuf name = {0};
	strbuf_printf(&name, "tags/%s.tags", store_run(store)->identity);
	bool is_known = *store_run(store)->identity && xdg_path(XDG_STATE, name.data, path);

	strbuf_free(&name);
	return is_known;
}

/* 1: there is no such file. */
static int
read_file(const struct store *store, const char *path, struct tag_list *list, struct err *err)
{
	struct tag_list read = {0};
	char *identity = NULL;
	int rc = tag_list_read(&read, path, &identity, err);
	if (rc == 0 && (!identity || strcmp(identity, store_run(store)->identity) != 0)) {
		rc = err_set(err, ERR_USAGE,
		             "%s: holds the tags of another run (it says %.32s, the run is %s)",
		             path, identity ? identity : "of none", store_run(store)->identity);
	}
	rc = rc ? rc : tag_list_add(list, &read, err);
	free(identity);
	tag_list_free(&read);
	return rc;
}

int
run_tags_later(const struct store *store, struct tag_list *list, struct err *err)
{
	struct strbuf beside = {0}, state = {0};
	path_beside(store, &beside);
	int rc = read_file(store, beside.data, list, err);
	if (rc >= 0 && path_in_state(store, &state)) {
		rc = read_file(store, state.data, list, err);
	}
	strbuf_free(&beside);
	strbuf_free(&state);
	return rc < 0 ? -1 : 0;
}

int
run_tags_read(struct store *store, struct run_tags *tags, struct err *err)
{
	struct tag_list later = {0};
	struct err trouble = ERR_INIT;
	tags->arena = arena_new();
	if (read_own(store, tags, err)) {
		return -1;
	}
	if (run_tags_later(store, &later, &trouble)) {
		tags->trouble = arena_printf(tags->arena, "%s: not used", trouble.message);
	}
	for (size_t i = 0; i < later.n; i++) {
		put(tags, later.all[i].key, later.all[i].value, TAG_LATER);
	}
	tag_list_free(&later);
	return 0;
}

void
run_tags_free(struct run_tags *tags)
{
	free(tags->all);
	arena_free(tags->arena);
	*tags = (struct run_tags){0};
}

/* 007 tells as a text what the number would not. */
bool
run_tag_number(const struct run_tag *tag, struct value *number)
{
	struct slice text = slice_of(tag->value);
	struct slice digits = slice_from(text, text.len > 0 && text.ptr[0] == '-');
	bool is_number = digits.len > 0 && is_digit(digits.ptr[0]) &&
	                 !(digits.len > 1 && digits.ptr[0] == '0' && is_digit(digits.ptr[1]));
	int64_t integer;
	double real;
	if (is_number && slice_int64(text, &integer)) {
		*number = value_integer(integer);
		return true;
	}
	if (is_number && slice_double(text, &real)) {
		*number = value_finite(real);
		return number->type == VALUE_REAL;
	}
	return false;
}

struct value
run_tag_value(struct result *result, const struct run_tag *tag)
{
	struct value value;
	return run_tag_number(tag, &value) ? value : value_word(result, tag->value);
}

struct result *
run_tags_list(const struct run_tags *tags)
{
	static const struct result_column columns[] = {
	    COLUMN_KEY("tag", NULL), COLUMN("value", KIND_TEXT, NULL),
	    COLUMN("from", KIND_TEXT, "the trace, its import, or what was said later")};
	struct result *result = result_new("Tags", columns, COUNT_OF(columns));

	for (size_t i = 0; i < tags->n; i++) {
		const struct run_tag *tag = &tags->all[i];
		RESULT_ADD(result, value_word(result, tag->key), run_tag_value(result, tag),
		           value_word(result, tag_origins[tag->origin]));
	}
	return result;
}

/* ---- keeping them ---- */

static int
write_file(const char *path, const struct tag_list *list, const char *identity, struct err *err)
{
	struct strbuf text = {0};
	tag_list_write(list, identity, &text);
	int rc = tempfile_replace(path, text.data, text.len, err);
	strbuf_free(&text);
	return rc;
}

/* Like mkdir -p of the folder that the path lies in. */
static int
make_folder(char *path, struct err *err)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		int rc = mkdir(path, 0700) != 0 && errno != EEXIST
		             ? err_set_errno(err, errno, "%s", path)
		             : 0;
		*slash = '/';
		if (rc) {
			return -1;
		}
	}
	return 0;
}

static int
write_in_state(const struct store *store, const struct tag_list *list, struct err *err)
{
	struct strbuf path = {0};
	int rc = !path_in_state(store, &path)
	             ? err_set(err, ERR_SYSTEM,
	                       "%s: its folder can't be written, and neither XDG_STATE_HOME nor "
	                       "HOME says where tags go instead",
	                       store_path(store))
	             : make_folder(path.data, err) ||
	                   write_file(path.data, list, store_run(store)->identity, err);

	strbuf_free(&path);
	return rc ? -1 : 0;
}

/* Beside the run; all that was in the other place is there as well then. */
static int
write_beside(const struct store *store, const struct tag_list *list, struct err *err)
{
	struct strbuf path = {0}, state = {0};
	path_beside(store, &path);
	int rc = write_file(path.data, list, store_run(store)->identity, err);
	if (rc == 0 && path_in_state(store, &state)) {
		(void)unlink(state.data); /* most often it is not there */
	}
	strbuf_free(&path);
	strbuf_free(&state);
	return rc;
}

static bool
can_write_beside(const struct store *store)
{
	const char *path = store_path(store), *slash = strrchr(path, '/');
	char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
	bool can = access(folder, W_OK | X_OK) == 0;

	free(folder);
	return can;
}

int
run_tags_keep(struct store *store, const struct tag_list *changes, struct err *err)
{
	struct tag_list list = {0};
	int rc = !*store_run(store)->identity
	             ? err_set(err, ERR_USAGE,
	                       "%s: has no identity by which tags would be known as its own",
	                       store_path(store))
	             : run_tags_later(store, &list, err) || tag_list_add(&list, changes, err);
	if (rc == 0) {
		rc = can_write_beside(store) ? write_beside(store, &list, err)
		                             : write_in_state(store, &list, err);
	}
	tag_list_free(&list);
	return rc ? -1 : 0;
}
