/*
 * Names of the enumerations, as they stand in run files and are shown to people: stable, never
 * translated.
 */
#include "config.h"
#include "model/model.h"

#include <assert.h>

static const char *const lane_kind_names[LANE_KINDS] = {
    [LANE_THREAD] = "thread",         [LANE_WORKER] = "worker",       [LANE_DEVICE] = "device",
    [LANE_CONTROLLER] = "controller", [LANE_AGGREGATE] = "aggregate", [LANE_INSTANCE] = "instance",
    [LANE_COUNTER] = "counter",       [LANE_ASYNC] = "async",         [LANE_WAITING] = "waiting",
    [LANE_ANNOTATION] = "annotation", [LANE_SUMMARY] = "summary",
};

static const char *const problem_kind_names[PROBLEM_KINDS] = {
    [PROBLEM_MALFORMED] = "malformed", [PROBLEM_INVALID] = "invalid",
    [PROBLEM_DUPLICATE] = "duplicate", [PROBLEM_TRUNCATED] = "truncated",
    [PROBLEM_MISSING] = "missing",     [PROBLEM_SUSPICIOUS] = "suspicious",
};

const char *
lane_kind_name(enum lane_kind kind)
{
	assert((unsigned)kind < LANE_KINDS);
	return lane_kind_names[kind];
}

enum lane_kind
lane_kind_named(struct slice name)
{
	int kind = 0;

	while (kind < LANE_KINDS && !slice_is(name, lane_kind_names[kind])) {
		kind++;
	}
	return (enum lane_kind)kind;
}

const char *
lane_word(enum lane_kind kind)
{
	bool has_word = kind == LANE_THREAD || kind == LANE_WORKER || kind == LANE_INSTANCE;

	return has_word ? lane_kind_name(kind) : "lane";
}

bool
lane_kind_is_work(enum lane_kind kind)
{
	return kind != LANE_AGGREGATE && kind != LANE_COUNTER && kind != LANE_ASYNC &&
	       kind != LANE_WAITING && kind != LANE_ANNOTATION && kind != LANE_SUMMARY;
}

bool
lane_kind_is_beside(enum lane_kind kind)
{
	return kind == LANE_WAITING || kind == LANE_ANNOTATION;
}

bool
lane_kind_is_timed(enum lane_kind kind)
{
	return kind != LANE_AGGREGATE && kind != LANE_SUMMARY;
}

bool
lane_kind_has_tiles(enum lane_kind kind)
{
	return kind != LANE_SUMMARY;
}

const char *
problem_kind_name(enum problem_kind kind)
{
	assert((unsigned)kind < PROBLEM_KINDS);
	return problem_kind_names[kind];
}
