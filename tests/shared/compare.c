/*
 * Compares what lanescope printed (CSV) with expected results, for the tests over samples that are
 * not part of the project. Integers must be equal, reals within 1e-9 of their size, texts byte by
 * byte; an empty field is a missing value.
 *
 *   compare rows ACTUAL.csv EXPECTED.csv EXPECTED_COLUMN=ACTUAL_COLUMN...
 *
 * row by row, in order, equally many;
 *
 *   compare cell ACTUAL.csv SELECTOR COLUMN EXPECTED.json POINTER [FACTOR]
 *
 * one field; SELECTOR: COLUMN=TEXT or - (first row);
 *
 *   compare table ACTUAL.csv KEY VALUES EXPECTED.json POINTER [FACTOR]
 *
 * an object {key: number}, or rows [[key, number...]...] in order, or of objects with members named
 * like the columns; VALUES: columns, apart by commas;
 *
 *   compare count ACTUAL.csv N
 *
 * rows; and
 *
 *   compare value EXPECTED.json POINTER
 *
 * prints a number, a text or how many members a list has, for tests that look for it elsewhere.
 *
 * FACTOR multiplies what lanescope printed. In tables of an object, rows that are not in it are
 * wrong, too.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct csv {
	char **fields; /* row-major, the header is row 0 */
	size_t n_columns, n_rows, n_fields, capacity;
};

static unsigned n_wrong;

static void
die(const char *what, const char *detail)
{
	fprintf(stderr, "compare: %s: %s\n", what, detail);
	exit(2);
}

static void
wrong(const char *where, const char *actual, const char *expected)
{
	if (n_wrong++ < 10) {
		printf("# %s: is \"%s\", should be \"%s\"\n", where, actual, expected);
	}
}

static char *
read_all(const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t length = 0, capacity = 1 << 16;
	char *text = malloc(capacity);
	if (!file || !text) {
		die(path, strerror(errno));
	}
	for (size_t n; (n = fread(text + length, 1, capacity - length - 1, file)) > 0;) {
		length += n;
		if (capacity - length < 2) {
			capacity *= 2;
			text = realloc(text, capacity);
			if (!text) {
				die(path, "out of memory");
			}
		}
	}
	fclose(file);
	text[length] = 0;
	return text;
}

static void
add_field(struct csv *csv, const char *start, size_t length)
{
	if (csv->n_fields == csv->capacity) {
		csv->capacity = csv->capacity ? csv->capacity * 2 : 1024;
		csv->fields = realloc(csv->fields, csv->capacity * sizeof *csv->fields);
	}
	char *field = csv->fields ? malloc(length + 1) : NULL;
	if (!field) {
		die("csv", "out of memory");
	}
	memcpy(field, start, length);
	field[length] = 0;
	csv->fields[csv->n_fields++] = field;
}

/* One field at p into buffer; returns where it ends. */
static char *
take_field(char *p, char *buffer, size_t *length)
{
	*length = 0;
	if (*p != '"') {
		while (*p && *p != ',' && *p != '\n' && *p != '\r') {
			buffer[(*length)++] = *p++;
		}
		return p;
	}
	for (p++; *p && !(*p == '"' && p[1] != '"'); p++) {
		p += *p == '"';
		buffer[(*length)++] = *p;
	}
	return *p ? p + 1 : p;
}

static struct csv
read_csv(const char *path)
{
	struct csv csv = {0};
	char *text = read_all(path), *buffer = malloc(strlen(text) + 1);
	for (char *p = text; *p;) {
		size_t length;
		p = take_field(p, buffer, &length);
		add_field(&csv, buffer, length);
		if (*p == ',') {
			p++;
			if (*p == 0 || *p == '\n') {
				add_field(&csv, "", 0);
			}
		}
		p += *p == '\r';
		if (*p == '\n' || *p == 0) {
			p += *p == '\n';
			csv.n_columns = csv.n_columns ? csv.n_columns : csv.n_fields;
		}
	}
	if (csv.n_columns && csv.n_fields % csv.n_columns) {
		die(path, "rows of different length");
	}
	csv.n_rows = csv.n_columns ? csv.n_fields / csv.n_columns - 1 : 0;
	free(text);
	free(buffer);
	return csv;
}

static const char *
field(const struct csv *csv, size_t row, size_t column)
{
	return csv->fields[(row + 1) * csv->n_columns + column];
}

