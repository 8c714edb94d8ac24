/*
 * A slow reference of grouped sums: it walks plain rows, keeps each group's figures in 128 bits and
 * all values for its quantiles, and compares what sums_run gives with them.
 */
#include "config.h"

#include "unit/sums_reference.h"

#include <inttypes.h>

#include "column/scan/pathname.h"
#include "util/regex.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PATTERN "[0-9-]+"

const struct sums_dimension sums_dimensions[SUMS_DIMENSIONS] = {
    {"name", "name", 0},
    {"category", "category", 0},
    {"path", "path", 0},
    {"basename", "basename", 0},
    {"dirname", "dirname", 0},
    {"class", "class", 0},
    {"pattern('" PATTERN "', '#')", "pattern", 0},
    {"size", "size", 0},
    {"duration", "duration", 0},
    {"self", "self", 0},
    {"depth", "depth", 0},
    {"calls", "calls", 0},
    {"lane", "lane", 0},
    {"lane_name", "lane_name", 0},
    {"host", "host", 0},
    {"process", "process", 0},
    {"thread", "thread", 0},
    {"kind", "kind", 0},
    {"start(20us)", "start", 20000},
    {"time(50us)", "time", 50000},
    {"arg.fd", "fd", 0},
    {"arg.mix", "mix", 0},
    {"arg.mode", "mode", 0},
    {"arg.\"odd key\"", "odd key", 0},
    {"start(1s)", "start", 1000000000},
    {"start(7ns)", "start", 7},
    {"arg.nowhere", "nowhere", 0},
};
const enum row_column sums_dimension_ids[SUMS_DIMENSIONS] = {
    ROW_NAME, ROW_CATEGORY, ROW_PATH,   ROW_BASENAME, ROW_DIRNAME, ROW_PATH_CLASS, ROW_PATTERN,
    ROW_SIZE, ROW_DURATION, ROW_SELF,   ROW_DEPTH,    ROW_CALLS,   ROW_LANE,       ROW_LANE_NAME,
    ROW_HOST, ROW_PROCESS,  ROW_THREAD, ROW_KIND,     ROW_BUCKET,  ROW_TIME,       ROW_ARG1,
    ROW_ARG1, ROW_ARG1,     ROW_ARG1,   ROW_BUCKET,   ROW_BUCKET,  ROW_ARG1,
};

struct expected_measure {
	int64_t n;
	__int128 sum;
	unsigned __int128 squares;
	int64_t min, max;
	double real_sum, real_min, real_max;
	__int128 n_summed; /* of n: known by their sum alone */
	bool has_no_range;
	double *values;
	size_t n_values, capacity;
};
struct expected {
	int64_t rows, start_min, end_max;
	__int128 n, summed;
	struct expected_measure measures[MEASURES];
};

struct reference {
	const struct fixture *fixture;
	enum block_kind kind;
	unsigned dimensions[SCAN_DIMENSIONS], n_dimensions;
	bool (*accepts)(const struct fixture_row *row);
	struct intern *keys;
	struct expected *groups;
	size_t n_groups, capacity;
	struct regex *regex;
	struct strbuf replaced;
};

static int64_t
floor_to(int64_t value, int64_t width)
{
	int64_t rest = value % width;
	return value - (rest < 0 ? rest + width : rest);
}

/* A dimension's value of a row, as sums show it. bucket: of time. */
static struct row_value
dimension_value(struct reference *reference, const struct fixture_row *row, unsigned dimension,
                int64_t bucket)
{
	const char *column = sums_dimensions[dimension].column;
	int64_t width = sums_dimensions[dimension].width;
	if (strcmp(column, "time") == 0) {
		return fixture_integer_value(bucket);
	}
	if (width) {
		return fixture_integer_value(floor_to(row->start, width));
	}
	if (strcmp(column, "pattern") == 0) {
		struct row_value value = fixture_value(reference->fixture, row, "basename");
		if (value.type != VALUE_IS_NULL) {
			strbuf_clear(&reference->replaced);
			regex_replace(reference->regex, value.text, slice_of("#"),
			              &reference->replaced);
			value.text = strbuf_slice(&reference->replaced);
		}
		return value;
	}
	if (strcmp(column, "nowhere") == 0) {
		return (struct row_value){.type = VALUE_IS_NULL};
	}
	if (row->calls > 1 && (strcmp(column, "size") == 0 || strcmp(column, "duration") == 0 ||
	                       strcmp(column, "self") == 0)) {
		return (struct row_value){.type = VALUE_IS_NULL}; /* of no single call */
	}
	return fixture_value(reference->fixture, row, column);
}

