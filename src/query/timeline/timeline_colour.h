/* What the colours of a timeline stand for.
 * Used by chart, cli, export, ui/chart, ui/timeline. */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_COLOUR_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_COLOUR_H

#include "query/timeline/timeline.h"

enum colour_mode {
	COLOUR_CATEGORY,
	COLOUR_NAME,    /* tasks: their kind */
	COLOUR_CLASS,   /* of the path; without one: no colour */
	COLOUR_STATUS,  /* failed or not */
	COLOUR_SLOWDOWN /* mean duration of the name here against another run */
};
#define COLOUR_MODES 5
const char *colour_mode_name(enum colour_mode mode); /* "category", ... */
bool colour_mode_find(struct slice name, enum colour_mode *mode);

#define COLOUR_NONE UINT32_MAX
#define COLOUR_SLOTS 12u /* colours that labels can have of their own */
#define COLOUR_SLOT_NONE UINT8_MAX
enum { STATUS_OK, STATUS_FAILED };
enum { SLOWDOWN_SAME, SLOWDOWN_FASTER, SLOWDOWN_SLOWER, SLOWDOWN_TWICE, SLOWDOWN_ONLY_HERE };
/* Spans that failed, in the filter language. */
#define STATUS_FILTER                                                                              \
	"(arg.ret < 0 OR arg.error IS NOT NULL OR arg.status IN ('error', 'failed', 'fail'))"

struct colours {
	atomic_uint references; /* private */
	struct arena *arena;
	enum colour_mode mode;
	const char *reference; /* slowdown: the run that means are held against; else NULL */
	size_t n;
	struct slice *labels; /* by rank, the one with most time first */
	char *marks;          /* a letter or sign for each, for pictures without colour */
	/* which colour each has, COLOUR_SLOT_NONE: none of its own; NULL: the mode says it */
	uint8_t *slots;
	/* by text code of a category or name; COLOUR_NONE: no colour. Not of classes */
	uint32_t *ranks;
	uint32_t n_ranks;
	/* of the categories, names or classes that have ranks, by text_ranks */
	struct intern *texts;
	uint32_t *text_ranks;
};

/* A letter of the label that is not taken, else any such letter, else '#'. */
char colour_mark(struct slice label, const bool is_taken[256]);
/* The colour that a label has anywhere, else the next one that is not taken; takes it. */
uint8_t colour_slot(struct slice label, bool is_taken[COLOUR_SLOTS]);

/* other: the run that slowdown compares with, called so; NULL for the other modes. NULL on
 * error. */
struct colours *colours_new(struct store *store, struct store *other, const char *other_name,
                            enum colour_mode mode, struct err *err);
/* Of runs that are shown together, into `colours`, one each: a rank is the same label with the same
 * mark and colour in all of them, ranked by the sum of their times. Slowdown: of two runs, each
 * against the other; `names` are theirs (else NULL). -1 on error, with nothing made. */
int colours_new_shared(struct store *const *stores, const char *const *names, size_t n_runs,
                       enum colour_mode mode, struct colours **colours, struct err *err);
struct colours *colours_retain(struct colours *colours);
void colours_release(struct colours *colours); /* takes NULL */
static inline uint32_t
colours_rank(const struct colours *colours, uint32_t code)
{
	return code < colours->n_ranks ? colours->ranks[code] : COLOUR_NONE;
}

/* Of COLOUR_CLASS: the rank of a path's class, by the path's text code. */
uint32_t colours_rank_of_path(const struct colours *colours, const struct dataset *dataset,
                              uint32_t path);
uint32_t colours_rank_of_text(const struct colours *colours, struct slice text);

#endif
