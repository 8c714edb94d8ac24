/*
 * Which form a file of a spot instance trace has. Some say so in a header line; most have none, and are known by what stands in their
 * columns, in every line of the head. Files of two bare numbers a line are the hardest: a step plot never changes time and count at
 * once, a log of counts does nothing else.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <strings.h>

#include "util/format.h"
#include "util/mem.h"

#define NS_PER_S INT64_C(1000000000)
#define SNIFF_LINES 1000u
#define FIELDS 8u
#define UNIX_LEAST 900000000.0 /* 1998 .. 2128: no elapsed time is so long */
#define UNIX_MOST 5000000000.0

const struct preemption_shape preemption_shapes[PREEMPTION_FORMS] = {
    [FORM_NODE] = {"node", "timestamp,count", "ti", 95, true, false, false},
    [FORM_TERMINATE] = {"terminate", "timestamp,number", "ti", 95, true, false, false},
    [FORM_ADDITIONS] = {"additions", ",timestamp,dt,count", "itti", 95, true, false, false},
    [FORM_FOUND] = {"found", ",dt,count", "iti", 95, true, false, false},
    [FORM_ASG] = {"asg", "time,count", "tr", 95, true, false, false},
    [FORM_EVENTS] = {"events", NULL, "iaw", 90, false, false, true},
    [FORM_P3COUNTS] = {"p3counts", NULL, "ii", 30, false, false, true},
    [FORM_GCLOUD] = {"gcloud", NULL, "dci", 85, true, false, true},
    [FORM_STEPS] = {"steps", NULL, "ri", 30, false, false, true},
    [FORM_JSONL] = {"jsonl", NULL, NULL, 90, false, false, true},
    [FORM_SKY] = {"sky", NULL, NULL, 95, false, false, true},
    [FORM_LIVEPUT] = {"liveput", NULL, NULL, 95, false, false, true},
    [FORM_RECONFIG] = {"reconfig", NULL, "iuur", 80, true, true, false},
    [FORM_LOOP_TIMES] = {"loop_times", NULL, "iiuurrr", 85, true, true, false},
    [FORM_CHECKPOINT] = {"async-checkpoint", NULL, "r", 20, true, true, false},
    [FORM_LOAD_TIMES] = {"load_times", NULL, "iir", 20, true, true, false},
    [FORM_ENGINE] = {"engine-timing", NULL, "wuur", 80, true, true, false},
    [FORM_LOSS] = {"train-loss-time", NULL, "uir", 70, true, true, false},
    [FORM_DT_LOSS] = {"dt_tlt", ",timestamp,step,loss,dt", "iuirt", 95, true, true, false},
    [FORM_DT_RECONFIG] = {"dt_reconfig", ",ws,start,end,elapsed,dt_start,dt_end", "iiuurtt", 95,
                          true, true, false},
    [FORM_EXPERIMENT] = {"exp-info", NULL, NULL, 90, true, true, false},
    [FORM_CRASH] = {"crash-time", NULL, "u", 20, true, true, false},
};

struct slice
preemption_trim(struct slice text)
{
	while (text.len && (text.ptr[0] == ' ' || text.ptr[0] == '\t')) {
		text.ptr++;
		text.len--;
	}
	while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t' ||
	                    text.ptr[text.len - 1] == '\r')) {
		text.len--;
	}
	return text;
}

/* ---- times ---- */

