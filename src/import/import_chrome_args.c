/*
 * The arguments of an event as the sink takes them, with their JSON types. Members of the event
 * that have no meaning here stand among them; where an argument has their name already they are
 * called "event.NAME".
 */
#include "config.h"
#include "import/import_chrome.h"

#include "util/ascii.h"

static void
fill_number(struct arg *arg, struct slice text, bool is_integer)
{
	if (!is_digit(text.ptr[text.len - 1])) { /* NaN, Infinity */
		arg->type = ARG_TEXT;
		arg->text = text;
	} else {
		import_fill_number(arg, text, is_integer);
	}
}

static void
fill_string(struct arg *arg, struct slice text)
{
	size_t sign = text.len && text.ptr[0] == '-';
	const char *digits = text.ptr + sign;
	bool is_canonical = text.len > sign && text.len < 21 && is_digit(*digits) &&
	                    (*digits != '0' || text.len == 1);

	arg->type = ARG_INTEGER_TEXT;
	if (!is_canonical || !slice_int64(text, &arg->integer)) {
		arg->type = ARG_TEXT;
		arg->text = text;
	}
}

void
chrome_fill(struct arg *arg, const struct chrome_value *value)
{
	struct slice text = chrome_text(value);

	arg->integer = 0;
	switch ((enum chrome_type)value->type) {
	case CHROME_NUMBER:
		fill_number(arg, text, value->is_integer);
		return;
	case CHROME_STRING:
		fill_string(arg, text);
		return;
	case CHROME_TRUE:
	case CHROME_FALSE:
		arg->type = ARG_BOOLEAN;
		arg->integer = value->type == CHROME_TRUE;
		return;
	case CHROME_NESTED:
		arg->type = ARG_JSON;
		arg->text = text;
		return;
	case CHROME_NULL:
	case CHROME_ABSENT:
		break;
	}
	arg->type = ARG_NULL;
}

/* The argument of this key in reader->args, a new one if there is none; NULL if there is one among
 * the first `n_taken`. */
static struct arg *
place_arg(struct chrome_reader *reader, uint32_t key, size_t n_taken)
{
	size_t before = reader->key_capacity;

	MEM_GROW(reader->key_seen, reader->key_capacity, (size_t)key + 1);
	MEM_GROW(reader->key_place, reader->place_capacity, (size_t)key + 1);
	for (size_t i = before; i < reader->key_capacity; i++) {
		reader->key_seen[i] = 0;
	}
	if (reader->key_seen[key] == reader->args_number) {
		size_t place = reader->key_place[key];
		return place < n_taken ? NULL : &reader->args[place];
	}
	MEM_GROW(reader->args, reader->args_capacity, reader->n_args + 1);
	reader->key_seen[key] = reader->args_number;
	reader->key_place[key] = (uint32_t)reader->n_args;
	struct arg *arg = &reader->args[reader->n_args++];
	arg->key = key;
	return arg;
}

/* Of a member: beside an argument of its name it gets another; of members that come again the last
 * one counts. */
struct arg *
chrome_place_member(struct chrome_reader *reader, struct slice name)
{
	uint32_t key = sink_key(reader->sink, name);
	struct arg *arg = place_arg(reader, key, reader->n_own_args);

	if (!arg) {
		struct strbuf longer = {0};
		strbuf_add_text(&longer, "event.");
		strbuf_add_slice(&longer, name);
		arg = place_arg(reader, sink_key(reader->sink, strbuf_slice(&longer)), 0);
		strbuf_free(&longer);
	}
	return arg;
}

void
chrome_gather_args(struct chrome_reader *reader)
{
	static const char *const names[CHROME_FIELDS] = {[CHROME_ID] = "id",
	                                                 [CHROME_ID2_LOCAL] = "id2.local",
	                                                 [CHROME_ID2_GLOBAL] = "id2.global",
	                                                 [CHROME_SCOPE] = "scope",
	                                                 [CHROME_BIND_ID] = "bind_id",
	                                                 [CHROME_FLOW_IN] = "flow_in",
	                                                 [CHROME_FLOW_OUT] = "flow_out",
	                                                 [CHROME_BP] = "bp",
	                                                 [CHROME_SF] = "sf"};
	const struct chrome_record *record = reader->record;

	reader->args_number++;
	reader->n_args = 0;
	for (size_t i = 0; i < record->n_pairs; i++) {
		if (!record->pairs[i].is_member &&
		    !chrome_is_own_argument(reader, &record->pairs[i])) {
			chrome_fill(place_arg(reader, chrome_key(reader, &record->pairs[i].key), 0),
			            &record->pairs[i].value);
		}
	}
	reader->n_own_args = reader->n_args;
	for (size_t i = 0; i < record->n_pairs; i++) {
		if (record->pairs[i].is_member) {
			chrome_fill(chrome_place_member(reader, chrome_text(&record->pairs[i].key)),
			            &record->pairs[i].value);
		}
	}
	for (unsigned i = CHROME_ID; i < CHROME_FIELDS; i++) {
		if (record->fields[i].type != CHROME_ABSENT) {
			chrome_fill(chrome_place_member(reader, slice_of(names[i])),
			            &record->fields[i]);
		}
	}
}
