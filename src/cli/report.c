#include "config.h"
#include "cli/report.h"

#include "store/store.h"

/* In the order of the document. */
static const struct {
	const char *title;
	size_t n_least; /* runs */
	int (*write)(struct report *report, struct err *err);
} parts[] = {
    {"Summary", 1, report_summary},
    {"Timeline", 1, report_timeline},
    {"Why one takes longer", 2, report_verdict},
    {"Questions", 1, report_questions},
    {"Notes and problems", 1, report_problems},
    {"Provenance", 1, report_provenance},
};

int
report_write_parts(struct report *report, struct err *err)
{
	struct err lost = ERR_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < COUNT_OF(parts); i++) {
		struct err why = ERR_INIT;

		if (report->runs->n < parts[i].n_least) {
			continue;
		}
		document_heading(report->document, 1, parts[i].title);
		if (parts[i].write(report, &why)) {
			rc = report_lacks(report, parts[i].title, &why, err);
		}
	}
	if (rc == 0 && !report->has_failed && store_failure(&lost)) {
		rc = report_lacks(report, "Some notes", &lost, err);
	}
	return rc;
}