/* Days since 1970 of a date of the Gregorian calendar. */
static int64_t
days_of(int64_t year, int64_t month, int64_t day)
{
	year -= month <= 2;
	int64_t era = year / 400, of_era = year - era * 400;
	int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool
take_digits(struct slice *text, size_t n, int64_t *value)
{
	if (text->len < n) {
		return false;
	}
	*value = 0;
	for (size_t i = 0; i < n; i++) {
		if (text->ptr[i] < '0' || text->ptr[i] > '9') {
			return false;
		}
		*value = *value * 10 + (text->ptr[i] - '0');
	}
	text->ptr += n;
	text->len -= n;
	return true;
}

static bool
take_char(struct slice *text, char c)
{
	if (text->len == 0 || text->ptr[0] != c) {
		return false;
	}
	text->ptr++;
	text->len--;
	return true;
}

static bool
take_date(struct slice *text, int64_t *ns)
{
	static const unsigned char days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int64_t year, month, day;

	if (!take_digits(text, 4, &year) || !take_char(text, '-') ||
	    !take_digits(text, 2, &month) || !take_char(text, '-') || !take_digits(text, 2, &day)) {
		return false;
	}
	if (year < 1900 || year > 2100 || month < 1 || month > 12 || day < 1 ||
	    day > days[month - 1]) {
		return false;
	}
	*ns = days_of(year, month, day) * 86400 * NS_PER_S;
	return true;
}

static bool
take_clock(struct slice *text, int64_t *ns)
{
	int64_t hours, minutes;

	if (!take_digits(text, 2, &hours) || !take_char(text, ':') ||
	    !take_digits(text, 2, &minutes) || !take_char(text, ':') || hours > 23 ||
	    minutes > 59) {
		return false;
	}
	size_t length = 0;
	while (length < text->len && ((text->ptr[length] >= '0' && text->ptr[length] <= '9') ||
	                              (text->ptr[length] == '.' && length == 2))) {
		length++;
	}
	if (length < 2 || length == 3 ||
	    !decimal_to_ns((struct slice){text->ptr, length}, NS_PER_S, ns) ||
	    *ns > 60 * NS_PER_S) {
		return false;
	}
	text->ptr += length;
	text->len -= length;
	*ns += (hours * 3600 + minutes * 60) * NS_PER_S;
	return true;
}

bool
preemption_date(struct slice text, int64_t *ns)
{
	return take_date(&text, ns) && text.len == 0;
}

bool
preemption_clock(struct slice text, int64_t *ns)
{
	return take_clock(&text, ns) && text.len == 0;
}

bool
preemption_date_time(struct slice text, int64_t *ns)
{
	int64_t day, clock;

	if (!take_date(&text, &day) || !(take_char(&text, 'T') || take_char(&text, ' ')) ||
	    !take_clock(&text, &clock)) {
		return false;
	}
	(void)take_char(&text, 'Z');
	*ns = day + clock;
	return text.len == 0;
}

bool
preemption_count(struct slice text, int64_t *count)
{
	double value;

	if (slice_int64(text, count)) {
		return true;
	}
	if (!slice_double(text, &value) || !(value >= 0 && value < 1e15) ||
	    value != (double)(int64_t)value) {
		return false;
	}
	*count = (int64_t)value;
	return true;
}

/* ---- names ---- */

static bool
ends_with(struct slice text, const char *ending)
{
	size_t length = strlen(ending);
	return text.len > length && strncasecmp(text.ptr + text.len - length, ending, length) == 0;
}

struct slice
preemption_pool_name(const char *path, enum preemption_form form)
{
	static const char *const endings[] = {".gz", ".csv", ".txt", ".json", ".jsonl"};
	static const char *const parts[] = {
	    "-trace",     "_trace",     "-node",  "_node",        "-terminate",   "_terminate",
	    "-additions", "_additions", "-found", "-preemptions", "_preemptions", "-found"};
	const char *slash = strrchr(path, '/');
	struct slice name = slice_of(slash ? slash + 1 : path);

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		name.len -= ends_with(name, endings[i]) ? strlen(endings[i]) : 0;
	}
	for (size_t i = 0; form <= FORM_FOUND && i < sizeof parts / sizeof *parts; i++) {
		name.len -= ends_with(name, parts[i]) ? strlen(parts[i]) : 0;
	}
	return slice_is(name, "-") || name.len == 0 ? slice_of("trace") : name;
}

static bool
name_has(const char *file_name, const char *part)
{
	const char *slash = file_name ? strrchr(file_name, '/') : NULL;
	return file_name && strstr(slash ? slash + 1 : file_name, part) != NULL;
}

/* ---- lines of fields ---- */

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
	case 'u':
		return is_number(field, &real) && real > UNIX_LEAST && real < UNIX_MOST;
	case 'a':
		return slice_is(field, "add") || slice_is(field, "remove");
	case 't':
		return preemption_date_time(field, &integer);
	case 'd':
		return preemption_date(field, &integer);
	case 'c':
		return preemption_clock(field, &integer);
	default:
		return field.len > 0 && field.len < 200 && !is_number(field, &real);
	}
}

/* At most FIELDS + 1 fields are told apart. */
static size_t
split(struct slice line, struct slice *fields)
{
	size_t n = 0;

	for (;;) {
		const char *comma = memchr(line.ptr, ',', line.len);
		size_t length = comma ? (size_t)(comma - line.ptr) : line.len;
		fields[n++] = preemption_trim((struct slice){line.ptr, length});
		if (!comma || n > FIELDS) {
			return n;
		}
		line.ptr += length + 1;
		line.len -= length + 1;
	}
}

/* The next line of the head that is not blank; *is_whole: its newline is there. */
static bool
next_line(struct slice *head, struct slice *line, bool *is_whole)
{
	while (head->len) {
		const char *newline = memchr(head->ptr, '\n', head->len);
		size_t length = newline ? (size_t)(newline - head->ptr) : head->len;
		*line = preemption_trim((struct slice){head->ptr, length});
		*is_whole = newline != NULL;
		length += newline != NULL;
		head->ptr += length;
		head->len -= length;
		if (line->len) {
			return true;
		}
	}
	return false;
}

