/*
 * Counts at equal distances, as SkyPilot writes them: {"metadata": {"gap_seconds": N}, "data":
 * [...]}. Where the data stand first they wait for the gap.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"

#define NS_PER_S INT64_C(1000000000)
#define EARLY_LIMIT ((size_t)8 << 20)

/* Points before the gap was known: their counts. */
struct early {
	int64_t *ordinals, *nodes;
	size_t n, ordinals_capacity, nodes_capacity;
	bool is_full;
};

struct sky {
	struct preemption_reader *reader;
	struct json *json;
	int64_t gap_ns; /* 0: not known yet */
	uint64_t n_points;
	struct early early;
};

/* A price is no count: available, if it is above 0. */
static bool
read_point(struct sky *sky, int64_t *nodes)
{
	double price;

	if (sky->json->is_integer) {
		return slice_int64(sky->json->text, nodes) && *nodes >= 0 &&
		       *nodes <= PREEMPTION_NODES_MOST;
	}
	if (!slice_double(sky->json->text, &price) || price < 0) {
		return false;
	}
	sky->reader->n_prices++;
	*nodes = price > 0;
	return true;
}

static int
put_point(struct sky *sky, int64_t ordinal, int64_t nodes)
{
	int64_t time_ns;

	if (__builtin_mul_overflow(ordinal, sky->gap_ns, &time_ns) || time_ns > INT64_MAX / 4) {
		sky->reader->counts.bad_records++;
		return 0;
	}
	sky->reader->line = (uint64_t)ordinal + 1;
	sky->reader->counts.records++;
	return preemption_put_count(sky->reader, time_ns, nodes, (struct slice){"", 0});
}

static int
keep_early(struct sky *sky, int64_t ordinal, int64_t nodes)
{
	struct early *early = &sky->early;

	if (early->n == EARLY_LIMIT) {
		bool was_full = early->is_full;
		early->is_full = true;
		return was_full ? 0
		                : preemption_problem(sky->reader, PROBLEM_TRUNCATED,
		                                     "more points than are kept until gap_seconds "
		                                     "is known: the rest is left out");
	}
	MEM_GROW(early->ordinals, early->ordinals_capacity, early->n + 1);
	MEM_GROW(early->nodes, early->nodes_capacity, early->n + 1);
	early->ordinals[early->n] = ordinal;
	early->nodes[early->n++] = nodes;
	return 0;
}

static int
take_points(struct sky *sky)
{
	struct preemption_reader *reader = sky->reader;
	enum json_token token;
	int64_t nodes;
	int stop = 0;

	while (stop == 0 && (token = json_next(sky->json)) != JSON_ARRAY_END) {
		if (token == JSON_ERROR) {
			return 0; /* seen by the caller */
		}
		int64_t ordinal = (int64_t)sky->n_points++;
		if (ordinal % 4096 == 0 && preemption_is_cancelled(reader)) {
			return -1;
		}
		if (token != JSON_NUMBER || !read_point(sky, &nodes)) {
			reader->line = sky->n_points;
			reader->offset = json_offset(sky->json);
			reader->counts.bad_records++;
			stop = preemption_problem(reader, PROBLEM_INVALID,
			                          "a value that is neither count nor price");
			if (token == JSON_ARRAY_BEGIN || token == JSON_OBJECT_BEGIN) {
				json_skip(sky->json);
			}
		} else if (sky->gap_ns) {
			stop = put_point(sky, ordinal, nodes);
		} else {
			stop = keep_early(sky, ordinal, nodes);
		}
	}
	return stop;
}

static int
put_early(struct sky *sky)
{
	int stop = 0;

	for (size_t i = 0; i < sky->early.n && stop == 0; i++) {
		stop = put_point(sky, sky->early.ordinals[i], sky->early.nodes[i]);
	}
	sky->early.n = 0;
	return stop;
}

/* Numbers and texts of the metadata are tags of the trace; the gap is among them. */
static int
take_metadata(struct sky *sky)
{
	struct preemption_reader *reader = sky->reader;
	struct json *json = sky->json;
	struct strbuf key = {0};
	int stop = 0;

	while (stop == 0 && json_next(json) == JSON_KEY) {
		strbuf_clear(&key);
		strbuf_add_slice(&key, json->text);
		enum json_token token = json_next(json);
		if (token == JSON_NUMBER && slice_is(strbuf_slice(&key), "gap_seconds")) {
			int64_t gap_ns;
			if (decimal_to_ns(json->text, NS_PER_S, &gap_ns) && gap_ns > 0) {
				sky->gap_ns = gap_ns;
			}
		}
		if (token == JSON_NUMBER || token == JSON_STRING) {
			stop = preemption_put_tag(reader, reader->pool, strbuf_slice(&key),
			                          json->text);
		} else if (token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN) {
			json_skip(json);
		} else if (token == JSON_ERROR) {
			break;
		}
	}
	strbuf_free(&key);
	return stop || sky->gap_ns == 0 ? stop : put_early(sky);
}

static int
take_members(struct sky *sky)
{
	struct json *json = sky->json;
	enum json_token token = json_next(json);
	int result = 0;

	while (result == 0 && (token = json_next(json)) == JSON_KEY) {
		bool is_data = slice_is(json->text, "data"),
		     is_metadata = slice_is(json->text, "metadata");
		token = json_next(json);
		if (is_data && token == JSON_ARRAY_BEGIN) {
			result = take_points(sky);
		} else if (is_metadata && token == JSON_OBJECT_BEGIN) {
			result = take_metadata(sky);
		} else if (token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN) {
			json_skip(json);
		}
	}
	if (result == 0 && token == JSON_OBJECT_END) {
		(void)json_next(json); /* what stands behind it is an error */
	}
	return result;
}

int
preemption_read_sky(struct preemption_reader *reader)
{
	struct json json = {0};
	struct sky sky = {.reader = reader, .json = &json};

	json_open_input(&json, reader->input, JSON_STRICT, reader->err);
	int result = take_members(&sky);
	if (result == 0 && json.error && reader->err->code != ERR_NONE) {
		result = -1;
	}
	if (result == 0 && json.error && !input_truncated(reader->input)) {
		reader->line = 0;
		reader->offset = json.error_offset;
		result = preemption_problem(reader, PROBLEM_MALFORMED, json.error);
	}
	if (result == 0 && sky.gap_ns == 0) {
		reader->line = 0;
		result =
		    preemption_problem(reader, PROBLEM_MISSING,
		                       "no gap_seconds: points are taken to be a second apart");
		sky.gap_ns = NS_PER_S;
		result = result ? result : put_early(&sky);
	}
	int64_t end_ns;
	if (sky.n_points && !__builtin_mul_overflow((int64_t)sky.n_points, sky.gap_ns, &end_ns)) {
		reader->end_ns = end_ns;
	}
	free(sky.early.ordinals);
	free(sky.early.nodes);
	json_fini(&json);
	reader->text.len = 0;
	return result ? result : preemption_count_end(reader);
}
