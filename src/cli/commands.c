/* The table of commands. A new one is a row here and a file cmd_NAME.c; help, parsing and
 * completions follow. */
#include "config.h"
#include "cli/cli.h"

#include "cli/cmd_explain.h"
#include "cli/cmd_simulate.h"
#include "cli/gate_call.h"
#include "cli/options.h"

static const struct cli_option *const browse_options[] = {
    &option_ascii,
    &option_queries,
    &option_class,
    &option_scope,
    &option_memory,
    OPTION(OPTION_SESSION, "session", "FILE", "remember sort, filters, columns and views in FILE",
           WORDS_FILE),
    OPTION(OPTION_NO_SESSION, "no-session", NULL, "don't remember how each run was shown",
           WORDS_NONE),
    &option_safe_csv,
    OPTION(OPTION_KEYS, "keys", "FILE", "play these keys without a terminal, print the last screen",
           WORDS_FILE),
    OPTION(OPTION_CAST, "cast", "FILE", "and keep all screens: NAME.svg (animated), or NAME.cast",
           WORDS_FILE),
    OPTION(OPTION_SIZE, "size", "WxH", "size of that screen (default: 80x24)", WORDS_ANY),
    NULL};
static const struct cli_option *const import_options[] = {
    OPTION(OPTION_OUT, "out", "PATH",
           "run file or folder to write to (default: the current folder)", WORDS_FILE),
    OPTION(OPTION_NAME, "name", "NAME", "name of the run (default: from the files)", WORDS_ANY),
    OPTION(OPTION_FORMAT, "format", "FORMAT", "format of the traces (default: told by content)",
           WORDS_IMPORT),
    OPTION(OPTION_EACH, "each", NULL, "every file is a run of its own", WORDS_NONE),
    OPTION(OPTION_ONE, "one", NULL, "all files of a format are one run", WORDS_NONE),
    OPTION(OPTION_DRY_RUN, "dry-run", NULL, "print the runs that would be made, and why",
           WORDS_NONE),
    OPTION(OPTION_TAG, "tag", "KEY=VALUE", "a fact about every run (repeatable)", WORDS_TAG_VALUE),
    OPTION(OPTION_TAGS_FROM, "tags-from", "PATTERN",
           "tags told by paths, n{nodes}_p{ppn}_{mode} (repeatable)", WORDS_ANY),
    OPTION(OPTION_LENIENT, "lenient", NULL, "keep records that only nearly follow the format",
           WORDS_NONE),
    OPTION(OPTION_STRICT, "strict", NULL, "exit with 3 if records were skipped", WORDS_NONE),
    &option_force,
    OPTION(OPTION_ONE_PART, "part", "I/N",
           "only part I of N of each run, in a file that merge puts together with the others",
           WORDS_ANY),
    OPTION(OPTION_PLAN, "plan", "FILE",
           "write what is to be read, and no run; --part reads it in place of the traces",
           WORDS_FILE),
    OPTION(OPTION_JOBS, "jobs", "N", "read in N processes, and put their parts together",
           WORDS_ANY),
    OPTION(OPTION_WITH, "with", "LAUNCHER", "what starts these: 'srun -n {n}'", WORDS_ANY),
    OPTION(OPTION_THREADS, "threads", "N", "threads to use (default: all cores)", WORDS_ANY),
    &option_memory,
    OPTION(OPTION_QUIET, "quiet", NULL, "no summary", WORDS_NONE),
    NULL};
static const struct cli_option *const merge_options[] = {
    OPTION(OPTION_OUT, "out", "FILE", "the run file to write", WORDS_FILE),
    OPTION(OPTION_JOIN, "join", NULL, "of parts of several runs, each whole, one run is made",
           WORDS_NONE),
    OPTION(OPTION_AS_PART, "part", NULL,
           "write a part that holds these, not all of the run's, to be merged later", WORDS_NONE),
    OPTION(OPTION_STRICT, "strict", NULL, "exit with 3 if records were skipped", WORDS_NONE),
    &option_force,
    OPTION(OPTION_THREADS, "threads", "N", "threads to use (default: all cores)", WORDS_ANY),
    &option_memory,
    OPTION(OPTION_QUIET, "quiet", NULL, "no summary", WORDS_NONE),
    NULL};
static const struct cli_option *const table_options[] = {OPTIONS_OF_TABLES, &option_memory, NULL};
static const struct cli_option *const info_options[] = {OPTIONS_OF_TABLES, &option_runs_where,
                                                        &option_memory, NULL};