static void
add_key(struct strbuf *key, const struct row_value *value)
{
	char digits[ROW_VALUE_DIGITS];
	struct slice text;
	switch (value->type) {
	case VALUE_IS_NULL:
		strbuf_add_text(key, "N|");
		break;
	case VALUE_IS_INTEGER:
	case VALUE_IS_INTEGER_TEXT:
		strbuf_printf(key, "I%" PRId64 "|", value->integer);
		break;
	case VALUE_IS_REAL:
		if (value->real == floor(value->real) &&
		    fabs(value->real) < 9e18) { /* in one group with the integer */
			strbuf_printf(key, "I%" PRId64 "|", (int64_t)value->real);
			break;
		}
		strbuf_printf(key, "R%a|", value->real);
		break;
	default:
		text = row_value_text(value, digits);
		strbuf_printf(key, "T%zu:", text.len);
		strbuf_add(key, text.ptr, text.len);
		strbuf_add_char(key, '|');
		break;
	}
}

static struct expected *
expected_group(struct reference *reference, struct slice key)
{
	uint32_t id = intern_id(reference->keys, key);
	if (id == reference->n_groups) {
		reference->groups = mem_grow(reference->groups, &reference->capacity, id + 1,
		                             sizeof *reference->groups);
		struct expected *group = &reference->groups[reference->n_groups++];
		*group = (struct expected){.start_min = INT64_MAX, .end_max = INT64_MIN};
		for (int m = 0; m < MEASURES; m++) {
			group->measures[m].min = INT64_MAX;
			group->measures[m].max = INT64_MIN;
		}
	}
	return &reference->groups[id];
}

static struct expected *
group_of_row(struct reference *reference, const struct fixture_row *row, int64_t bucket)
{
	struct strbuf key = {0};
	strbuf_add_text(&key, "");
	for (unsigned i = 0; i < reference->n_dimensions; i++) {
		struct row_value value =
		    dimension_value(reference, row, reference->dimensions[i], bucket);
		add_key(&key, &value);
	}
	struct expected *group = expected_group(reference, strbuf_slice(&key));
	strbuf_free(&key);
	return group;
}

static void
add_integer(struct expected_measure *measure, int64_t value)
{
	unsigned __int128 square = (unsigned __int128)((__int128)value * value);
	measure->n++;
	measure->sum += value;
	measure->squares =
	    measure->squares + square < square ? ~(unsigned __int128)0 : measure->squares + square;
	measure->min = value < measure->min ? value : measure->min;
	measure->max = value > measure->max ? value : measure->max;
	measure->values =
	    mem_grow(measure->values, &measure->capacity, measure->n_values + 1, sizeof(double));
	measure->values[measure->n_values++] = (double)value;
}

static void
add_real(struct expected_measure *measure, double value)
{
	measure->real_min =
	    measure->n == 0 || value < measure->real_min ? value : measure->real_min;
	measure->real_max =
	    measure->n == 0 || value > measure->real_max ? value : measure->real_max;
	measure->n++;
	measure->real_sum += value;
	measure->values =
	    mem_grow(measure->values, &measure->capacity, measure->n_values + 1, sizeof(double));
	measure->values[measure->n_values++] = value;
}

/* Width of the time dimension, 0 if it is not asked for. */
static int64_t
time_width(const struct reference *reference)
{
	for (unsigned i = 0; i < reference->n_dimensions; i++) {
		if (strcmp(sums_dimensions[reference->dimensions[i]].column, "time") == 0) {
			return sums_dimensions[reference->dimensions[i]].width;
		}
	}
	return 0;
}