static size_t
find_column(const struct csv *csv, const char *name, size_t length)
{
	for (size_t i = 0; i < csv->n_columns; i++) {
		if (strlen(csv->fields[i]) == length && memcmp(csv->fields[i], name, length) == 0) {
			return i;
		}
	}
	die("no column", name);
	return 0;
}

static bool
is_integer(const char *text)
{
	size_t digits = strspn(text + (*text == '-'), "0123456789");
	return digits > 0 && text[digits + (*text == '-')] == 0;
}

static bool
near(double a, double b)
{
	return a == b || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

static bool
same(const char *actual, const char *expected)
{
	char *end_a, *end_b;
	if (strcmp(actual, expected) == 0) {
		return true;
	}
	if (!*actual || !*expected || (is_integer(actual) && is_integer(expected))) {
		return false;
	}
	double a = strtod(actual, &end_a), b = strtod(expected, &end_b);
	return !*end_a && !*end_b && near(a, b);
}

static void
compare_rows(int argc, char **argv)
{
	struct csv actual = read_csv(argv[0]), expected = read_csv(argv[1]);
	char where[512];
	if (actual.n_rows != expected.n_rows) {
		char a[32], b[32];
		snprintf(a, sizeof a, "%zu", actual.n_rows);
		snprintf(b, sizeof b, "%zu", expected.n_rows);
		wrong("rows", a, b);
	}
	for (int i = 2; i < argc && expected.n_rows; i++) {
		const char *equals = strchr(argv[i], '=');
		if (!equals) {
			die("not EXPECTED=ACTUAL", argv[i]);
		}
		size_t e = find_column(&expected, argv[i], (size_t)(equals - argv[i]));
		size_t a = find_column(&actual, equals + 1, strlen(equals + 1));
		for (size_t row = 0; row < expected.n_rows && row < actual.n_rows; row++) {
			if (!same(field(&actual, row, a), field(&expected, row, e))) {
				snprintf(where, sizeof where, "row %zu, %s", row + 1, argv[i]);
				wrong(where, field(&actual, row, a), field(&expected, row, e));
			}
		}
	}
}

/* "/a/b/0": members and indices; '~' stands for '/' within a name. */
static json_t *
look_up(json_t *json, const char *pointer)
{
	char name[1024];
	while (json && *pointer == '/') {
		size_t n = strcspn(++pointer, "/");
		snprintf(name, sizeof name, "%.*s", (int)n, pointer);
		for (char *p = name; *p; p++) {
			*p = *p == '~' ? '/' : *p;
		}
		json = json_is_array(json) ? json_array_get(json, (size_t)atol(name))
		                           : json_object_get(json, name);
		pointer += n;
	}
	return json;
}

static void
check_number(const char *where, const char *actual, json_t *expected, double factor)
{
	char text[64] = "missing";
	bool ok;
	if (json_is_integer(expected)) {
		snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(expected));
	} else if (json_is_real(expected)) {
		snprintf(text, sizeof text, "%.17g", json_real_value(expected));
	}
	if (json_is_string(expected)) {
		ok = strcmp(actual, json_string_value(expected)) == 0;
	} else if (!json_is_number(expected)) {
		ok = *actual == 0;
	} else if (factor == 1 && json_is_integer(expected) && is_integer(actual)) {
		ok = strcmp(actual, text) == 0;
	} else {
		char *end;
		double value = strtod(actual, &end);
		ok = *actual && !*end && near(value * factor, json_number_value(expected));
	}
	if (!ok) {
		wrong(where, actual, json_is_string(expected) ? json_string_value(expected) : text);
	}
}

static json_t *
load(const char *path, const char *pointer)
{
	json_error_t error;
	json_t *json = json_load_file(path, 0, &error);
	if (!json) {
		die(path, error.text);
	}
	json_t *found = look_up(json, pointer);
	if (!found) {
		die(path, pointer);
	}
	return found;
}

static void
print_value(const char *path, const char *pointer)
{
	json_t *value = load(path, pointer);
	if (json_is_string(value)) {
		puts(json_string_value(value));
	} else if (json_is_integer(value)) {
		printf("%" JSON_INTEGER_FORMAT "\n", json_integer_value(value));
	} else if (json_is_real(value)) {
		printf("%.17g\n", json_real_value(value));
	} else if (json_is_array(value)) {
		printf("%zu\n", json_array_size(value));
	} else {
		die(pointer, "neither a number nor a text nor a list");
	}
}