static const struct cli_option *const sql_options[] = {
    &option_path,
    OPTION(OPTION_PARAM, "param", "NAME=VALUE", "a value for :NAME of the statement (repeatable)",
           WORDS_ANY),
    &option_class,
    &option_scope,
    &option_runs_where,
    &option_memory,
    OPTIONS_OF_TABLES,
    OPTIONS_OF_CHARTS,
    NULL};
#define OPTIONS_OF_JOBS                                                                            \
	OPTION(OPTION_JOBS, "jobs", "N", "answer in N processes, each for its share of the runs",  \
	       WORDS_ANY),                                                                         \
	    OPTION(OPTION_WITH, "with", "LAUNCHER", "what starts these: 'srun -n {n}'",            \
	           WORDS_ANY),                                                                     \
	    OPTION(OPTION_ONE_PART, "part", "I/N", "only every N-th run, from the I-th on",        \
	           WORDS_ANY),                                                                     \
	    OPTION(OPTION_ANSWERS, "answers", "FOLDER",                                            \
	           "of a process of --jobs: keep the answers there, print nothing", WORDS_FOLDER)
static const struct cli_option *const runs_options[] = {
    OPTION(OPTION_CACHED, "cached", NULL, "those imported on the way, which are kept in a cache",
           WORDS_NONE),
    OPTION(OPTION_WHERE, "where", "CONDITION",
           "only runs that meet it, nodes >= 4 AND mode = 'scr'", WORDS_CONDITION),
    OPTION(OPTION_COLUMNS, "columns", "COLUMNS",
           "these, in this order; also tags that only traces tell (default: all but those)",
           WORDS_ANY),
    OPTIONS_OF_JOBS,
    &option_memory,
    OPTIONS_OF_TABLES,
    OPTIONS_OF_CHARTS,
    NULL};
static const struct cli_option *const queries_options[] = {
    OPTION(OPTION_SQL, "sql", "NAME", "print the statement of a saved query", WORDS_QUERY),
    &option_queries, &option_memory, OPTIONS_OF_TABLES, NULL};
static const struct cli_option *const query_options[] = {
    OPTION(OPTION_ALL, "all", NULL,
           "every question that fits, without NAME: a file each in the folder that --out names",
           WORDS_NONE),
    &option_path,
    &option_param,
    &option_window,
    &option_class,
    &option_scope,
    &option_runs_where,
    &option_memory,
    OPTION(OPTION_BASELINE, "baseline", "RUN",
           "a run that those asked are judged by, with --fail-over (repeatable)", WORDS_RUN),
    OPTIONS_OF_GATES,
    &option_total,
    OPTION(OPTION_MEASURE, "measure", "COLUMNS",
           "the gate is on these, or --by (default: what the query is asked for, or all)",
           WORDS_COLUMNS),
    OPTION(OPTION_BY, "by", "TAGS", "runs that are tagged alike become one row: nodes,mode",
           WORDS_TAGS),
    OPTION(OPTION_STAT, "stat", "STATS",
           "of each measure over these runs: mean (default), median, std, min, max, sum, n",
           WORDS_ANY),
    OPTION(OPTION_PIVOT, "pivot", "TAG", "the values of a tag become columns", WORDS_TAGS),
    OPTION(OPTION_TREND, "trend", "started|TAG",
           "the measures over the runs' start, or over a tag: noise, and where they step",
           WORDS_TAGS),
    OPTION(OPTION_WHERE, "where", "CONDITION",
           "only rows of the answer that meet it, time > 1s AND name = 'write'", WORDS_COLUMNS),
    OPTIONS_OF_JOBS,
    &option_format,
    &option_out,
    &option_sort,
    &option_limit,
    &option_sum,
    &option_no_sum,
    &option_columns,
    OPTION(OPTION_BEHIND, "behind", "ROW",
           "what stands behind this row (from 1), as Enter opens it: its spans, or rows",
           WORDS_ANY),
    &option_wide,
    &option_key,
    &option_no_header,
    &option_safe_csv,
    &option_no_pager,
    &option_queries,
    OPTIONS_OF_CHARTS,
    NULL};
