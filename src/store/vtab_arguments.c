/*
 * Arguments of table-valued functions. SQLite hands them over as equality constraints on hidden
 * columns.
 *
 * They are marked to be omitted from SQLite's own check, since `p1 = NULL` is never true while NULL
 * is a fine argument. SQLite may check all the same (it promises nothing), so the hidden columns
 * return what was given.
 *
 * The planner asks for many plans. An argument that is there but not usable yet (it depends on a
 * table that would be read later) rules that plan out; otherwise its cost says that one scan is
 * dear, so that it happens in the outermost loop, once.
 */
#include "config.h"
#include "store/vtab.h"

#include <string.h>

#include "util/format.h"

#define SCAN_COST 1e7
#define SCAN_ROWS 1000

void
arguments_declare(const struct arguments_shape *shape, struct strbuf *columns)
{
	for (int i = 0; i < shape->n; i++) {
		strbuf_printf(columns, ", \"%s\" HIDDEN", shape->names[i]);
	}
}

static int
missing(struct vtab *vtab, const struct arguments_shape *shape, int i)
{
	struct err err = ERR_INIT;
	err_set(&err, ERR_QUERY, "argument '%s' is missing: %s%s", shape->names[i],
	        vtab->type->name, shape->usage);
	return vtab_fail(vtab, &err);
}

/* Gives each argument's first usable constraint to xFilter; says which arguments have one and which
 * wait. */
static void
take_constraints(const struct arguments_shape *shape, int first, sqlite3_index_info *info,
                 char names[ARGUMENTS_MAX + 1], unsigned *given, unsigned *waiting)
{
	int n = 0;
	*given = *waiting = 0;
	for (int i = 0; i < info->nConstraint; i++) {
		int argument = info->aConstraint[i].iColumn - first;
		if (argument < 0 || argument >= shape->n ||
		    info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ) {
			continue;
		}
		unsigned bit = 1u << argument;
		if (!info->aConstraint[i].usable) {
			*waiting |= bit;
		} else if (!(*given & bit)) {
			*given |= bit;
			names[n++] = (char)('A' + argument);
			info->aConstraintUsage[i].argvIndex = n;
			info->aConstraintUsage[i].omit = 1;
		}
	}
	names[n] = '\0';
}

