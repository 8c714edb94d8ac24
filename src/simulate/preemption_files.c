/* Counts at the minutes when they change, and losses. */
#include "config.h"
#include "simulate/preemption_files.h"

#include <inttypes.h>
#include <time.h>

struct trace_files {
	FILE *nodes, *losses;
	int64_t start_s, last_count;
	const struct cancel *cancel;
};

static void
put_row(FILE *file, int64_t seconds, int64_t number)
{
	time_t when = (time_t)seconds;
	struct tm parts;
	char text[40];

	gmtime_r(&when, &parts);
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
	fprintf(file, "%s,%" PRId64 "\n", text, number);
}

/* A count is a row when it differs from the last one: losses and additions of a minute may cancel
 * out. */
static int
write_minute(void *user, int64_t minute, int64_t count, int64_t lost, int64_t added)
{
	struct trace_files *files = user;
	int64_t seconds = files->start_s + minute * 60;

	(void)added; /* what the counts tell */
	if (count != files->last_count) {
		put_row(files->nodes, seconds, count);
		files->last_count = count;
	}
	if (lost > 0) {
		put_row(files->losses, seconds, lost);
	}
	return cancel_requested(files->cancel);
}

int
preemption_write_trace(const struct preemption_params *params, int64_t start_s, FILE *nodes,
                       FILE *losses, const struct cancel *cancel, struct err *err)
{
	struct trace_files files = {nodes, losses, start_s, -1, cancel};

	fputs("timestamp,count\n", nodes);
	fputs("timestamp,number\n", losses);
	return preemption_generate(params, write_minute, &files)
	           ? err_set(err, ERR_CANCELLED, "cancelled")
	           : 0;
}