static void
compare_cell(char **argv, double factor)
{
	struct csv actual = read_csv(argv[0]);
	json_t *expected = load(argv[3], argv[4]);
	const char *equals = strchr(argv[1], '=');
	size_t column = find_column(&actual, argv[2], strlen(argv[2]));
	for (size_t row = 0; row < actual.n_rows; row++) {
		if (!equals ||
		    strcmp(field(&actual, row,
		                 find_column(&actual, argv[1], (size_t)(equals - argv[1]))),
		           equals + 1) == 0) {
			check_number(argv[4], field(&actual, row, column), expected, factor);
			return;
		}
	}
	if (!json_is_null(expected)) {
		wrong(argv[4], "no such row", argv[1]);
	}
}

static void
compare_object(const struct csv *actual, size_t key, size_t value, json_t *expected, double factor)
{
	const char *name;
	json_t *member;
	json_object_foreach(expected, name, member)
	{
		size_t row = 0;
		while (row < actual->n_rows && strcmp(field(actual, row, key), name) != 0) {
			row++;
		}
		if (row == actual->n_rows) {
			wrong(name, "no such row", "there");
		} else {
			check_number(name, field(actual, row, value), member, factor);
		}
	}
	for (size_t row = 0; row < actual->n_rows; row++) {
		if (!json_object_get(expected, field(actual, row, key))) {
			wrong("row", field(actual, row, key), "not there");
		}
	}
}

struct value_column {
	size_t column;
	double factor;
};

/* "time*1e-3,size" */
static size_t
parse_columns(const struct csv *csv, const char *text, struct value_column *columns,
              size_t capacity)
{
	size_t n = 0;
	while (*text && n < capacity) {
		size_t length = strcspn(text, ",*");
		columns[n].column = find_column(csv, text, length);
		columns[n].factor = text[length] == '*' ? strtod(text + length + 1, NULL) : 1;
		n++;
		text += strcspn(text, ",");
		text += *text == ',';
	}
	return n;
}

static void
compare_table(char **argv)
{
	struct csv actual = read_csv(argv[0]);
	json_t *expected = load(argv[3], argv[4]);
	struct value_column columns[16] = {{find_column(&actual, argv[1], strlen(argv[1])), 1}};
	size_t n = 1 + parse_columns(&actual, argv[2], columns + 1, 15);
	if (json_is_object(expected)) {
		compare_object(&actual, columns[0].column, columns[1].column, expected,
		               columns[1].factor);
		return;
	}
	if (json_array_size(expected) != actual.n_rows) {
		char a[32], b[32];
		snprintf(a, sizeof a, "%zu", actual.n_rows);
		snprintf(b, sizeof b, "%zu", json_array_size(expected));
		wrong("rows", a, b);
	}
	for (size_t row = 0; row < json_array_size(expected) && row < actual.n_rows; row++) {
		json_t *values = json_array_get(expected, row);
		size_t n_values = json_is_object(values) ? n : json_array_size(values);
		for (size_t i = 0; i < n && i < n_values; i++) {
			json_t *value =
			    json_is_object(values)
				? json_object_get(values, actual.fields[columns[i].column])
				: json_array_get(values, i);
			check_number(argv[4], field(&actual, row, columns[i].column), value,
			             columns[i].factor);
		}
	}
}

/* Asked by LeakSanitizer: this program reads two small files and ends, so it frees nothing. */
int __lsan_is_turned_off(void);
int
__lsan_is_turned_off(void)
{
	return 1;
}

int
main(int argc, char **argv)
{
	if (argc >= 5 && strcmp(argv[1], "rows") == 0) {
		compare_rows(argc - 2, argv + 2);
	} else if (argc >= 7 && strcmp(argv[1], "cell") == 0) {
		compare_cell(argv + 2, argc > 7 ? strtod(argv[7], NULL) : 1);
	} else if (argc >= 7 && strcmp(argv[1], "table") == 0) {
		compare_table(argv + 2);
	} else if (argc == 4 && strcmp(argv[1], "count") == 0) {
		struct csv actual = read_csv(argv[2]);
		char rows[32];
		snprintf(rows, sizeof rows, "%zu", actual.n_rows);
		if (strcmp(rows, argv[3]) != 0) {
			wrong("rows", rows, argv[3]);
		}
	} else if (argc == 4 && strcmp(argv[1], "value") == 0) {
		print_value(argv[2], argv[3]);
	} else {
		fprintf(stderr, "compare: wrong usage: see compare.c\n");
		return 2;
	}
	return n_wrong > 0;
}