static const struct cli_option *const diff_options[] = {
    &option_a,
    &option_b,
    &option_param,
    &option_window,
    &option_class,
    &option_scope,
    &option_runs_where,
    &option_memory,
    &option_key,
    &option_measure,
    OPTION(OPTION_COLUMNS, "columns", "COLUMNS",
           "all, or names of columns, or of a, b, delta, ratio, rel (default: all for programs, "
           "a,b,delta,rel for people)",
           WORDS_COLUMNS),
    &option_rel_to,
    OPTIONS_OF_GATES,
    &option_total,
    &option_format,
    &option_out,
    &option_sort,
    &option_limit,
    &option_sum,
    &option_no_sum,
    &option_no_header,
    &option_safe_csv,
    &option_no_pager,
    &option_queries,
    OPTIONS_OF_CHARTS,
    NULL};
static const struct cli_option *const spans_options[] = {
    OPTION(OPTION_FILTER, "filter", "FILTER",
           "only these: a condition (duration > 1ms AND host = 'n1'), or a regular expression for "
           "names",
           WORDS_ANY),
    OPTION(OPTION_BY, "by", "COLUMNS",
           "in groups: name, category, path, basename, dirname, host, lane_name, arg.KEY ...",
           WORDS_ANY),
    OPTION(OPTION_COLUMNS, "columns", "COLUMNS",
           "of groups: count, calls, inside, total, self, mean, min, p50, p95, max, std, share, "
           "size ...; of "
           "a pivot: how many at most (default: 30)",
           WORDS_ANY),
    OPTION(OPTION_PIVOT, "pivot", "COLUMN", "its values become columns of what --measure says",
           WORDS_ANY),
    OPTION(OPTION_MEASURE, "measure", "MEASURE",
           "of a pivot: inside (default), total, count, calls, self or size", WORDS_ANY),
    &option_scope,
    &option_runs_where,
    &option_memory,
    &option_class,
    &option_path,
    &option_format,
    &option_out,
    &option_sort,
    &option_limit,
    &option_sum,
    &option_no_sum,
    &option_no_header,
    &option_safe_csv,
    &option_no_pager,
    OPTIONS_OF_CHARTS,
    NULL};
static const struct cli_option option_from = {
    OPTION_FROM, "from", "TIME", "begin here (3.2s, 10ms, ns from the run's start)", WORDS_ANY};
static const struct cli_option option_lanes = {
    OPTION_LANES, "lanes", "TEXT", "only lanes with this in their name, or a pattern (gpu*)",
    WORDS_ANY};
static const struct cli_option *const export_options[] = {
    OPTION(OPTION_TO, "to", "FORMAT", "chrome, csv, tsv, json or jsonl; a time: chrome ends there",
           WORDS_TO),
    OPTION(OPTION_OUT, "out", "PATH",
           "chrome: the file, NAME.gz compressed (default: standard output); else the folder "
           "(default: "
           "NAME-FORMAT)",
           WORDS_FILE),
    &option_class,
    &option_scope,
    &option_runs_where,
    &option_memory,
    &option_from,
    &option_lanes,
    &option_safe_csv,
    NULL};
static const struct cli_option *const tag_options[] = {
    OPTION(OPTION_INTO, "into", "FILE",
           "write a run file that has the tags in it, where nothing may be yet", WORDS_FILE),
    &option_memory, OPTIONS_OF_TABLES, NULL};
static const struct cli_option *const upgrade_options[] = {
    OPTION(OPTION_OUT, "out", "FILE", "the run file to write, where nothing may be yet",
           WORDS_FILE),
    &option_memory, NULL};
static const struct cli_option *const timeline_options[] = {
    &option_from,
    OPTION(OPTION_TO, "to", "TIME", "end here", WORDS_ANY),
    &option_lanes,
    OPTION(OPTION_WIDTH, "width", "N", "columns of the picture", WORDS_ANY),
    OPTION(OPTION_HEIGHT, "height", "N", "at most N lines of lanes", WORDS_ANY),
    &option_ascii,
    OPTION(OPTION_SVG, "svg", NULL, "as SVG (also: -o NAME.svg)", WORDS_NONE),
    OPTION(OPTION_DEPTH, "depth", NULL, "a line for each depth of nesting", WORDS_NONE),
    OPTION(OPTION_ALIKE, "alike", NULL,
           "lanes that are alike in one line, odd ones in theirs, with why", WORDS_NONE),
    OPTION(OPTION_COUNTERS, "counters", NULL,
           "also counters, capacity, and the run's work, idle, transfer and queue", WORDS_NONE),
    OPTION(OPTION_COLOUR, "colour", "WHAT",
           "what colours stand for: category, name, class or status; of two runs slowdown",
           WORDS_ANY),
    OPTION(OPTION_COLOUR, "color", "WHEN",
           "whether there are any: auto (default: on a terminal), always or never", WORDS_ANY),
    OPTION(OPTION_MARK, "mark", "FILTER",
           "spans of this filter stand out, all else is dimmed (name = 'x', duration > 1ms)",
           WORDS_ANY),
    &option_class,
    &option_scope,
    &option_runs_where,
    &option_memory,
    OPTION(OPTION_FORMAT, "format", "FORMAT",
           "the picture's cells instead: table, csv, tsv, json, jsonl, frame or md", WORDS_EXPORT),
    &option_out,
    &option_sort,
    &option_limit,
    &option_no_header,
    &option_safe_csv,
    &option_no_pager,
    NULL};
