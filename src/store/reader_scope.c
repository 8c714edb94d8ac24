/* A scope as the dataset has it, and which lanes it leaves. */
#include "config.h"
#include "store/reader.h"

#include <stdlib.h>

static void
forget_scope(struct run_reader *reader)
{
	free((char *)reader->dataset.scope.filter);
	free(reader->lanes_in_scope);
	reader->lanes_in_scope = NULL;
	reader->dataset.scope = (struct dataset_scope){0};
}

int
run_reader_set_scope(struct run_reader *reader, const struct scope *scope, struct err *err)
{
	const struct dataset *dataset = &reader->dataset;
	bool *lanes;

	MEM_NEW(lanes, dataset->n_lanes + 1);
	int cuts = scope_lanes(scope, dataset, lanes, err);
	if (cuts < 0) {
		free(lanes);
		return -1;
	}
	forget_scope(reader);
	reader->lanes_in_scope = lanes;
	reader->cuts_lanes = cuts > 0;
	struct dataset_scope *out = &reader->dataset.scope;
	out->has_range = scope_range(scope, &out->start_ns, &out->end_ns);
	out->filter = scope_filter(scope);
	return 0;
}

const struct dataset_scope *
run_reader_scope(const struct run_reader *reader)
{
	return &reader->dataset.scope;
}

void
run_reader_forget_scope(struct run_reader *reader)
{
	forget_scope(reader);
	index_free(&reader->code_of_text);
}
