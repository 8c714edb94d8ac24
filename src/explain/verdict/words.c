/*
 * Causes in words. Each word follows from the figures in the same row.
 */
#include "config.h"
#include "explain/verdict/cause.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/parts/contention.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"

#define NAMED_IN_SENTENCE 3
#define TEXT(slice) (int)(slice).len, (slice).ptr

static struct slice
lane_name(const struct comparison *comparison, const struct portion *portion)
{
	return intern_text(comparison->lanes, portion->code[PORTION_LANE]);
}

static struct slice
host_name(const struct comparison *comparison, const struct portion *portion)
{
	return intern_text(comparison->hosts, portion->code[PORTION_HOST]);
}

/* ---- the slice, for programs ---- */

static void
add_term(struct strbuf *text, const char *name, struct slice value)
{
	bool is_plain = value.len && !memchr(value.ptr, ' ', value.len);
	strbuf_printf(text, is_plain ? "%s%s=%.*s" : "%s%s='%.*s'", text->len ? " " : "", name,
	              TEXT(value));
}

static void
add_window(struct strbuf *text, const struct portion *portion, const char *from, const char *until)
{
	char time[FORMAT_BYTES]; /* few digits: the run falls apart about there */
	if (portion->from_ns != INT64_MIN) {
		strbuf_printf(text, "%s%s%s", text->len ? " " : "", from,
		              format_position(time, portion->from_ns, portion->from_ns / 1000));
	}
	if (portion->until_ns != INT64_MAX) {
		strbuf_printf(text, "%s%s%s", text->len ? " " : "", until,
		              format_position(time, portion->until_ns, portion->until_ns / 1000));
	}
}

static void
word_slice(struct causes *causes, const struct comparison *comparison, struct cause *cause)
{
	struct strbuf text = {0};
	const struct portion *portion = &cause->portion;
	if (cause->type == CAUSE_RENAMED || cause->type == CAUSE_SPLIT ||
	    cause->type == CAUSE_MORE_WORK || cause->type == CAUSE_LESS_WORK ||
	    cause->type == CAUSE_INTERFERENCE) {
		add_term(&text, "kind", intern_text(comparison->kinds, cause->kind));
		if (cause->type == CAUSE_INTERFERENCE) {
			add_term(&text, "while", intern_text(comparison->kinds, cause->kinds[0]));
		}
	} else if (portion->item != PORTION_ANY) {
		add_term(&text, "task", slice_of(cause->item_name));
	} else if (cause->type == CAUSE_TRANSFERS) {
		if (cause->item_name) {
			add_term(&text, "mode", slice_of(cause->item_name));
		}
	} else if (portion->code[PORTION_KIND] != PORTION_ANY) {
		add_term(&text, "kind",
		         intern_text(comparison->kinds, portion->code[PORTION_KIND]));
	}
	if (portion->item == PORTION_ANY && portion->code[PORTION_LANE] != PORTION_ANY) {
		add_term(&text, "lane", lane_name(comparison, portion));
	}
	if (portion->item == PORTION_ANY && portion->code[PORTION_HOST] != PORTION_ANY) {
		add_term(&text, "host", host_name(comparison, portion));
	}
	add_window(&text, portion, "from=", "until=");
	cause->slice = arena_strdup(causes->arena, text.len ? text.data : "all");
	strbuf_free(&text);
}

/* ---- the sentence ---- */

/* "kind efi on h1:worker1, from 3.1 s on". */
static void
add_who(struct strbuf *text, const struct comparison *comparison, const struct cause *cause)
{
	const struct portion *portion = &cause->portion;
	bool has_kind = portion->code[PORTION_KIND] != PORTION_ANY;
	if (portion->item != PORTION_ANY) {
		strbuf_printf(text, "task %s", cause->item_name);
		return;
	}
	if (cause->type == CAUSE_TRANSFERS) {
		strbuf_printf(text, "%s%stransfers", cause->item_name ? cause->item_name : "",
		              cause->item_name ? " " : "");
	} else if (has_kind) {
		strbuf_printf(text, "kind %.*s",
		              TEXT(intern_text(comparison->kinds, portion->code[PORTION_KIND])));
	} else {
		strbuf_add_text(text, comparison->run[1]->is_tasks ? "every task" : "every span");
	}
	if (portion->code[PORTION_LANE] != PORTION_ANY) {
		strbuf_printf(text, " on %.*s", TEXT(lane_name(comparison, portion)));
	}
	if (portion->code[PORTION_HOST] != PORTION_ANY) {
		strbuf_printf(text, " on host %.*s", TEXT(host_name(comparison, portion)));
	}
	add_window(text, portion, "from ", "until ");
}