static const struct cli_option *const report_options[] = {
    OPTION(OPTION_OUT, "out", "FILE", "NAME.md or NAME.html (default: standard output)",
           WORDS_FILE),
    OPTION(OPTION_FORMAT, "format", "FORMAT", "md (default) or html", WORDS_REPORT),
    &option_class,
    &option_scope,
    &option_memory,
    &option_queries,
    NULL};
static const struct cli_option *const help_options[] = {&option_queries, &option_no_pager, NULL};
static const struct cli_option *const no_options[] = {NULL};

static const char *const browse_examples[] = {"lanescope demo",
                                              "make example runs and open them",
                                              "lanescope trace.jsonl",
                                              "import a trace and open it",
                                              "lanescope query task-summary trace.jsonl",
                                              "answer a question without the explorer",
                                              NULL};
static const char *const import_examples[] = {"lanescope import trace-*.pfw.gz",
                                              "files of one run: one run file",
                                              "lanescope import -o runs traces/",
                                              "all traces of a folder",
                                              "zcat t.gz | lanescope import --name t -",
                                              "from standard input",
                                              NULL};
static const char *const runs_examples[] = {
    "lanescope runs",
    "runs in the current folder",
    "lanescope runs --sort -duration runs",
    "longest first",
    "lanescope runs runs --where 'nodes >= 4 AND mode = \"scr\"'",
    "those with these tags",
    "lanescope runs --format json runs",
    "for scripts",
    NULL};
static const char *const info_examples[] = {"lanescope info base.lanes",
                                            "one run",
                                            "lanescope info trace.jsonl",
                                            "a trace, imported on the way",
                                            "lanescope info --format csv *.lanes",
                                            "the facts of many runs",
                                            NULL};
static const char *const queries_examples[] = {"lanescope queries",
                                               "all saved queries",
                                               "lanescope queries base.lanes",
                                               "those that apply to a run",
                                               "lanescope query task-times --help",
                                               "what one answers, its columns and parameters",
                                               NULL};
static const char *const query_examples[] = {"lanescope query task-times f4.lanes",
                                             "a table, or CSV when piped",
                                             "lanescope query io-summary -p window=1s base.lanes",
                                             "with a parameter",
                                             "lanescope query span-totals --plot f4.lanes",
                                             "as bars: time by name",
                                             "lanescope query scr-cases --wide *.lanes",
                                             "many runs side by side",
                                             "lanescope query io-summary runs/ --by nodes --stat "
                                             "mean,std --pivot mode",
                                             "repetitions as one, by their tags",
                                             "lanescope query span-totals nightly/ --trend started "
                                             "--plot",
                                             "over the runs' start: noise, and where it steps",
                                             "lanescope query io-summary new.lanes --baseline "
                                             "old.lanes --fail-over 5%",
                                             "the answer, and a gate for scripts",
                                             "lanescope query --all base.lanes -o answers",
                                             "every question that fits, a file each",
                                             NULL};
static const char *const diff_examples[] = {"lanescope diff task-by-kind f1.lanes f4.lanes",
                                            "what takes longer, and by how much",
                                            "lanescope diff task-times f1 f4 --measure total",
                                            "one measure only",
                                            "lanescope diff call-counts a.lanes b.lanes --key name",
                                            "matched by another column",
                                            "lanescope diff task-by-kind --a old/ --b new/ "
                                            "--fail-over 5%",
                                            "a gate for scripts: has a kind become slower?",
                                            NULL};
