/* What a gate is made of.
 * Used by its room alone. */
#ifndef LANESCOPE_EXPLAIN_GATE_FIGURES_H
#define LANESCOPE_EXPLAIN_GATE_FIGURES_H

#include "explain/gate.h"

struct gate_figure {
	const char *name; /* "makespan", "total of efi" */
	enum column_kind kind;
	bool is_higher_better;
	const char *bound[2]; /* "at most ", or nothing */
	double *values[2];    /* by run, of those that have it; room for all */
	size_t n[2];
	double error; /* of a pair: what noise makes it worse by in 1 of 100 cases; 0: not known */
	/* filled by gate_judge */
	size_t index;
	double median[2], p;
	bool is_crossed;
};

struct gate {
	struct arena *arena;
	double limit;
	size_t n_a, n_b;
	bool *is_copy;    /* by run: its side has it already */
	size_t n_runs[2]; /* without these */
	struct store *const *stores;
	const char *const *names;
	struct gate_figure *figures;
	size_t n, capacity;
	size_t n_one_sided; /* figures that are left out, as no run of the other side has them */
};
/* A figure without values; valid until the next. name is copied. */
struct gate_figure *gate_figure_add(struct gate *gate, const char *name, enum column_kind kind,
                                    bool is_higher_better);
/* A run's value, unless it has none. */
void gate_figure_take(const struct gate *gate, struct gate_figure *figure, size_t run,
                      double value);
/* One run a side. */
bool gate_is_pair(const struct gate *gate);

#endif