int
arguments_best_index(struct vtab *vtab, const struct arguments_shape *shape, int first,
                     sqlite3_index_info *info)
{
	char names[ARGUMENTS_MAX + 1];
	unsigned given, waiting;
	take_constraints(shape, first, info, names, &given, &waiting);
	if (waiting & ~given) {
		return SQLITE_CONSTRAINT;
	}
	for (int i = 0; i < shape->n_required; i++) {
		if (!(given >> i & 1)) {
			return missing(vtab, shape, i);
		}
	}
	info->idxStr = sqlite3_mprintf("%s", names);
	info->needToFreeIdxStr = 1;
	info->estimatedCost = SCAN_COST;
	info->estimatedRows = SCAN_ROWS;
	return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

static bool
same_value(sqlite3_value *a, sqlite3_value *b)
{
	if (!a || !b || sqlite3_value_type(a) != sqlite3_value_type(b)) {
		return !a && !b;
	}
	double x, y;
	int bytes;
	switch (sqlite3_value_type(a)) {
	case SQLITE_NULL:
		return true;
	case SQLITE_INTEGER:
		return sqlite3_value_int64(a) == sqlite3_value_int64(b);
	case SQLITE_FLOAT:
		x = sqlite3_value_double(a);
		y = sqlite3_value_double(b);
		return memcmp(&x, &y, sizeof x) == 0;
	default:
		bytes = sqlite3_value_bytes(a);
		return bytes == sqlite3_value_bytes(b) &&
		       (bytes == 0 ||
		        memcmp(sqlite3_value_blob(a), sqlite3_value_blob(b), (size_t)bytes) == 0);
	}
}

void
arguments_free(struct arguments *arguments)
{
	for (int i = 0; i < ARGUMENTS_MAX; i++) {
		sqlite3_value_free(arguments->values[i]);
		arguments->values[i] = NULL;
	}
}

void
arguments_result(const struct arguments *arguments, int i, sqlite3_context *context)
{
	if (arguments->values[i]) {
		sqlite3_result_value(context, arguments->values[i]);
	}
}

int
arguments_set(struct arguments *arguments, const char *names, int argc, sqlite3_value **argv,
              bool *is_same)
{
	struct arguments fresh = {.shape = arguments->shape};
	*is_same = true;
	for (int i = 0; i < argc; i++) {
		sqlite3_value *copy = sqlite3_value_dup(argv[i]);
		if (!copy) {
			arguments_free(&fresh);
			return -1;
		}
		fresh.values[names[i] - 'A'] = copy;
	}
	for (int i = 0; i < ARGUMENTS_MAX; i++) {
		*is_same = *is_same && same_value(arguments->values[i], fresh.values[i]);
	}
	arguments_free(arguments);
	*arguments = fresh;
	return 0;
}

static int
type_of(const struct arguments *arguments, int i)
{
	return arguments->values[i] ? sqlite3_value_type(arguments->values[i]) : SQLITE_NULL;
}

int
arguments_text(const struct arguments *arguments, int i, const char **text, struct err *err)
{
	*text = NULL;
	int type = type_of(arguments, i);
	if (type == SQLITE_NULL) {
		return 0;
	}
	if (type == SQLITE_BLOB) {
		return err_set(err, ERR_QUERY, "argument '%s' is a blob, not text",
		               arguments->shape->names[i]);
	}
	*text = (const char *)sqlite3_value_text(arguments->values[i]);
	if (!*text || strlen(*text) != (size_t)sqlite3_value_bytes(arguments->values[i])) {
		return err_set(err, ERR_QUERY, "argument '%s' holds a NUL character",
		               arguments->shape->names[i]);
	}
	return 0;
}

int
arguments_by(const struct arguments *arguments, const char **by, const char **filter,
             struct err *err)
{
	if (arguments_text(arguments, 0, by, err) || arguments_text(arguments, 1, filter, err)) {
		return -1;
	}
	return *by ? 0 : err_set(err, ERR_QUERY, "'by' is NULL ('' asks for one group over all)");
}

int
arguments_integer(const struct arguments *arguments, int i, int64_t *integer, struct err *err)
{
	sqlite3_value *value = arguments->values[i];
	if (!value || sqlite3_value_numeric_type(value) != SQLITE_INTEGER) {
		return err_set(err, ERR_QUERY, "argument '%s' is not an integer",
		               arguments->shape->names[i]);
	}
	*integer = sqlite3_value_int64(value);
	return 0;
}

int
arguments_duration(const struct arguments *arguments, int i, int64_t *duration_ns, struct err *err)
{
	const char *text;
	sqlite3_value *value = arguments->values[i];
	*duration_ns = 0;
	if (type_of(arguments, i) == SQLITE_INTEGER) {
		*duration_ns = sqlite3_value_int64(value);
		return 0;
	}
	if (arguments_text(arguments, i, &text, err)) {
		return -1;
	}
	if (text && (sqlite3_value_type(value) != SQLITE_TEXT ||
	             !parse_duration(slice_of(text), duration_ns))) {
		return err_set(err, ERR_QUERY,
		               "%s '%s' is no duration (ns, or text such as '10ms')",
		               arguments->shape->names[i], text);
	}
	return 0;
}

int
arguments_parameters(const struct arguments *arguments,
                     struct scan_value parameters[SCAN_PARAMETERS], struct err *err)
{
	for (int k = 0; k < SCAN_PARAMETERS; k++) {
		int i = arguments->shape->n - SCAN_PARAMETERS + k;
		sqlite3_value *value = arguments->values[i];
		struct scan_value *parameter = &parameters[k];
		*parameter = (struct scan_value){.type = SCAN_NULL};
		switch (type_of(arguments, i)) {
		case SQLITE_NULL:
			break;
		case SQLITE_INTEGER:
			parameter->type = SCAN_INTEGER;
			parameter->integer = sqlite3_value_int64(value);
			break;
		case SQLITE_FLOAT:
			parameter->type = SCAN_REAL;
			parameter->real = sqlite3_value_double(value);
			break;
		case SQLITE_TEXT:
			parameter->type = SCAN_TEXT;
			parameter->text.ptr = (const char *)sqlite3_value_text(value);
			parameter->text.len = (size_t)sqlite3_value_bytes(value);
			break;
		default:
			return err_set(err, ERR_QUERY, "argument '%s' is a blob",
			               arguments->shape->names[i]);
		}
	}
	return 0;
}
