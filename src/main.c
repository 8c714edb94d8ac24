/*
 * lanescope: a terminal trace explorer. The map of the program, from the bottom:
 *
 * (map of rooms: begin; room, what it is, <- what it uses)
 *   util             memory, errors, text, numbers, threads, regular expressions
 *   model            what a run is made of (lane, span, event, counter, task, transfer ...), and
 *                    struct sink, into which importers speak
 *                    <- util
 *   input            bytes: files, gzip, lines, the streaming readers of JSON, CSV, MessagePack,
 *                    npy and pickle
 *                    <- util
 *   import           one importer a trace format: bytes -> records in a sink
 *                    <- util model input
 *   column/encode    rows gathered, sorted and packed into blocks of up to 65 536, column by
 *                    column
 *                    <- util model
 *   column/scan      blocks read: datasets, filters, dimensions, codes, single rows
 *                    <- util model column/encode
 *   column/ops       passes over blocks on all cores: sums, quantiles, pages, gaps, pairs, busy
 *                    time
 *                    <- util model column/encode column/scan
 *   column/finish    what an import ends with: nesting, densities, tiles of cells for any zoom
 *                    <- util model column/encode column/scan
 *   store            run files (SQLite): writing, reading, virtual tables, SQL functions, the
 *                    loadable extension
 *                    <- util model column/encode column/scan column/ops column/finish
 *   simulate         simulated runs, and the traces of `lanescope demo`
 *                    <- util model input store
 *   ingest           trace files -> one run file, on all cores
 *                    <- util model input import column/encode column/scan column/finish store
 *   query/saved      saved queries (queries/NAME.sql), results in memory, stacking, differences of
 *                    two runs
 *                    <- util model column/scan store
 *   query/spans      lists of spans, and all that is known of one
 *                    <- util model column/encode column/scan column/ops store query/saved
 *   query/timeline   lanes over time, as cells
 *                    <- util model column/encode column/scan column/ops column/finish store
 *                    query/saved query/spans
 *   query            a run at a glance
 *                    <- util model column/finish store query/saved query/spans query/timeline
 *   explain/model    statistics, apportioning, assignment
 *                    <- util
 *   explain/schedule a run as tasks on lanes and what they waited for, and which of two runs' are
 *                    the same
 *                    <- util model column/encode column/scan store query/saved
 *   explain/frame    what a part is, what all share, rows that add up
 *                    <- util store query/saved explain/schedule
 *   explain/parts    the parts, each a table that divides the difference
 *                    <- util column/scan column/ops store query/saved explain/model
 *                    explain/schedule explain/frame
 *   explain/verdict  the verdict: causes, each with size, range and certainty
 *                    <- util query/saved explain/model explain/schedule explain/frame
 *                    explain/parts
 *   explain          why one run took longer than another: the table of parts, the summary, the
 *                    gate
 *                    <- util column/scan column/ops store query/saved explain/model
 *                    explain/schedule explain/frame explain/parts explain/verdict
 *   manual           the manual: its pages, as text and by words
 *                    <- util query/saved
 *   chart            a result as a chart: axes, series, points
 *                    <- util query/saved query/timeline
 *   export           results -> table, csv, tsv, json, jsonl, md; runs -> Chrome traces; timelines
 *                    and charts -> SVG
 *                    <- util model input column/encode column/scan store query/saved
 *                    query/timeline chart
 *   ui/term          cells, styles, keys and the mouse; the terminal, only here with curses
 *                    <- util
 *   ui/base          what needs no view: keys and their meaning, lists, searches, prompts,
 *                    history, settings, jobs
 *                    <- util column/encode column/scan store query/saved query/spans ui/term
 *   ui/app           the application: stack of views, what keys and commands mean everywhere,
 *                    places that can be opened
 *                    <- util column/scan query/saved manual export ui/term ui/base
 *   ui/table         tables: any result, sorted, filtered, and what stands behind its rows
 *                    <- util query/saved explain ui/term ui/base ui/app
 *   ui/chart         charts: in cells, as text
 *                    <- util query/saved query/timeline chart export ui/term ui/base ui/app
 *   ui/timeline      timelines of one run, of two
 *                    <- util model column/scan store query/saved query/spans query/timeline
 *                    explain export ui/term ui/base ui/app
 *   ui/lists         views of lists: runs, overview, queries, spans, a span, parts of explain,
 *                    texts, help, the manual
 *                    <- util column/encode store query/saved query/spans query/timeline query
 *                    explain/frame explain manual ui/term ui/base ui/app ui/table
 *   ui               the explorer: the loop of events and scripts, and the table of places, which
 *                    knows all views
 *                    <- util ui/term ui/base ui/app ui/table ui/chart ui/timeline ui/lists
 *   cli              the command line
 *                    <- util input import column/scan store simulate ingest query/saved
 *                    query/spans query/timeline explain/frame explain manual chart export ui/term
 *                    ui/base ui/chart ui/timeline ui
 * (map of rooms: end)
 *
 * A room uses only rooms that stand above it here, and `make check` proves it of every include and
 * every symbol (tests/layers). In each the headers are the contracts, and an essay at the top of
 * each .c file says why it is as it is.
 *
 *   main -> cli_main (cli/cli.c) -> command_* (cli/cmd_*.c), from the table in cli/commands.c
 *     import:   ingest_plan -> ingest_run -> import_format.read -> sink -> blocks -> writer
 *     query:    run_set_open (cli/open.c) -> query_run (query/saved/answer.c)
 *               -> export_result (export/export.c)
 *     diff:     the same twice -> query_diff
 *     explain:  run_set_open -> explain_compute (explain/explain.c) -> export_result
 *     no name:  cli/browse.c -> ui_run (ui/ui.c), while cli/background.c imports
 */
#include "config.h"

#include "cli/cli.h"

int
main(int argc, char **argv)
{
	return cli_main(argc, argv);
}