/* A record that stands for many calls. */
static void
add_summed(struct expected_measure *measure, int64_t calls, int64_t sum, int64_t min, int64_t max)
{
	measure->n_summed += calls;
	measure->sum += sum;
	if (min == INT64_MIN || max == INT64_MIN) {
		measure->has_no_range = true;
	} else {
		measure->min = min < measure->min ? min : measure->min;
		measure->max = max > measure->max ? max : measure->max;
	}
}

static void
add_calls(struct reference *reference, struct expected *group, const struct fixture_row *row,
          int64_t width)
{
	int64_t sum = row->has_totals ? row->totals.sum_ns : row->duration;
	const int64_t none = INT64_MIN, end = time_add(row->start, row->duration);
	const struct call_totals unknown = {sum, none, none, none, none, false},
				 *totals = row->has_totals ? &row->totals : &unknown;
	struct expected_measure *measures = group->measures;
	group->summed += row->calls;
	add_summed(&measures[MEASURE_DURATION], row->calls, sum, totals->min_ns, totals->max_ns);
	add_summed(&measures[MEASURE_SELF], row->calls, sum, none, none);
	if (row->size != SIZE_NONE) {
		add_summed(&measures[MEASURE_SIZE], row->calls, row->size, totals->size_min,
		           totals->size_max);
	}
	if (!width || row->duration == 0) {
		return;
	}
	measures[MEASURE_DURATION].sum -= sum;
	for (int64_t at = row->start; at < end;) {
		int64_t bucket = floor_to(at, width),
			next = bucket + width < end ? bucket + width : end;
		__int128 before = (__int128)sum * (at - row->start) / row->duration;
		__int128 until = (__int128)sum * (next - row->start) / row->duration;
		group_of_row(reference, row, bucket)->measures[MEASURE_DURATION].sum +=
		    until - before;
		at = next;
	}
}

static void
add_row(struct reference *reference, const struct fixture_row *row)
{
	int64_t width = time_width(reference), end = time_add(row->start, row->duration),
		bucket = width ? floor_to(row->start, width) : 0;
	struct expected *group = group_of_row(reference, row, bucket);
	group->rows++;
	group->n += row->calls;
	group->start_min = row->start < group->start_min ? row->start : group->start_min;
	group->end_max = end > group->end_max ? end : group->end_max;
	if (reference->kind == BLOCK_COUNTER && !isnan(row->value)) {
		add_real(&group->measures[MEASURE_VALUE], row->value);
	}
	if (reference->kind != BLOCK_SPAN) {
		return;
	}
	if (row->calls > 1) {
		add_calls(reference, group, row, width);
		return;
	}
	add_integer(&group->measures[MEASURE_DURATION], row->duration);
	add_integer(&group->measures[MEASURE_SELF], row->duration - row->covered);
	if (row->size != SIZE_NONE) {
		add_integer(&group->measures[MEASURE_SIZE], row->size);
	}
	if (width && end > bucket + width) {
		group->measures[MEASURE_DURATION].sum -= end - (bucket + width);
		for (bucket += width; bucket < end; bucket += width) {
			int64_t part = end - bucket < width ? end - bucket : width;
			group_of_row(reference, row, bucket)->measures[MEASURE_DURATION].sum +=
			    part;
		}
	}
}

static void
reference_run(struct reference *reference)
{
	struct err err = ERR_INIT;
	reference->keys = intern_new();
	reference->regex = regex_compile(slice_of(PATTERN), &err);
	ck_assert_ptr_nonnull(reference->regex);
	if (reference->n_dimensions == 0) {
		expected_group(reference, slice_of(""));
	}
	for (size_t i = 0; i < reference->fixture->n_rows[reference->kind]; i++) {
		const struct fixture_row *row = &reference->fixture->rows[reference->kind][i];
		if (!reference->accepts || reference->accepts(row)) {
			add_row(reference, row);
		}
	}
}