static void
add_ratio(struct strbuf *text, const struct cause *cause, const char *verb)
{
	double ratio = exp(cause->portion.effect);
	strbuf_printf(text, " %s %.*f x as long", verb, ratio >= 10 ? 1 : 2, ratio);
}

static void
add_kinds(struct strbuf *text, const struct comparison *comparison, const struct cause *cause)
{
	for (size_t k = 0; k < cause->n_kinds; k++) {
		const char *before = k == 0 ? "" : k + 1 < cause->n_kinds ? ", " : " and ";
		strbuf_printf(text, "%s%.*s", before,
		              TEXT(intern_text(comparison->kinds, cause->kinds[k])));
	}
}

static void
word_work(struct strbuf *text, const struct comparison *comparison, const struct cause *cause)
{
	struct slice kind = intern_text(comparison->kinds, cause->kind);
	unsigned r = cause->type == CAUSE_LESS_WORK ? 0 : 1;
	const char *what = comparison->run[r]->is_tasks ? "tasks" : "spans";
	switch (cause->type) {
	case CAUSE_RENAMED:
		strbuf_printf(text, "kind %.*s is called ", TEXT(kind));
		add_kinds(text, comparison, cause);
		strbuf_printf(text, ": the same %zu %s", cause->n_b, what);
		break;
	case CAUSE_SPLIT:
		strbuf_printf(text, "each of %zu %s of kind %.*s is split into ", cause->n_a, what,
		              TEXT(kind));
		add_kinds(text, comparison, cause);
		break;
	case CAUSE_MORE_WORK:
		strbuf_printf(text, "%zu %s of kind %.*s more", cause->n_b, what, TEXT(kind));
		break;
	default:
		strbuf_printf(text, "%zu %s of kind %.*s less", cause->n_a, what, TEXT(kind));
		break;
	}
}

static void
word_placement(struct strbuf *text, const struct comparison *comparison, const struct cause *cause)
{
	const struct portion *portion = &cause->portion;
	if (portion->code[PORTION_KIND] != PORTION_ANY) {
		strbuf_printf(text, "nearly all of kind %.*s went to %.*s",
		              TEXT(intern_text(comparison->kinds, portion->code[PORTION_KIND])),
		              TEXT(lane_name(comparison, portion)));
	} else {
		strbuf_printf(text, "work lies %s evenly on the lanes",
		              cause->makespan.ns > 0 ? "less" : "more");
	}
}

/* "efi and sot most, " of a cause that names the kinds that it shows in most. */
static void
add_most(struct strbuf *text, const struct comparison *comparison, const struct cause *cause)
{
	for (size_t k = 0; k < cause->n_kinds; k++) {
		strbuf_printf(text, "%s%.*s%s", k ? "and " : "",
		              TEXT(intern_text(comparison->kinds, cause->kinds[k])),
		              k + 1 < cause->n_kinds ? " " : " most, ");
	}
}

