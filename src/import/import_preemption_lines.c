/*
 * Which form most lines of a file have, and where its columns stand. Some forms say so in a header;
 * most have none, and are known by what stands in their columns. Files of two bare numbers a line
 * are the hardest: a step plot never changes time and count at once, a log of counts does nothing
 * else.
 *
 * Every line votes for the forms that it could be of. Lines of no form, wherever they stand, are
 * outvoted; they become problems when the file is read. A header is a line without a number, in
 * which all columns of a form are named: they may stand in any order then, among others. Fields are
 * parted by commas; where that makes no sense, by semicolons or tabs.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <strings.h>

#include "util/date.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"

#define UNIX_LEAST 900000000.0 /* 1998 .. 2128: no elapsed time is so long */
#define UNIX_MOST 5000000000.0
#define UNSURE_SHARE 10u /* of the lines one in so many is of a form: more bytes may show more */
#define HEADERS_MOST 4u  /* lines that seem one */
#define UNSURE_BYTES ((size_t)32 << 10) /* at least were looked at */
#define SURE_EXTRA 60                   /* a header with more columns than the form has */
#define SURE_HEADER 10                  /* a header alone, above rows of another meaning */

static bool
name_has(const char *file_name, const char *part)
{
	return file_name && strstr(path_name(file_name), part);
}

/* ---- fields ---- */

static bool
is_number(struct slice text, double *value)
{
	/* Plain decimals only: no nan, no hexadecimal, no words. */
	for (size_t i = 0; i < text.len; i++) {
		if (!strchr("0123456789.eE+-", text.ptr[i]) || !text.ptr[i]) {
			return false;
		}
	}
	return slice_double(text, value);
}

static bool
fits(struct slice field, char type)
{
	int64_t integer;
	double real;

	switch (type) {
	case 'i':
		return slice_int64(field, &integer) && integer >= 0;
	case 'r':
		return is_number(field, &real);
	case 'm':
		return is_number(field, &real) && real >= 0;
	case 'u':
		return is_number(field, &real) && real > UNIX_LEAST && real < UNIX_MOST;
	case 'a':
		return slice_is(field, "add") || slice_is(field, "remove");
	case 't':
		return date_time_ns(field, &integer);
	case 'd':
		return date_day_ns(field, &integer);
	case 'c':
		return date_clock_ns(field, &integer);
	default:
		return field.len > 0 && field.len < 200 && !is_number(field, &real);
	}
}

/* Named by one of the alternatives, ASCII case apart? */
static bool
is_named(struct slice field, const char *names, size_t length)
{
	for (const char *end = names + length; names <= end;) {
		const char *bar = memchr(names, '|', (size_t)(end - names));
		size_t n = (size_t)((bar ? bar : end) - names);
		if (field.len == n && (n == 0 || strncasecmp(field.ptr, names, n) == 0)) {
			return true;
		}
		names += n + 1;
	}
	return false;
}

/* ---- what was seen of the lines ---- */

struct candidate {
	size_t n_fits; /* lines */
	bool is_named; /* by a header, which says where its columns stand */
	uint8_t places[PREEMPTION_COLUMNS];
};

struct look {
	size_t n_bytes, n_lines;
	size_t n_fits; /* of any form */
	struct candidate candidates[PREEMPTION_FORMS];
	struct strbuf header;
	size_t n_header;               /* fields of it */
	const struct intern *mistaken; /* lines that were taken for one before */
	bool has_diagonal;             /* time and count change at once */
	bool has_triple;               /* the count changes twice at one time */
	bool starts_at_zero;
	struct strbuf before[2]; /* the fields of the pair before */
	bool has_before;
	bool was_vertical;
};

static void
look_at_pair(struct look *look, const struct slice *fields)
{
	double first;

	if (!look->has_before) {
		look->starts_at_zero = is_number(fields[0], &first) && first == 0;
	} else {
		bool moves = !slice_equal(fields[0], strbuf_slice(&look->before[0]));
		bool changes = !slice_equal(fields[1], strbuf_slice(&look->before[1]));
		look->has_diagonal |= moves && changes;
		look->has_triple |= !moves && look->was_vertical;
		look->was_vertical = !moves;
	}
	for (size_t i = 0; i < 2; i++) {
		strbuf_clear(&look->before[i]);
		strbuf_add_slice(&look->before[i], fields[i]);
	}
	look->has_before = true;
}

static void
look_free(struct look *look)
{
	strbuf_free(&look->header);
	strbuf_free(&look->before[0]);
	strbuf_free(&look->before[1]);
}

/* Does the header name all columns of a form? An index, which has no name, may be missing. */
static bool
names_form(const struct csv *csv, const struct preemption_shape *shape, struct candidate *candidate)
{
	const char *name = shape->names;

	for (size_t column = 0; shape->columns[column]; column++) {
		size_t length = strcspn(name, ","), field = 0;
		while (field < csv->n_fields && !is_named(csv->fields[field], name, length)) {
			field++;
		}
		bool is_there = field < csv->n_fields && field < PLACE_NONE;
		if (!is_there && length > 0) {
			return false;
		}
		candidate->places[column] = is_there ? (uint8_t)field : PLACE_NONE;
		name += length + (name[length] == ',');
	}
	return true;
}