struct look {
	unsigned n_lines;
	unsigned candidates; /* a bit for each form */
	bool has_diagonal;   /* time and count change at once */
	bool has_triple;     /* the count changes twice at one time */
	bool starts_at_zero;
	struct slice before[2];
	bool was_vertical;
};

static void
look_at_pair(struct look *look, const struct slice *fields)
{
	double first;

	if (look->n_lines == 0) {
		look->starts_at_zero = is_number(fields[0], &first) && first == 0;
	} else {
		bool moves = !slice_equal(fields[0], look->before[0]);
		bool changes = !slice_equal(fields[1], look->before[1]);
		look->has_diagonal |= moves && changes;
		look->has_triple |= !moves && look->was_vertical;
		look->was_vertical = !moves;
	}
	look->before[0] = fields[0];
	look->before[1] = fields[1];
}

static void
look_at_line(struct look *look, struct slice line)
{
	struct slice fields[FIELDS + 1];
	size_t n = split(line, fields);

	for (unsigned form = 0; form < PREEMPTION_FORMS; form++) {
		const char *columns = preemption_shapes[form].columns;
		bool fit = columns && strlen(columns) == n;
		for (size_t i = 0; fit && i < n; i++) {
			fit = fits(fields[i], columns[i]);
		}
		look->candidates &= fit ? ~0u : ~(1u << form);
	}
	if (n == 2) {
		look_at_pair(look, fields);
	}
	look->n_lines++;
}

/* The candidate that stays when what its lines do, and its name, are looked at too. */
static enum preemption_form
choose(const struct look *look, const char *file_name)
{
	unsigned candidates = look->candidates;

	if (look->has_diagonal || (look->has_triple && candidates & 1u << FORM_P3COUNTS)) {
		candidates &= ~(1u << FORM_STEPS);
	} else if (candidates & 1u << FORM_STEPS) {
		candidates &= ~(1u << FORM_P3COUNTS);
	}
	if (!look->starts_at_zero) {
		candidates &= ~(1u << FORM_STEPS | 1u << FORM_P3COUNTS);
	}
	if (candidates & 1u << FORM_CRASH && look->n_lines == 1) {
		return FORM_CRASH;
	}
	candidates &= ~(1u << FORM_CRASH);
	if (candidates & 1u << FORM_LOSS) { /* also "iir", should the times be whole seconds */
		return name_has(file_name, "load") ? FORM_LOAD_TIMES : FORM_LOSS;
	}
	for (unsigned form = 0; form < PREEMPTION_FORMS; form++) {
		if (candidates & 1u << form) {
			return (enum preemption_form)form;
		}
	}
	return FORM_NONE;
}

/* Forms that their columns hardly tell are sure only if the name agrees. */
static int
score_of(enum preemption_form form, const char *file_name)
{
	if (form == FORM_CHECKPOINT || form == FORM_CRASH) {
		bool agrees = name_has(file_name, form == FORM_CRASH ? "crash" : "checkpoint");
		return agrees ? preemption_shapes[form].score : 0;
	}
	if (form == FORM_LOAD_TIMES) {
		return name_has(file_name, "load") ? preemption_shapes[form].score : 0;
	}
	return preemption_shapes[form].score;
}

static enum preemption_form
recognise_lines(struct slice head, const char *file_name, int *score)
{
	struct look look = {.candidates = (1u << PREEMPTION_FORMS) - 1};
	struct slice line = {NULL, 0};
	bool is_whole = false;
	enum preemption_form headed = FORM_NONE;

	if (!next_line(&head, &line, &is_whole)) {
		return FORM_NONE;
	}
	for (unsigned form = 0; form < PREEMPTION_FORMS; form++) {
		const char *header = preemption_shapes[form].header;
		if (header && slice_is(line, header)) {
			headed = (enum preemption_form)form;
		}
		if (header) {
			look.candidates &= ~(1u << form);
		}
	}
	if (headed != FORM_NONE) {
		look.candidates = 1u << headed;
		*score = preemption_shapes[headed].score;
		/* One row may be bad; a file whose first row is has another meaning. */
		if (next_line(&head, &line, &is_whole) && is_whole) {
			look_at_line(&look, line);
			*score = look.candidates ? *score : 10;
		}
		return headed;
	}
	do {
		if (is_whole || look.n_lines == 0) {
			look_at_line(&look, line);
		}
	} while (look.candidates && look.n_lines < SNIFF_LINES &&
	         next_line(&head, &line, &is_whole));
	enum preemption_form form = choose(&look, file_name);
	*score = form == FORM_NONE ? 0 : score_of(form, file_name);
	return form;
}