static void
word_sentence(struct causes *causes, const struct comparison *comparison, struct cause *cause)
{
	struct strbuf text = {0};
	char time[FORMAT_BYTES];
	int64_t clock;
	switch (cause->type) {
	case CAUSE_DURATION:
		add_who(&text, comparison, cause);
		add_ratio(&text, cause, "runs");
		break;
	case CAUSE_CONTENTION:
		strbuf_printf(&text, "tasks run %s, ",
		              cause->lane_time.ns > 0 ? "longer" : "shorter");
		add_most(&text, comparison, cause);
		strbuf_printf(&text, "as %s run at once on their host, or it is %s",
		              cause->lane_time.ns > 0 ? "more" : "fewer",
		              cause->lane_time.ns > 0 ? "slower" : "faster");
		break;
	case CAUSE_INTERFERENCE:
		strbuf_printf(&text, "kind %.*s runs %.2f x as long while %.*s runs beside it",
		              TEXT(intern_text(comparison->kinds, cause->kind)),
		              1 / (1 - cause->slowed),
		              TEXT(intern_text(comparison->kinds, cause->kinds[0])));
		break;
	case CAUSE_PLAN:
		strbuf_add_text(&text, "planning ");
		add_who(&text, comparison, cause);
		add_ratio(&text, cause, "takes the controller");
		break;
	case CAUSE_COMMUNICATION:
		strbuf_add_text(&text, "sending ");
		add_who(&text, comparison, cause);
		add_ratio(&text, cause, "to its lane takes");
		break;
	case CAUSE_BEGIN:
		add_who(&text, comparison, cause);
		add_ratio(&text, cause, "takes");
		strbuf_add_text(&text, " to begin");
		break;
	case CAUSE_TRANSFERS:
		add_who(&text, comparison, cause);
		add_ratio(&text, cause, "take");
		break;
	case CAUSE_LANES:
		strbuf_printf(&text, "%zu lane%s instead of %zu", cause->n_b,
		              cause->n_b == 1 ? "" : "s", cause->n_a);
		break;
	case CAUSE_PLACEMENT:
		word_placement(&text, comparison, cause);
		break;
	case CAUSE_CLOCK:
		clock = comparison->clock_ns[cause->portion.code[PORTION_HOST]];
		strbuf_printf(&text, "the clock of host %.*s is %s %s",
		              TEXT(host_name(comparison, &cause->portion)),
		              format_duration(time, llabs(clock)), clock > 0 ? "ahead" : "behind");
		break;
	case CAUSE_SAME:
		strbuf_add_text(&text, "the same within noise");
		break;
	case CAUSE_OTHER_WORK:
		strbuf_add_text(&text, "nothing that one run did is in the other");
		break;
	case CAUSE_UNEXPLAINED:
		strbuf_add_text(&text, "nothing that both runs did differs by more than noise");
		break;
	default:
		word_work(&text, comparison, cause);
		break;
	}
	cause->sentence = arena_strdup(causes->arena, text.data);
	strbuf_free(&text);
}

/* ---- what speaks against it, and where to look ---- */

/* Mean number of items that run at once on a host while an item runs. */
static double
mean_concurrency(const struct schedule *schedule)
{
	double *concurrency[DOMAINS], sum = 0;
	contention_concurrency(schedule, concurrency);
	for (size_t i = 0; i < schedule->n_items; i++) {
		sum += concurrency[DOMAIN_HOST][i];
	}
	for (int d = 0; d < DOMAINS; d++) {
		free(concurrency[d]);
	}
	return schedule->n_items ? sum / (double)schedule->n_items : 0;
}

static void
word_against(struct causes *causes, const struct comparison *comparison, struct cause *cause)
{
	struct strbuf text = {0};
	bool is_whole = cause->portion.code[PORTION_LANE] == PORTION_ANY &&
	                cause->portion.code[PORTION_HOST] == PORTION_ANY &&
	                cause->portion.item == PORTION_ANY;
	if (cause->type == CAUSE_DURATION && is_whole) {
		double a = mean_concurrency(comparison->run[0]);
		double b = mean_concurrency(comparison->run[1]);
		if (fabs(log(b / a)) > 0.1 && (b > a) == (cause->portion.effect > 0)) {
			strbuf_printf(&text,
			              "goes along with how many run at once on a host (%.2g, %.2g):"
			              " two %s can't tell that from a %s machine",
			              a, b, comparison->groups ? "groups" : "runs",
			              b > a ? "slower" : "faster");
		}
	}
	if (cause->type == CAUSE_CONTENTION) {
		strbuf_printf(&text,
		              "%.2g ran at once on a host, then %.2g: two %s can't tell that from "
		              "a %s machine, a third can",
		              mean_concurrency(comparison->run[0]),
		              mean_concurrency(comparison->run[1]),
		              comparison->groups ? "groups" : "runs",
		              cause->lane_time.ns > 0 ? "slower" : "faster");
	}
	if (cause->makespan.is_known && cause->type < CAUSE_SAME && cause->makespan.low_ns < 0 &&
	    cause->makespan.high_ns > 0) {
		strbuf_printf(&text, "%sits range holds 0", text.len ? "; " : "");
	}
	cause->against = text.len ? arena_strdup(causes->arena, text.data) : NULL;
	strbuf_free(&text);
}