/* The first line without a number that names the columns of a form, or several, is the header, if
 * no row stands above it. */
static bool
take_header(struct look *look, const struct csv *csv)
{
	double number;

	if (look->header.len) {
		return slice_equal(slice_trim(csv->text, PREEMPTION_BLANKS),
		                   strbuf_slice(&look->header));
	}
	if (look->n_fits > 0 ||
	    intern_find(look->mistaken, slice_trim(csv->text, PREEMPTION_BLANKS)) != INTERN_NONE) {
		return false;
	}
	for (size_t i = 0; i < csv->n_fields; i++) {
		if (is_number(csv->fields[i], &number)) {
			return false;
		}
	}
	for (unsigned form = 0; form < PREEMPTION_FORMS; form++) {
		struct candidate candidate = {.is_named = true};
		const struct preemption_shape *shape = &preemption_shapes[form];
		if (shape->names && names_form(csv, shape, &candidate)) {
			struct slice text = slice_trim(csv->text, PREEMPTION_BLANKS);
			strbuf_clear(&look->header);
			strbuf_add_slice(&look->header, text);
			look->n_header = csv->n_fields;
			look->candidates[form] = candidate;
		}
	}
	return look->header.len > 0;
}

bool
preemption_allows_more(enum preemption_form form)
{
	return form == FORM_EVENTS ||
	       form == FORM_GCLOUD; /* whose columns tell them from all others */
}

static bool
fits_form(const struct look *look, const struct csv *csv, enum preemption_form form)
{
	const struct candidate *candidate = &look->candidates[form];
	const struct preemption_shape *shape = &preemption_shapes[form];

	if (!shape->columns || (!candidate->is_named && (shape->header || look->header.len))) {
		return false;
	}
	size_t n = candidate->is_named ? look->n_header : strlen(shape->columns);
	if (csv->n_fields < n || (csv->n_fields > n && !preemption_allows_more(form))) {
		return false;
	}
	for (size_t i = 0; shape->columns[i]; i++) {
		size_t place = candidate->is_named ? candidate->places[i] : i;
		if (place != PLACE_NONE && !fits(csv->fields[place], shape->columns[i])) {
			return false;
		}
	}
	return true;
}

static bool
look_at_row(struct look *look, const struct csv *csv)
{
	bool fits_any = false;

	for (unsigned form = 0; form < PREEMPTION_FORMS; form++) {
		bool fits_this = fits_form(look, csv, (enum preemption_form)form);
		look->candidates[form].n_fits += fits_this;
		fits_any |= fits_this;
	}
	enum preemption_form pair_form =
	    fits_form(look, csv, FORM_STEPS) ? FORM_STEPS : FORM_P3COUNTS;
	if (fits_any && fits_form(look, csv, pair_form)) {
		const struct candidate *form = &look->candidates[pair_form];
		struct slice pair[2] = {csv->fields[form->is_named ? form->places[0] : 0],
		                        csv->fields[form->is_named ? form->places[1] : 1]};
		look_at_pair(look, pair);
	}
	return fits_any;
}

static void
look_at_record(struct look *look, struct csv *csv)
{
	for (size_t i = 0; i < csv->n_fields; i++) {
		csv->fields[i] = slice_trim(csv->fields[i], PREEMPTION_BLANKS);
	}
	if (csv->text.ptr[0] == '#' || (!csv->problem && take_header(look, csv)) ||
	    (csv->is_open && look->n_lines > 0)) { /* which may be cut */
		return;
	}
	bool fits_any = !csv->problem && look_at_row(look, csv);
	if (!fits_any) {
		(void)csv_split_lines(csv);
	}
	look->n_fits += fits_any;
	look->n_lines++;
}

/* ---- the choice ---- */

/* A pair of numbers is of one of two forms, or of none of ours. */
static bool
is_excluded(const struct look *look, enum preemption_form form)
{
	size_t n_counts = look->candidates[FORM_P3COUNTS].n_fits;
	bool no_steps = look->has_diagonal || (look->has_triple && n_counts > 0);

	switch (form) {
	case FORM_STEPS:
		return no_steps;
	case FORM_P3COUNTS:
		return !no_steps && look->candidates[FORM_STEPS].n_fits > 0;
	case FORM_CRASH:
		return look->n_lines != 1;
	default:
		return false;
	}
}

static size_t
count_columns(enum preemption_form form)
{
	return strlen(preemption_shapes[form].columns);
}

/* The form that most lines are of; of equals the one that the header names more columns of, else
 * the first. */