static const char *const sql_examples[] = {
    "lanescope sql base.lanes 'SELECT * FROM lanes'",
    "any read-only statement",
    "lanescope sql base.lanes <report.sql",
    "from a file",
    "lanescope sql *.lanes 'SELECT duration_ns FROM run'",
    "on many runs, stacked",
    "lanescope sql base.lanes -p n=3 'SELECT * FROM lanes WHERE id < :n'",
    "with a value",
    NULL};
static const char *const spans_examples[] = {"lanescope spans base.lanes --limit 20",
                                             "the first 20, in the order of time",
                                             "lanescope spans base.lanes --by name,host",
                                             "how many and how long, by name and host",
                                             "lanescope spans base.lanes --by name --pivot host "
                                             "--measure count",
                                             "names by hosts",
                                             NULL};
static const char *const timeline_examples[] = {"lanescope timeline f4.lanes",
                                                "the whole run",
                                                "lanescope timeline --from 2s --to 3s f4.lanes",
                                                "a part of it",
                                                "lanescope timeline f1.lanes f4.lanes",
                                                "two runs over each other, A and B",
                                                "lanescope timeline -o f4.svg f4.lanes",
                                                "for a browser",
                                                NULL};
static const char *const export_examples[] = {
    "lanescope export base.lanes --to chrome -o base.json.gz",
    "a Chrome trace, for Perfetto (ui.perfetto.dev)",
    "lanescope export base.lanes --to chrome --from 2s --to 3s "
    "--lanes 'gpu*' -o part.json",
    "a part of it",
    "lanescope export base.lanes --to csv",
    "every table and view into base-csv/",
    "lanescope export base.lanes --to jsonl -o out",
    "as JSON lines into out/",
    "lanescope export trace.jsonl --to tsv",
    "a trace, imported on the way",
    NULL};
static const char *const verify_examples[] = {
    "lanescope verify base.lanes", "is every page as it was written?",
    "lanescope verify /archive/runs", "all run files of a folder", NULL};
static const char *const tag_examples[] = {"lanescope tag base.lanes nodes=4 mode=scr",
                                           "say what a run was",
                                           "lanescope tag runs/ cluster=lassen",
                                           "the same of all runs of a folder",
                                           "lanescope tag base.lanes mode-",
                                           "take a tag away",
                                           "lanescope tag base.lanes",
                                           "list its tags, and where they come from",
                                           "lanescope tag --into named.lanes base.lanes",
                                           "a run file that has them in it",
                                           NULL};
static const char *const merge_examples[] = {
    "lanescope merge logs.*.part -o logs.lanes", "the run of parts that several jobs made",
    "lanescope merge old.lanes later/ -o all.lanes", "a run and the traces that came later", NULL};
static const char *const upgrade_examples[] = {"lanescope upgrade old.lanes -o new.lanes",
                                               "a run whose traces are gone", NULL};
static const char *const simulate_examples[] = {
    "lanescope simulate preemption --p-preempt 0.05,0.5 --seed 1-100 --summary",
    "a training job on spot instances, at two levels of preemption",
    "lanescope simulate trace --like full-64.lanes --seed 2 -o made",
    "a made-up trace of spot instances",
    "lanescope simulate checkpoint --mtbf 6h --cost 90s",
    "how long checkpoints take, and how often to write them",
    NULL};
static const char *const demo_examples[] = {"lanescope demo",
                                            "make twelve example runs and open them",
                                            "lanescope demo | cat",
                                            "make them and print what each tells",
                                            "lanescope demo tryout",
                                            "in a folder of one's own, with their traces",
                                            NULL};
static const char *const report_examples[] = {"lanescope report base.lanes -o base.html",
                                              "one file, to be sent",
                                              "lanescope report base.lanes scr.lanes >ticket.md",
                                              "why one of two takes longer, for a ticket", NULL};
static const char *const help_examples[] = {"lanescope help",
                                            "what the manual has",
                                            "lanescope help record pytorch",
                                            "how to get a trace that lanescope reads",
                                            "lanescope help task-times",
                                            "a saved query",
                                            "lanescope help fail-over",
                                            "an option",
                                            NULL};
static const char *const python_examples[] = {"lanescope python >lanescope.py",
                                              "beside the notebook, for `import lanescope`", NULL};
