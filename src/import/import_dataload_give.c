/* What all files of a trial give to the sink. */
#include "config.h"
#include "import/import_dataload.h"

int
dataload_problem(struct dataload_reader *reader, enum problem_kind kind, uint64_t record,
                 const char *reason)
{
	struct problem problem = {.kind = kind,
	                          .record = record,
	                          .offset = input_offset(reader->input),
	                          .reason = reason};

	return sink_problem(reader->sink, &problem);
}

int
dataload_sample(struct dataload_reader *reader, const char *name, const char *type,
                const double *values, size_t n_values)
{
	struct sink *sink = reader->sink;
	struct sample sample = {.trial = reader->trial,
	                        .name = sink_text(sink, slice_of(name)),
	                        .values = values,
	                        .n_values = n_values,
	                        .type = sink_text(sink, slice_of(type))};

	return sink_sample(sink, &sample);
}
