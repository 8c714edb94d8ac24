/* A run as a Chrome trace (Trace Event JSON), for Perfetto, chrome://tracing and our own
 * importer.
 * Used by cli. */
#ifndef LANESCOPE_EXPORT_CHROME_H
#define LANESCOPE_EXPORT_CHROME_H

#include "input/gzip_writer.h"
#include "store/store.h"

struct chrome_options {
	/* Only what goes on or happens in [from, to), ns from the run's start; INT64_MIN and
	 * INT64_MAX: everything. */
	int64_t from_ns, to_ns;
	bool (*wants_lane)(void *user, struct slice name); /* NULL: all lanes */
	void *user;
	const struct cancel *cancel;
};
struct chrome_written {
	int64_t n_lanes, n_spans, n_events, n_samples;
	int64_t n_flows;     /* dependencies between spans, or the spans of tasks */
	int64_t n_no_number; /* samples that were left out: JSON has neither NaN nor infinity */
};
/* ERR_USAGE if the run has nothing with a time. Errors of `out` are told when it is closed.
 * *written also when it failed. */
int chrome_export(struct store *store, const struct chrome_options *options,
                  struct gzip_writer *out, struct chrome_written *written, struct err *err);

#endif