static enum preemption_form
choose(const struct look *look, const char *file_name)
{
	enum preemption_form best = FORM_NONE;

	for (unsigned i = 0; i < PREEMPTION_FORMS; i++) {
		enum preemption_form form = (enum preemption_form)i;
		const struct candidate *candidate = &look->candidates[form];
		if ((candidate->n_fits == 0 && !candidate->is_named) || is_excluded(look, form)) {
			continue;
		}
		const struct candidate *before = best == FORM_NONE ? NULL : &look->candidates[best];
		bool is_wider = before && candidate->is_named && before->is_named &&
		                count_columns(form) > count_columns(best);
		if (!before || candidate->n_fits > before->n_fits ||
		    (candidate->n_fits == before->n_fits && (is_wider || form == FORM_CRASH))) {
			best = form;
		}
	}
	/* Losses are also "iir", should the times be whole seconds. */
	if (best != FORM_NONE &&
	    look->candidates[FORM_LOSS].n_fits == look->candidates[best].n_fits &&
	    look->candidates[FORM_LOSS].n_fits > 0) {
		return name_has(file_name, "load") ? FORM_LOAD_TIMES : FORM_LOSS;
	}
	return best;
}

/* Forms that their columns hardly tell are sure only if the name agrees. */
static int
score_of(const struct look *look, enum preemption_form form, const char *file_name)
{
	const struct candidate *candidate = &look->candidates[form];
	bool is_exact = candidate->is_named && look->n_header <= count_columns(form);

	if (candidate->n_fits * 2 <= look->n_lines && (look->n_lines || !candidate->is_named)) {
		return is_exact && preemption_shapes[form].header ? SURE_HEADER : 0;
	}
	if ((form == FORM_STEPS || form == FORM_P3COUNTS) && !look->starts_at_zero) {
		return 0;
	}
	if (candidate->is_named && !is_exact) {
		int score = preemption_shapes[form].score;
		return LEAST(score, SURE_EXTRA);
	}
	if (form == FORM_CHECKPOINT || form == FORM_CRASH) {
		bool agrees = name_has(file_name, form == FORM_CRASH ? "crash" : "checkpoint");
		return agrees ? preemption_shapes[form].score : 0;
	}
	if (form == FORM_LOAD_TIMES) {
		return name_has(file_name, "load") ? preemption_shapes[form].score : 0;
	}
	return preemption_shapes[form].score;
}

static void
look_at_lines(struct look *look, struct slice head, char delimiter)
{
	struct input *input = input_from_memory(head, 0);
	struct err err = ERR_INIT;
	struct csv csv;

	csv_open(&csv, input, delimiter);
	while (csv_next(&csv, &err) > 0) {
		look_at_record(look, &csv);
	}
	csv_close(&csv);
	input_close(input);
}

static void
take_layout(struct look *look, const char *file_name, struct preemption_layout *layout)
{
	enum preemption_form form = choose(look, file_name);

	if (form == FORM_NONE) {
		return;
	}
	const struct candidate *candidate = &look->candidates[form];
	layout->form = form;
	layout->score = score_of(look, form, file_name);
	layout->is_unsure = look->n_bytes >= UNSURE_BYTES &&
	                    candidate->n_fits * 2 <= look->n_lines &&
	                    candidate->n_fits * UNSURE_SHARE >= look->n_lines;
	layout->is_named = candidate->is_named;
	for (size_t i = 0; i < PREEMPTION_COLUMNS; i++) {
		layout->places[i] = candidate->is_named ? candidate->places[i] : (uint8_t)i;
	}
	strbuf_clear(&layout->header);
	if (candidate->is_named) {
		strbuf_add(&layout->header, strbuf_slice(&look->header).ptr, look->header.len);
	}
}

/* One look for each line that seems a header, but stands above rows of another meaning. */
static void
look_with_delimiter(struct slice head, const char *file_name, char delimiter, size_t *most,
                    struct preemption_layout *layout)
{
	struct intern *mistaken = intern_new();
	bool again = true;

	while (again) {
		struct look look = {.n_bytes = head.len, .mistaken = mistaken};
		look_at_lines(&look, head, delimiter);
		if (layout->form == FORM_NONE || look.n_fits > *most) {
			*most = look.n_fits;
			layout->delimiter = delimiter;
			take_layout(&look, file_name, layout);
		}
		again = layout->score == 0 && look.header.len > 0 &&
		        intern_count(mistaken) < HEADERS_MOST;
		if (again) {
			(void)intern_id(mistaken, strbuf_slice(&look.header));
		}
		look_free(&look);
	}
	intern_free(mistaken);
}

void
preemption_recognise_lines(struct slice head, const char *file_name,
                           struct preemption_layout *layout)
{
	static const char delimiters[] = ",;\t";
	size_t most = 0;

	for (size_t i = 0; delimiters[i] && layout->score == 0; i++) {
		look_with_delimiter(head, file_name, delimiters[i], &most, layout);
	}
}

void
preemption_layout_free(struct preemption_layout *layout)
{
	strbuf_free(&layout->header);
}

bool
preemption_next_line(struct slice *text, struct slice *line)
{
	while (text->len) {
		const char *newline = memchr(text->ptr, '\n', text->len);
		size_t length = newline ? (size_t)(newline - text->ptr) : text->len;
		*line = slice_trim((struct slice){text->ptr, length}, PREEMPTION_BLANKS);
		length += newline != NULL;
		*text = slice_from(*text, length);
		if (line->len) {
			return true;
		}
	}
	return false;
}
