/* What query and diff share: finding a saved query, its arguments from -p, running it on each
 * run.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_QUERY_CALL_H
#define LANESCOPE_CLI_QUERY_CALL_H

#include "cli/answers.h"
#include "cli/gate_call.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/plot.h"
#include "query/saved/fold.h"

/* Zero-initialise. */
struct argument_list {
	struct query_argument *all;
	size_t n, capacity;
	struct arena *names;
};
/* "NAME=VALUE", which stays the caller's. */
int argument_take(struct argument_list *list, const char *text, struct err *err);
void argument_list_free(struct argument_list *list);

/* Of int64_t, for sorting. */
int compare_integers(const void *a, const void *b);

struct query_call {
	struct output_choice output;
	struct plot_choice plot;
	const char *queries_dir, *key, *measures;
	bool wide, is_rel_to_b, is_all;
	struct fold fold; /* from --by, --stat, --pivot; its measures and key are those above */
	bool is_folded;
	const char *where;              /* which rows of the answer are printed; NULL: all */
	int64_t behind;                 /* number of the row that --behind asks about; 0: none */
	struct strbuf classes;          /* from --class */
	struct argument_list arguments; /* from -p */
	struct gate_choice gate;
	struct path_list groups[2]; /* from --a, --b; --baseline is the first */
	size_t n_a;                 /* how many of the runs are the first group's */
	struct answer_jobs answers;
	struct query_library *library;
	const struct saved_query *query;
	struct run_set runs;
	struct result **results; /* of each run; there is room for n_results */
	size_t n_results;
};

/* For options_parse. */
int query_call_take(void *call, int id, const char *value, struct err *err);
/* Opens library and runs, checks that the query applies to each, runs it on each. The words of cli
 * are the runs; name NULL: the first is the query. */
int query_call_run(struct query_call *call, struct cli *cli, const char *name, bool apart,
                   struct err *err);
/* The answer is of one kind of rows, so that people get a row of sums unless an option says
 * otherwise. */
void query_call_sums(struct query_call *call);
/* Says that the runs have problems, unless that is what the query asks for. */
void query_call_note_problems(const struct query_call *call, struct result *result);
/* The answer to be printed, with its notes: the runs' results put together where there are several
 * or --path asks for it. NULL on error. */
struct result *query_call_table(struct query_call *call, struct err *err);
void query_call_table_free(const struct query_call *call, struct result *table); /* takes NULL */
/* Judges the runs from n_a on by those before, where a gate is asked for. */
int query_call_gate(struct query_call *call, struct result *answer, struct err *err);
void query_call_free(struct query_call *call);

/* Says on stderr which files of saved queries can't be used: all, or those of one name. */
void query_say_broken(const struct query_library *library, const char *name);

#endif
