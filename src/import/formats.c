/*
 * The table of trace formats. Recognition asks every format how sure it is of the first bytes; the
 * surest wins, and of equals the one that stands first.
 */
#include "config.h"
#include "import/import.h"

#include "import/formats.h"

const struct import_format *const import_formats[] = {
    &import_dftracer, &import_cascade,  &import_chrome,     &import_dasf,
    &import_dataload, &import_counters, &import_preemption, NULL,
};

const struct import_format *
import_find(const char *name)
{
	for (size_t i = 0; import_formats[i]; i++) {
		if (strcmp(import_formats[i]->name, name) == 0) {
			return import_formats[i];
		}
	}
	return NULL;
}

const struct import_format *
import_sniff(struct slice head, const char *file_name)
{
	const struct import_format *best = NULL;
	int best_score = 0;

	for (size_t i = 0; import_formats[i]; i++) {
		int score = import_formats[i]->sniff(head, file_name);
		if (score > best_score) {
			best = import_formats[i];
			best_score = score;
		}
	}
	return best;
}