static void
reference_free(struct reference *reference)
{
	for (size_t i = 0; i < reference->n_groups; i++) {
		for (int m = 0; m < MEASURES; m++) {
			free(reference->groups[i].measures[m].values);
		}
	}
	free(reference->groups);
	intern_free(reference->keys);
	regex_free(reference->regex);
	strbuf_free(&reference->replaced);
}

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* numpy.quantile(values, share) */
static double
numpy_quantile(double *values, size_t n, double share)
{
	if (n == 0) {
		return NAN;
	}
	qsort(values, n, sizeof *values, compare_doubles);
	double position = share * (double)(n - 1), low = floor(position), rest = position - low;
	double a = values[(size_t)low], b = values[(size_t)low + 1 < n ? (size_t)low + 1 : n - 1];
	return rest >= 0.5 ? b - (b - a) * (1 - rest) : a + (b - a) * rest;
}

static int64_t
saturated(__int128 value)
{
	return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

static bool
is_near(double a, double b)
{
	return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* In two passes. */
static double
deviation_of(const struct expected_measure *want)
{
	long double sum = 0, squares = 0, n = (long double)want->n_values;
	for (size_t i = 0; i < want->n_values; i++) {
		sum += want->values[i];
	}
	for (size_t i = 0; i < want->n_values; i++) {
		long double distance = want->values[i] - sum / n;
		squares += distance * distance;
	}
	return want->n_values < 2 || want->squares == ~(unsigned __int128)0
	           ? NAN
	           : (double)sqrtl(squares / (n - 1));
}

static void
check_measure(const struct measure_sums *got, struct expected_measure *want, bool is_real,
              bool is_divided, unsigned quantiles, const char *what)
{
	static const double shares[QUANTILES] = {0.25, 0.5, 0.75, 0.9, 0.95, 0.99};
	int64_t n = saturated(want->n + want->n_summed);
	FIXTURE_CHECK(got->n == n, "%s: n %" PRId64 ", not %" PRId64, what, got->n, n);
	FIXTURE_CHECK(got->has_no_distribution == (want->n_summed > 0) &&
	                  got->has_no_range == want->has_no_range,
	              "%s: what is known", what);
	if (is_real) {
		FIXTURE_CHECK(is_near(got->real_sum, want->real_sum), "%s: real sums %g %g", what,
		              got->real_sum, want->real_sum);
		FIXTURE_CHECK(is_near(got->deviation, deviation_of(want)),
		              "%s: deviation %g, not %g", what, got->deviation, deviation_of(want));
		FIXTURE_CHECK(want->n == 0 || (got->real_min == want->real_min &&
		                               got->real_max == want->real_max),
		              "%s: real min, max", what);
	} else {
		FIXTURE_CHECK(got->sum == saturated(want->sum), "%s: sum %" PRId64 ", not %" PRId64,
		              what, got->sum, saturated(want->sum));
		FIXTURE_CHECK(got->sum_leaves == (got->sum != want->sum), "%s: sum leaves", what);
		FIXTURE_CHECK(got->squares == (want->n_summed ? 0 : want->squares),
		              "%s: squares %g, not %g", what, (double)got->squares,
		              (double)want->squares);
		FIXTURE_CHECK(is_near(got->deviation,
		                      is_divided || want->n_summed ? NAN : deviation_of(want)),
		              "%s: deviation %g, not %g", what, got->deviation,
		              is_divided || want->n_summed ? NAN : deviation_of(want));
		FIXTURE_CHECK(got->min == (n ? want->min : 0) && got->max == (n ? want->max : 0),
		              "%s: min, max", what);
	}
	for (int q = 0; q < QUANTILES; q++) {
		double expected = quantiles >> q & 1 && want->n_summed == 0
		                      ? numpy_quantile(want->values, want->n_values, shares[q])
		                      : NAN;
		FIXTURE_CHECK(is_near(got->quantile[q], expected), "%s: quantile %g: %g, not %g",
		              what, shares[q], got->quantile[q], expected);
	}
}

static struct row_value
row_value_of(struct scan_value value)
{
	return (struct row_value){.type = value.type == SCAN_NULL   ? VALUE_IS_NULL
	                                  : value.type == SCAN_REAL ? VALUE_IS_REAL
	                                  : value.type == SCAN_TEXT ? VALUE_IS_TEXT
	                                                            : VALUE_IS_INTEGER,
	                          .integer = value.integer,
	                          .real = value.real,
	                          .text = value.text};
}

void
sums_add_key(struct strbuf *key, struct scan_value value)
{
	struct row_value row_value = row_value_of(value);

	add_key(key, &row_value);
}

static int
compare_keys(const struct scan_value *a, const struct scan_value *b)
{
	if (a->type == SCAN_NULL || b->type == SCAN_NULL) {
		return (b->type == SCAN_NULL) - (a->type == SCAN_NULL);
	}
	return scan_value_compare(a, b);
}

static void
check_sums(struct reference *reference, const char *by, const char *filter, unsigned quantiles)
{
	struct err err = ERR_INIT;
	struct sums_request request = {.kind = reference->kind, .by = by, .filter = filter};
	for (int m = 0; m < MEASURES; m++) {
		request.quantiles[m] = quantiles;
	}
	struct sums *sums = sums_run(&reference->fixture->dataset, &request, &err);
	ck_assert_msg(sums != NULL, "%s | %s: %s", by, filter, err.message);
	ck_assert_msg(sums_count(sums) == reference->n_groups, "%s | %s: %zu groups, not %zu", by,
	              filter, sums_count(sums), reference->n_groups);
	struct strbuf key = {0};
	for (size_t g = 0; g < sums_count(sums); g++) {
		unsigned n_args = 0;
		int order = g == 0 ? -1 : 0;
		strbuf_clear(&key);
		strbuf_add_text(&key, "");
		for (unsigned i = 0; i < reference->n_dimensions; i++) {
			enum row_column dimension = sums_dimension_ids[reference->dimensions[i]];
			dimension = dimension == ROW_ARG1 ? (enum row_column)(ROW_ARG1 + n_args++)
			                                  : dimension;
			FIXTURE_CHECK(sums_has(sums, dimension), "%s: no %s", by,
			              row_columns[dimension].name);
			struct scan_value value = sums_key(sums, g, dimension), before = value;
			sums_add_key(&key, value);
			before = g ? sums_key(sums, g - 1, dimension) : before;
			order = order ? order : compare_keys(&before, &value);
		}
		FIXTURE_CHECK(order < 0, "%s: groups %zu and %zu are not in order", by, g - 1, g);
		uint32_t id = intern_find(reference->keys, strbuf_slice(&key));
		FIXTURE_CHECK(id != INTERN_NONE, "%s | %s: unexpected group %s", by, filter,
		              key.data);
		struct expected *want = &reference->groups[id];
		const struct group_sums *got = sums_group(sums, g);
		FIXTURE_CHECK(got->rows == want->rows && got->n == saturated(want->n) &&
		                  got->summed == saturated(want->summed),
		              "%s | %s: %s: %" PRId64 " rows, not %" PRId64, by, filter, key.data,
		              got->rows, want->rows);
		FIXTURE_CHECK(got->start_min == (want->rows ? want->start_min : 0) &&
		                  got->end_max == (want->rows ? want->end_max : 0),
		              "%s: %s: times", by, key.data);
		for (int m = 0; m < MEASURES; m++) {
			check_measure(&got->measure[m], &want->measures[m], m == MEASURE_VALUE,
			              m == MEASURE_DURATION && strstr(by, "time("), quantiles,
			              key.data);
		}
	}
	strbuf_free(&key);
	sums_free(sums);
}

void
sums_check_by(const struct fixture *of, enum block_kind kind, const unsigned *dimensions,
              unsigned n, const char *filter, bool (*accepts)(const struct fixture_row *row),
              unsigned quantiles)
{
	struct reference reference = {
	    .fixture = of, .kind = kind, .n_dimensions = n, .accepts = accepts};
	struct strbuf by = {0};
	strbuf_add_text(&by, "");
	for (unsigned i = 0; i < n; i++) {
		reference.dimensions[i] = dimensions[i];
		strbuf_printf(&by, "%s%s", i ? ", " : "", sums_dimensions[dimensions[i]].text);
	}
	reference_run(&reference);
	check_sums(&reference, by.data, filter, quantiles);
	reference_free(&reference);
	strbuf_free(&by);
}
