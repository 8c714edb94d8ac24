/*
 * A run file comes from anywhere, and its schema is a program: a "table" may be a view over
 * anything, a view may join for ever. So nothing is read from a file before its sqlite_master was
 * compared with that of an empty database made from our own schema.sql. Comments and blanks do not
 * count: they may be improved without a new version.
 */
#include "config.h"
#include "store/schema.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "store/internal.h"
#include "store/schema_sql.h" /* schema_sql[]: made from schema.sql by the build */
#include "util/mem.h"
#include "util/slice.h"

const char *const schema_newest = (const char *)schema_sql;

/* schema.sql has the tables first, then indexes, then views. */
int
schema_create(sqlite3 *db, enum schema_part part, struct err *err)
{
	const char *sql = schema_newest;
	const char *rest = strstr(sql, "\nCREATE INDEX");
	assert(rest);
	char *text = part == SCHEMA_TABLES ? xstrndup(sql, (size_t)(rest - sql)) : xstrdup(rest);
	int result = sqlite3_exec(db, text, NULL, NULL, NULL);
	free(text);
	return result == SQLITE_OK ? 0 : err_of_file(db, result, "schema", err);
}

/* Past blanks and comments. */
static const char *
skip_blanks(const char *sql)
{
	for (;;) {
		sql += strspn(sql, " \t\r\n");
		if (strncmp(sql, "--", 2) != 0) {
			return sql;
		}
		sql += strcspn(sql, "\n");
	}
}

/* Appends sql without comments, with single blanks. A "--" inside a quoted name would be cut as
 * well, but not to anything of ours, as ours has no quotes with "--". */
static void
add_normal(struct strbuf *out, const char *sql)
{
	bool is_blank = false;
	while (*sql) {
		const char *next = skip_blanks(sql);
		if (next != sql) {
			is_blank = true;
			sql = next;
			continue;
		}
		if (is_blank) {
			strbuf_add_char(out, ' ');
			is_blank = false;
		}
		size_t n = 1 + strcspn(sql + 1, " \t\r\n-");
		strbuf_add(out, sql, n);
		sql += n;
	}
}

static const char list_sql[] =
    "SELECT type, name, tbl_name, sql FROM main.sqlite_master ORDER BY name, type";

/* An object as one text: as it is, and without what does not count. */
struct object_texts {
	struct strbuf whole, normal;
	size_t n_names; /* bytes of type and names before the SQL, which count as they are */
};

static void
texts_free(struct object_texts *texts)
{
	strbuf_free(&texts->whole);
	strbuf_free(&texts->normal);
}

/* The whole text of the next object; 1, 0 at the end, -1. */
static int
next_object(sqlite3_stmt *list, struct object_texts *object, struct err *err)
{
	strbuf_clear(&object->whole);
	int result = sqlite3_step(list);
	if (result != SQLITE_ROW) {
		return result == SQLITE_DONE
		           ? 0
		           : err_of_file(sqlite3_db_handle(list), result, "schema", err);
	}
	for (int i = 0; i < 4; i++) { /* SQLite looks that names are those of the SQL */
		const char *text = (const char *)sqlite3_column_text(list, i);
		object->n_names = object->whole.len;
		strbuf_add_text(&object->whole, text ? text : "");
	}
	return 1;
}

static void
make_normal(struct object_texts *object)
{
	strbuf_clear(&object->normal);
	strbuf_add(&object->normal, object->whole.data, object->n_names);
	add_normal(&object->normal, object->whole.data + object->n_names);
}

/* The objects that a schema makes, in the order of list_sql. */
struct schema_list {
	struct object_texts *objects;
	size_t n, capacity;
};

static void
list_free(struct schema_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		texts_free(&list->objects[i]);
	}
	free(list->objects);
}

