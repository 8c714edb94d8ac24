/*
 * Which form a file of a spot instance trace has. Some say so in a header line; most have none, and
 * are known by what stands in their columns, in every line of the head. Files of two bare numbers a
 * line are the hardest: a step plot never changes time and count at once, a log of counts does
 * nothing else.
 */
#include "config.h"
#include "import/import_preemption.h"

#include "util/format.h"
#include "util/mem.h"

bool
preemption_count(struct slice text, int64_t *count)
{
	return decimal_to_int64(text, count);
}

/* ---- names ---- */

struct slice
preemption_pool_name(const char *path, enum preemption_form form)
{
	static const char *const endings[] = {".gz", ".csv", ".txt", ".json", ".jsonl"};
	static const char *const parts[] = {
	    "-trace",     "_trace",     "-node",  "_node",        "-terminate",   "_terminate",
	    "-additions", "_additions", "-found", "-preemptions", "_preemptions", "-found"};
	struct slice name = slice_of(path_name(path));

	for (size_t i = 0; i < COUNT_OF(endings); i++) {
		name.len -= slice_has_ending(name, endings[i]) ? strlen(endings[i]) : 0;
	}
	for (size_t i = 0; form <= FORM_FOUND && i < COUNT_OF(parts); i++) {
		name.len -= slice_has_ending(name, parts[i]) ? strlen(parts[i]) : 0;
	}
	return slice_is(name, "-") || name.len == 0 ? slice_of("trace") : name;
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
		if (json_skip(json) == JSON_ERROR) {
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

/* Passes over an array, of which only numbers are accepted. False: it has others. *is_cut: the head
 * ends in it. */
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
		} else if (json_skip(json) == JSON_ERROR) {
			break;
		}
	}
	return FORM_NONE;
}

static enum preemption_form
recognise_json(struct slice head)
{
	static const char zeros[INPUT_PADDING];
	struct strbuf padded = {0};
	struct json json = {0};
	enum preemption_form form = FORM_NONE;

	strbuf_add_slice(&padded, head);
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
	return form;
}

/* Lines of [ms, "kind", {...}] among others; true if most are. */
static bool
is_json_lines(struct slice head)
{
	static const char zeros[INPUT_PADDING];
	struct strbuf padded = {0};
	size_t n = 0, n_ours = 0;
	struct slice line;

	while (preemption_next_line(&head, &line)) {
		n += line.ptr[0] != '#';
		if (line.ptr[0] != '[') {
			continue;
		}
		struct json json = {0};
		strbuf_clear(&padded);
		strbuf_add_slice(&padded, line);
		strbuf_add(&padded, zeros, sizeof zeros);
		json_begin(&json, (struct slice){padded.data, line.len}, JSON_STRICT);
		n_ours +=
		    json_next(&json) == JSON_ARRAY_BEGIN && recognise_array(&json) == FORM_JSONL;
		json_fini(&json);
	}
	strbuf_free(&padded);
	return n_ours * 2 > n;
}

void
preemption_recognise(struct slice head, const char *file_name, struct preemption_layout *layout)
{
	struct slice rest, line = {NULL, 0};

	*layout = (struct preemption_layout){.form = FORM_NONE, .delimiter = ','};
	head = slice_behind_mark(head);
	for (rest = head; preemption_next_line(&rest, &line) && line.ptr[0] == '#';) {
		head = rest; /* a comment, in files of JSON lines */
	}
	if (line.len && (line.ptr[0] == '[' || line.ptr[0] == '{')) {
		layout->form = recognise_json(head);
	}
	if (layout->form == FORM_NONE && is_json_lines(head)) {
		layout->form = FORM_JSONL;
	}
	if (layout->form == FORM_NONE) {
		preemption_recognise_lines(head, file_name, layout);
	} else {
		layout->score = preemption_shapes[layout->form].score;
	}
}