void
causes_word(struct causes *causes, const struct comparison *comparison)
{
	static const struct {
		const char *name, *look;
	} words[] = {
	    [CAUSE_DURATION] = {NULL, "matched"},
	    [CAUSE_CONTENTION] = {"contention", "contention"},
	    [CAUSE_INTERFERENCE] = {"interference", "matched"},
	    [CAUSE_PLAN] = {"controller", "stages"},
	    [CAUSE_COMMUNICATION] = {"communication", "stages"},
	    [CAUSE_BEGIN] = {"start-up", "stages"},
	    [CAUSE_TRANSFERS] = {"transfers", "placement-transfers"},
	    [CAUSE_MORE_WORK] = {"more work", "matched"},
	    [CAUSE_LESS_WORK] = {"less work", "matched"},
	    [CAUSE_RENAMED] = {"renamed", "matched"},
	    [CAUSE_SPLIT] = {"split", "matched"},
	    [CAUSE_LANES] = {"lanes", "area"},
	    [CAUSE_PLACEMENT] = {"placement", "placement"},
	    [CAUSE_CLOCK] = {"clock", "stages"},
	    [CAUSE_SAME] = {"same", "matched"},
	    [CAUSE_OTHER_WORK] = {"other work", "all"},
	    [CAUSE_UNEXPLAINED] = {"unexplained", "all"},
	};
	for (size_t c = 0; c < causes->n; c++) {
		struct cause *cause = &causes->all[c];
		cause->name = words[cause->type].name;
		cause->look = words[cause->type].look;
		if (!cause->name) {
			cause->name = cause->portion.effect > 0 ? "slower" : "faster";
		}
		word_slice(causes, comparison, cause);
		word_sentence(causes, comparison, cause);
		word_against(causes, comparison, cause);
	}
}

static void
add_signed(struct strbuf *text, int64_t ns)
{
	char time[FORMAT_BYTES];
	strbuf_printf(text, " (%s%s)", ns > 0 ? "+" : "", format_duration(time, ns));
}

/* Whether it is known which way a cause moves the end. */
static bool
has_sign(const struct cause *cause)
{
	const struct amount *makespan = &cause->makespan;
	return makespan->is_known && makespan->ns != 0 &&
	       !(makespan->low_ns < 0 && makespan->high_ns > 0);
}

static void
add_cause(struct strbuf *text, const struct cause *cause)
{
	strbuf_add_text(text, cause->sentence);
	if (has_sign(cause)) {
		add_signed(text, cause->makespan.ns);
	} else if (cause->makespan.is_known && cause->type < CAUSE_SAME) {
		strbuf_add_text(text, " (no clear effect on the end)");
	}
}

const char *
causes_sentence(const struct causes *causes, const struct comparison *comparison)
{
	const char *name_a = explain_head(comparison->explain, 0);
	const char *name_b = explain_head(comparison->explain, 1);
	int64_t a = comparison_seen_makespan_ns(comparison, 0);
	int64_t b = comparison_seen_makespan_ns(comparison, 1);
	int64_t delta = time_sub(b, a);
	char time[FORMAT_BYTES], time_a[FORMAT_BYTES], time_b[FORMAT_BYTES];
	struct strbuf text = {0};
	bool is_same = causes->n == 1 && causes->all[0].type == CAUSE_SAME;
	if (is_same) {
		strbuf_printf(&text, "%s and %s are the same within noise", name_a, name_b);
	} else if (delta == 0) {
		strbuf_printf(&text, "%s takes as long as %s", name_b, name_a);
	} else {
		strbuf_printf(&text, "%s is %s %s than %s", name_b,
		              format_duration(time, llabs(delta)), delta > 0 ? "slower" : "faster",
		              name_a);
	}
	strbuf_printf(&text, " (%s%s, %s)", comparison->groups ? "means " : "",
	              format_duration(time_b, b), format_duration(time_a, a));
	if (!is_same && comparison_is_within_spread(comparison)) {
		strbuf_add_text(&text, ", no more than runs of a group differ by");
	}
	size_t n = 0;
	for (size_t pass = 0; pass < 2 && !is_same;
	     pass++) { /* what goes with it, then what against */
		size_t n_pass = 0;
		for (size_t c = 0; c < causes->n && n < NAMED_IN_SENTENCE; c++) {
			const struct cause *cause = &causes->all[c];
			bool is_with = !has_sign(cause) || (cause->makespan.ns > 0) == (delta > 0);
			if (is_with != (pass == 0)) {
				continue;
			}
			strbuf_add_text(&text, n == 0 && pass == 0   ? ": "
			                       : n_pass == 0 && pass ? "; against that "
			                                             : ", ");
			add_cause(&text, cause);
			n++;
			n_pass++;
		}
	}
	const char *sentence = arena_strdup(causes->arena, text.data);
	strbuf_free(&text);
	return sentence;
}