static const char *const completion_examples[] = {
    "lanescope completion bash >~/.local/share/bash-completion/completions/lanescope",
    "bash",
    "lanescope completion zsh >~/.zfunc/_lanescope",
    "zsh, with fpath+=~/.zfunc",
    "lanescope completion fish >~/.config/fish/completions/lanescope.fish",
    "fish",
    NULL};

const struct cli_command commands[] = {
    {"",
     "[RUN | TRACE | FOLDER]...",
     "Browse runs; traces are imported on the way, once, into a cache.",
     "Without arguments: the run files of the current folder.",
     browse_examples,
     browse_options,
     {WORDS_TRACE, WORDS_TRACE},
     command_browse},
    {"import",
     "TRACE...",
     "Make run files of traces.",
     "TRACE is a file, a folder that is searched, or - for standard input. Formats are told by "
     "content.\n"
     "What is one run is told by folders and content (lanescope-formats(5)); --dry-run prints it.\n"
     "Records that can't be read are counted and kept as problems; see lanescope info.",
     import_examples,
     import_options,
     {WORDS_TRACE, WORDS_TRACE},
     command_import},
    {"runs",
     "[FOLDER | RUN]...",
     "List run files.",
     "Traces named where a run is expected become runs in a cache: $XDG_CACHE_HOME/lanescope/runs, "
     "else\n"
     "~/.cache/lanescope/runs. What was used longest ago goes when they take more than the setting "
     "cache (20GiB).",
     runs_examples,
     runs_options,
     {WORDS_RUN, WORDS_RUN},
     command_runs},
    {"info",
     "RUN...",
     "Say what a run is, where it came from, and what was wrong with its input.",
     NULL,
     info_examples,
     info_options,
     {WORDS_RUN, WORDS_RUN},
     command_info},
    {"queries",
     "[RUN]",
     "List the saved queries, or those that apply to a run.",
     NULL,
     queries_examples,
     queries_options,
     {WORDS_RUN, WORDS_RUN},
     command_queries},
    {"query",
     "NAME RUN... | --all RUN...",
     "Answer a saved query on one run, or on many.",
     "Several runs are stacked under a column `run`; with --wide each run is a column.\n"
     "RUN may be a run file, a folder of them, or a trace. lanescope query NAME --help tells about "
     "one query.",
     query_examples,
     query_options,
     {WORDS_QUERY, WORDS_RUN},
     command_query},
    {"diff",
     "NAME A B",
     "Answer a saved query on two runs and subtract.",
     "For each measure m: m_a, m_b, m_delta = b - a, m_ratio = b / a, m_rel = delta / a; tables "
     "leave out\n"
     "the ratio unless --columns names it. Rows that only one run has stay: what adds up is 0 on "
     "the other side,\n"
     "all else missing. Sorted by the first measure's delta unless --sort is given. Groups of "
     "runs, "
     "by their\nmedians: --a RUN... --b RUN...",
     diff_examples,
     diff_options,
     {WORDS_QUERY, WORDS_RUN},
     command_diff},
    {"explain",
     "A B",
     "Say why B is slower or faster than A: the causes, and the parts that show them.",
     "Without --part: the causes, each with its size in the makespan, a range, and the part that "
     "shows it.\nParts divide the difference of the makespans, of task times, of time in I/O ... "
     "(--part all: the largest\nrows of each that adds up). Groups of runs: --a RUN... --b RUN...; "
     "three runs or more without: a series",
     explain_examples,
     explain_options,
     {WORDS_RUN, WORDS_RUN},
     command_explain},
    {"sql",
     "RUN... [STATEMENT]",
     "Run read-only SQL on one run, or on each of many.",
     "Without STATEMENT it is read from standard input. man 5 lanescope-schema describes the "
     "tables.",
     sql_examples,
     sql_options,
     {WORDS_RUN, WORDS_RUN},
     command_sql},
    {"spans",
     "RUN...",
     "List spans, or add them up by name, host, argument ...",
     "As the explorer's list of spans: --sort by one column (default: start), --by in groups, "
     "--pivot as a table of\ngroups by groups. Groups of several runs are stacked under a column "
     "`run`.",
     spans_examples,
     spans_options,
     {WORDS_RUN, WORDS_RUN},
     command_spans},
    {"timeline",
     "RUN [RUN]",
     "Draw a run's lanes over time, or those of two, as text, as SVG, or as rows.",
     "Heights say how busy a lane was; where spans are few, each is drawn, with its name where it "
     "fits.\n"
     "Of two runs each lane of A stands over its counterpart in B, both from their start.\n"
     "With --format the cells come as rows; their busy_ns add up to the lane's busy time.",
     timeline_examples,
     timeline_options,
     {WORDS_RUN, WORDS_RUN},
     command_timeline},
    {"export",
     "RUN --to FORMAT",
     "Write a run as a Chrome trace, or every table and view of it as files.",
     "Chrome traces open in Perfetto, chrome://tracing and lanescope. Times count from the run's "
     "start; a lane whose\n"
     "spans overlap without nesting becomes a thread for each row of depth. man lanescope tells "
     "what becomes what.",
     export_examples,
     export_options,
     {WORDS_RUN, WORDS_RUN},
     command_export},
    {"report",
     "RUN...",
     "Write what runs tell as one file, for people who have no lanescope.",
     "Facts, timeline, the questions that tell most with their first rows, problems and where the "
     "run comes from;\nof two runs also what explain says, and their differences. Each with the "
     "command that makes it.",
     report_examples,
     report_options,
     {WORDS_RUN, WORDS_RUN},
     command_report},
    {"tag",
     "RUN... [KEY=VALUE | KEY-]...",
     "Say what runs are: tags, which lists and tables of runs have as columns.",
     "They are kept beside each run, in RUN.lanes.tags; a folder that can't be written leaves them "
     "to\n$XDG_STATE_HOME/lanescope/tags. Without any: the tags that there are.",
     tag_examples,
     tag_options,
     {WORDS_RUN, WORDS_TAG_VALUE},
     command_tag},
    {"merge",
     "PART... [TRACE...] -o RUN",
     "Put parts of a run together, which lanescope import --part made, on whatever machines.",
     "The run is the one that a single import of all its traces makes. All parts must be there, "
     "each\nonce. A run file is a part, too: with what came later, parts or traces, it makes a run "
     "of all.\nA folder: the parts in it, or else the traces.",
     merge_examples,
     merge_options,
     {WORDS_FILE, WORDS_FILE},
     command_merge},
    {"verify",
     "RUN...",
     "Read whole run files and look whether every page is as it was written.",
     "Each page ends with a checksum. What reads a run looks at the pages that it reads; this\n"
     "looks at all of them.\n"
     "Exit status 2 if one is damaged.",
     verify_examples,
     table_options,
     {WORDS_RUN, WORDS_RUN},
     command_verify},
    {"upgrade",
     "OLD -o NEW",
     "Write a run file of this version from one of an older version, without its traces.",
     "The old file stays as it is. The new one holds the same and keeps its identity.",
     upgrade_examples,
     upgrade_options,
     {WORDS_RUN, WORDS_NONE},
     command_upgrade},
    {"simulate",
     "preemption | trace | checkpoint",
     "Simulate training on spot instances, make up traces of them, model checkpoints.",
     "lanescope simulate preemption --help and so on tell about each.",
     simulate_examples,
     simulate_options,
     {WORDS_SIMULATE, WORDS_TRACE},
     command_simulate},
    {"demo",
     "[FOLDER]",
     "Make example runs and open them.",
     "In the cache, or in FOLDER: run files, and in traces/ what they were imported from. Made "
     "again\n"
     "only by another version of lanescope. Without a terminal: what each run tells, and the "
     "command\n"
     "that shows it.",
     demo_examples,
     no_options,
     {WORDS_FOLDER, WORDS_NONE},
     command_demo},
    {"python",
     "",
     "Print lanescope.py, answers as frames for notebooks.",
     "One file: the standard library, pandas where it is. Its own text says what it has.",
     python_examples,
     no_options,
     {WORDS_NONE, WORDS_NONE},
     command_python},
    {"completion",
     "bash | zsh | fish",
     "Print completions for a shell.",
     NULL,
     completion_examples,
     no_options,
     {WORDS_SHELL, WORDS_NONE},
     command_completion},
    {"help",
     "[WORD]...",
     "Show the manual: all of it is in this program.",
     "WORD is a page, a command, a saved query, a format, a column of an answer, an option, a key "
     "of the explorer,\na setting ...; any other word is looked for in the text. Without WORD: "
     "what there is.",
     help_examples,
     help_options,
     {WORDS_TOPIC, WORDS_TOPIC},
     command_help},
    {NULL, NULL, NULL, NULL, NULL, NULL, {WORDS_NONE, WORDS_NONE}, NULL},
};
