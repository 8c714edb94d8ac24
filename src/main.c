/*
 * lanescope: a terminal trace explorer. The map of the program, from the bottom:
 *
 *   util/      memory, errors, text, numbers, threads, regular expressions
 *   model/     what a run is made of (lane, span, event, counter, task, transfer ...), and struct sink,
 *              into which importers speak
 *   input/     bytes: files, gzip, lines, the streaming JSON reader and the other readers
 *   import/    one importer a trace format: bytes -> records in a sink
 *   column/    blocks of up to 65 536 rows stored column by column; scans, sums, pages, nesting and
 *              tiles over them, on all cores
 *   store/     run files (SQLite): writing, reading, the virtual tables span, event, counter,
 *              span_sums ..., SQL functions, the loadable extension
 *   simulate/  simulated runs, and the traces of `lanescope demo`
 *   ingest/    trace files -> one run file, on all cores
 *   query/     saved queries (queries/NAME.sql), results in memory, stacking, differences of two
 *              runs, timeline cells
 *   explain/   why one run took longer than another: parts that add up to the difference
 *   export/    results -> table, csv, tsv, json, jsonl, md; runs -> Chrome traces; timelines -> SVG
 *   ../ui/     the explorer: views drawn into a canvas of cells, keys, the terminal
 *   cli/       the command line
 *
 * A layer includes only what stands above it here (ui/ and export/ do not know each other). In each
 * the headers are the contracts, and an essay at the top of each .c file says why it is as it is.
 *
 *   main -> cli_main (cli/cli.c) -> command_* (cli/cmd_*.c), from the table in cli/commands.c
 *     import:   ingest_plan -> ingest_run -> import_format.read -> sink -> blocks -> writer
 *     query:    run_set_open (cli/open.c) -> query_run (query/run.c) -> export_result (export/export.c)
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