/* ---- JSON ---- */

/* [ms, "kind", ...] or [{"interval": ...} */
static enum preemption_form
recognise_array(struct json *json)
{
	enum json_token token = json_next(json);

	if (token == JSON_NUMBER) {
		return json->is_integer && json_next(json) == JSON_STRING &&
		               json_next(json) == JSON_OBJECT_BEGIN
		           ? FORM_JSONL
		           : FORM_NONE;
	}
	if (token != JSON_OBJECT_BEGIN) {
		return FORM_NONE;
	}
	while ((token = json_next(json)) == JSON_KEY) {
		bool is_interval = slice_is(json->text, "interval");
		token = json_next(json);
		if (is_interval && token == JSON_ARRAY_BEGIN) {
			return json_next(json) == JSON_NUMBER ? FORM_LIVEPUT : FORM_NONE;
		}
		if (token == JSON_ERROR ||
		    ((token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN) &&
		     json_skip(json) == JSON_ERROR)) {
			break;
		}
	}
	return FORM_NONE;
}

static bool
has_gap(struct json *json)
{
	while (json_next(json) == JSON_KEY) {
		bool is_gap = slice_is(json->text, "gap_seconds");
		enum json_token token = json_next(json);
		if (is_gap) {
			return token == JSON_NUMBER;
		}
		if (token == JSON_ERROR || token == JSON_OBJECT_BEGIN ||
		    token == JSON_ARRAY_BEGIN) {
			return false;
		}
	}
	return false;
}

/* Passes over an array, of which only numbers are accepted. False: it has others. *is_cut: the head ends in it. */
static bool
pass_numbers(struct json *json, bool *is_cut)
{
	enum json_token token = json_next(json);

	*is_cut = false;
	while (token == JSON_NUMBER) {
		token = json_next(json);
		*is_cut = token == JSON_ERROR;
	}
	return token == JSON_ARRAY_END || *is_cut;
}

static enum preemption_form
recognise_object(struct json *json)
{
	bool is_cut;

	while (json_next(json) == JSON_KEY) {
		bool is_metadata = slice_is(json->text, "metadata");
		bool is_data = slice_is(json->text, "data");
		bool is_experiment = slice_is(json->text, "pipe-depth") ||
		                     slice_is(json->text, "auto-scaling-group");
		enum json_token token = json_next(json);
		if (is_metadata && token == JSON_OBJECT_BEGIN) {
			return has_gap(json) ? FORM_SKY : FORM_NONE;
		}
		if (is_experiment && (token == JSON_NUMBER || token == JSON_STRING)) {
			return FORM_EXPERIMENT;
		}
		if (is_data && token == JSON_ARRAY_BEGIN) {
			if (!pass_numbers(json, &is_cut) || is_cut) {
				return is_cut ? FORM_SKY : FORM_NONE;
			}
		} else if (token == JSON_ERROR ||
		           ((token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN) &&
		            json_skip(json) == JSON_ERROR)) {
			break;
		}
	}
	return FORM_NONE;
}

static enum preemption_form
recognise_json(struct slice head, int *score)
{
	static const char zeros[INPUT_PADDING];
	struct strbuf padded = {0};
	struct json json = {0};
	enum preemption_form form = FORM_NONE;

	strbuf_add(&padded, head.ptr, head.len);
	strbuf_add(&padded, zeros, sizeof zeros);
	json_begin(&json, (struct slice){padded.data, head.len}, JSON_STRICT);
	switch (json_next(&json)) {
	case JSON_ARRAY_BEGIN:
		form = recognise_array(&json);
		break;
	case JSON_OBJECT_BEGIN:
		form = recognise_object(&json);
		break;
	default:
		break;
	}
	json_fini(&json);
	strbuf_free(&padded);
	*score = form == FORM_NONE ? 0 : preemption_shapes[form].score;
	return form;
}

enum preemption_form
preemption_recognise(struct slice head, const char *file_name, int *score)
{
	struct slice rest, line;
	bool is_whole;
	int unused;

	score = score ? score : &unused;
	*score = 0;
	if (head.len >= 3 && memcmp(head.ptr, "\xef\xbb\xbf", 3) == 0) {
		head.ptr += 3;
		head.len -= 3;
	}
	for (rest = head; next_line(&rest, &line, &is_whole); head = rest) {
		if (line.ptr[0] == '[' || line.ptr[0] == '{') {
			return recognise_json(head, score);
		}
		if (line.ptr[0] != '#') { /* a comment, in files of JSON lines */
			return recognise_lines(head, file_name, score);
		}
	}
	return FORM_NONE;
}
