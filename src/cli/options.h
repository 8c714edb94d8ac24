/* Options that several commands share, by their letter or number.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_OPTIONS_H
#define LANESCOPE_CLI_OPTIONS_H

#include "cli/cli.h"

enum {
	OPTION_OUT = 'o',
	OPTION_PARAM = 'p',
	OPTION_FORMAT = 256,
	OPTION_PATH,
	OPTION_NO_HEADER,
	OPTION_SAFE_CSV,
	OPTION_SORT,
	OPTION_LIMIT,
	OPTION_WIDE,
	OPTION_ALL,
	OPTION_BEHIND,
	OPTION_KEY,
	OPTION_QUERIES,
	OPTION_NAME,
	OPTION_EACH,
	OPTION_ONE,
	OPTION_DRY_RUN,
	OPTION_FORCE,
	OPTION_LENIENT,
	OPTION_STRICT,
	OPTION_ONE_PART,
	OPTION_PLAN,
	OPTION_AS_PART,
	OPTION_JOIN,
	OPTION_JOBS,
	OPTION_WITH,
	OPTION_ANSWERS,
	OPTION_TAG,
	OPTION_INTO,
	OPTION_TAGS_FROM,
	OPTION_THREADS,
	OPTION_QUIET,
	OPTION_TO,
	OPTION_SQL,
	OPTION_NO_PAGER,
	OPTION_MEASURE,
	OPTION_COLUMNS,
	OPTION_SUM,
	OPTION_NO_SUM,
	OPTION_REL_TO,
	OPTION_ASCII,
	OPTION_KEYS,
	OPTION_CAST,
	OPTION_SESSION,
	OPTION_NO_SESSION,
	OPTION_SIZE,
	OPTION_FROM,
	OPTION_LANES,
	OPTION_WIDTH,
	OPTION_HEIGHT,
	OPTION_SVG,
	OPTION_DEPTH,
	OPTION_ALIKE,
	OPTION_COUNTERS,
	OPTION_COLOUR,
	OPTION_MARK,
	OPTION_CACHED,
	OPTION_CLASS,
	OPTION_SCOPE,
	OPTION_RUNS_WHERE,
	OPTION_WHERE,
	OPTION_A,
	OPTION_B,
	OPTION_BASELINE,
	OPTION_FAIL_OVER,
	OPTION_UNDECIDED,
	OPTION_TOTAL,
	OPTION_FILTER,
	OPTION_BY,
	OPTION_PIVOT,
	OPTION_STAT,
	OPTION_TREND,
	OPTION_MEMORY,
	OPTION_WINDOW,
	OPTION_PLOT,
	OPTION_X,
	OPTION_Y,
	OPTION_SERIES,
	OPTION_LOG_AXES,
	OPTION_HELP,
	OPTION_VERSION
};

extern const struct cli_option option_out, option_param, option_window, option_format,
    option_no_header, option_safe_csv, option_sort, option_columns, option_limit, option_sum,
    option_no_sum, option_rel_to, option_wide, option_key, option_queries, option_no_pager,
    option_measure, option_class, option_scope, option_runs_where, option_path, option_force,
    option_memory, option_ascii, option_plot, option_x, option_y, option_series, option_log_axes,
    option_chart_size, option_help, option_version;

/* "80x24" of --size. */
int take_size(const char *value, int *width, int *height, struct err *err);

/* One that a single command has, within its list. */
#define OPTION(id, name, argument, about, words)                                                   \
	&(const struct cli_option)                                                                 \
	{                                                                                          \
		id, name, argument, about, words                                                   \
	}
/* Of every command that prints a table. */
#define OPTIONS_OF_TABLES                                                                          \
	&option_format, &option_out, &option_sort, &option_limit, &option_no_header,               \
	    &option_safe_csv, &option_no_pager
/* Of every command whose table may be drawn (cli/plot.h). */
#define OPTIONS_OF_CHARTS                                                                          \
	&option_plot, &option_x, &option_y, &option_series, &option_log_axes, &option_chart_size,  \
	    &option_ascii

#endif