static int
list_make(struct schema_list *list, const char *sql, struct err *err)
{
	sqlite3 *model = NULL;
	sqlite3_stmt *objects = NULL;
	struct object_texts object = {0};
	int more = -1;
	int result =
	    sqlite3_open_v2(":memory:", &model,
	                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
	if (result != SQLITE_OK ||
	    (result = sqlite3_exec(model, sql, NULL, NULL, NULL)) != SQLITE_OK ||
	    (result = sqlite3_prepare_v2(model, list_sql, -1, &objects, NULL)) != SQLITE_OK) {
		err_of_file(model, result, "schema", err);
		goto out;
	}
	while ((more = next_object(objects, &object, err)) == 1) {
		MEM_GROW(list->objects, list->capacity, list->n + 1);
		make_normal(&object);
		list->objects[list->n++] = object;
		object = (struct object_texts){0};
	}
out:
	texts_free(&object);
	sqlite3_finalize(objects);
	sqlite3_close(model);
	return more;
}

/* Most often they are the same to the byte. */
static bool
is_alike(const struct object_texts *ours, struct object_texts *theirs)
{
	if (slice_equal(strbuf_slice(&ours->whole), strbuf_slice(&theirs->whole))) {
		return true;
	}
	make_normal(theirs);
	return slice_equal(strbuf_slice(&ours->normal), strbuf_slice(&theirs->normal));
}

/* Every object of ours must be in theirs; both lists are in the same order. */
static int
compare(const struct schema_list *ours, sqlite3_stmt *theirs, bool is_exact, struct err *err)
{
	struct object_texts their = {0};
	int has_theirs = 1;
	size_t n_same = 0;
	bool is_same = true;
	while (is_same && (has_theirs = next_object(theirs, &their, err)) == 1) {
		bool is_next = n_same < ours->n && is_alike(&ours->objects[n_same], &their);
		n_same += is_next;
		is_same = is_next || !is_exact;
	}
	texts_free(&their);
	if (has_theirs < 0) {
		return -1;
	}
	return is_same && n_same == ours->n
	           ? 0
	           : err_set(err, ERR_FORMAT,
	                     "its tables are not those of a run file: it was changed or made by "
	                     "something else; import it again");
}

static int
check_list(sqlite3 *db, const struct schema_list *ours, bool is_exact, struct err *err)
{
	sqlite3_stmt *theirs = NULL;
	int result = sqlite3_prepare_v2(db, list_sql, -1, &theirs, NULL);
	int status = result == SQLITE_OK ? compare(ours, theirs, is_exact, err)
	                                 : err_of_file(db, result, "schema", err);
	sqlite3_finalize(theirs);
	return status;
}

/* They are kept: to make one takes three times as long as to open a small run. */
struct kept_schema {
	struct kept_schema *next;
	char *sql;
	struct schema_list list;
};

static struct {
	pthread_mutex_t lock;
	struct kept_schema *first;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct kept_schema *
model_new(const char *sql, struct err *err)
{
	struct kept_schema *model = xcalloc(1, sizeof *model);

	if (list_make(&model->list, sql, err)) { /* the next one may have more luck */
		list_free(&model->list);
		free(model);
		return NULL;
	}
	model->sql = xstrdup(sql);
	model->next = kept.first;
	kept.first = model;
	return model;
}

static const struct schema_list *
list_of(const char *sql, struct err *err)
{
	struct kept_schema *model;

	pthread_mutex_lock(&kept.lock);
	for (model = kept.first; model && strcmp(model->sql, sql) != 0;) {
		model = model->next;
	}
	model = model ? model : model_new(sql, err);
	pthread_mutex_unlock(&kept.lock);
	return model ? &model->list : NULL;
}

static int
check(sqlite3 *db, const char *sql, bool is_exact, struct err *err)
{
	const struct schema_list *ours = list_of(sql, err);

	return ours ? check_list(db, ours, is_exact, err) : -1;
}

int
schema_check(sqlite3 *db, bool is_exact, struct err *err)
{
	return check(db, schema_newest, is_exact, err);
}

int
schema_check_as(sqlite3 *db, const char *sql, struct err *err)
{
	return check(db, sql, true, err);
}
