/*
 * The progress bar is drawn by a thread of its own, four times a second, from the counters that the
 * import keeps; the import itself knows nothing of terminals. Where stderr is no terminal nothing
 * is drawn.
 *
 *   base  reading    ████████▌            61 %   4.1 M records/s   2 s left
 */
#include "config.h"
#include "cli/cache.h"

#include <errno.h>
#include <langinfo.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cli/output.h"
#include "util/format.h"
#include "util/order.h"
#include "util/utf8.h"
#include "util/workers.h"

#define PROGRESS_PERIOD_NS 250000000
#define BAR_CELLS 20

struct progress {
	const char *name;
	struct ingest_progress *counters;
	const struct cancel *cancel;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool done, drawn;
	struct timespec started;
};

double
progress_seconds(const struct timespec *started)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - started->tv_sec) +
	       (double)(now.tv_nsec - started->tv_nsec) / 1e9;
}

bool
progress_pause(pthread_cond_t *changed, pthread_mutex_t *lock, long ns)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += ns;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	return pthread_cond_timedwait(changed, lock, &until) == ETIMEDOUT;
}

static void
add_bar(struct strbuf *line, double share)
{
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	static const char *const parts[] = {"",
	                                    "\xe2\x96\x8f",
	                                    "\xe2\x96\x8e",
	                                    "\xe2\x96\x8d",
	                                    "\xe2\x96\x8c",
	                                    "\xe2\x96\x8b",
	                                    "\xe2\x96\x8a",
	                                    "\xe2\x96\x89"};
	unsigned eighths = (unsigned)(share * BAR_CELLS * 8), cells = eighths / 8;
	for (unsigned i = 0; i < cells; i++) {
		strbuf_add_text(line, utf8 ? "\xe2\x96\x88" : "#");
	}
	if (cells < BAR_CELLS) {
		strbuf_add_text(line, utf8 && eighths % 8 ? parts[eighths % 8] : " ");
		for (unsigned i = cells + 1; i < BAR_CELLS; i++) {
			strbuf_add_char(line, ' ');
		}
	}
}

static void
draw(struct progress *progress)
{
	struct strbuf line = {0};
	char number[FORMAT_BYTES];
	double seconds = progress_seconds(&progress->started);
	uint64_t bytes = atomic_load(&progress->counters->raw_bytes),
		 total = atomic_load(&progress->counters->raw_total);
	uint64_t records = atomic_load(&progress->counters->records);
	double share = total ? (double)bytes / (double)total : 0;
	bool reading = atomic_load(&progress->counters->phase) == INGEST_READING;
	share = LEAST(1, share);
	utf8_escape(&line, slice_of(progress->name));
	strbuf_add_text(&line, cancel_requested(progress->cancel) ? "  stopping   "
	                       : reading                          ? "  reading    "
	                                                          : "  finishing  ");
	if (total && reading) {
		add_bar(&line, share);
		strbuf_printf(&line, " %3.0f %%", share * 100);
	} else {
		strbuf_printf(&line, "%s records", format_count(number, (int64_t)records));
	}
	if (reading && seconds > 0.5) {
		strbuf_printf(&line, "   %s records/s",
		              format_count(number, (int64_t)((double)records / seconds)));
	}
	if (reading && share > 0.02 && seconds > 0.5) {
		strbuf_printf(
		    &line, "   %s left",
		    format_duration(number, (int64_t)(seconds / share * (1 - share)) * 1000000000));
	}
	size_t width = cli_width(stderr);
	struct slice text = utf8_clip(strbuf_slice(&line), width ? width - 1 : 79);
	fprintf(stderr, "\r%.*s\033[K", (int)text.len, text.ptr);
	(void)fflush(stderr);
	progress->drawn = true;
	strbuf_free(&line);
}

static void *
draw_often(void *user)
{
	struct progress *progress = user;
	pthread_mutex_lock(&progress->lock);
	while (!progress->done) {
		if (progress_pause(&progress->changed, &progress->lock, PROGRESS_PERIOD_NS) &&
		    !progress->done) {
			draw(progress);
		}
	}
	pthread_mutex_unlock(&progress->lock);
	return NULL;
}

int
progress_show(const char *name, const struct cancel *cancel, struct ingest_progress *counters,
              int (*work)(void *user, struct ingest_progress *counters, struct err *err),
              void *user, struct err *err)
{
	struct progress progress = {.name = name, .counters = counters, .cancel = cancel};
	clock_gettime(CLOCK_MONOTONIC, &progress.started);
	if (!isatty(STDERR_FILENO)) {
		return work(user, counters, err);
	}
	pthread_mutex_init(&progress.lock, NULL);
	pthread_cond_init(&progress.changed, NULL);
	bool shown = thread_start(&progress.thread, draw_often, &progress) ==
	             0; /* an import without a bar is one, too */
	int rc = work(user, counters, err);
	if (shown) {
		pthread_mutex_lock(&progress.lock);
		progress.done = true;
		pthread_cond_signal(&progress.changed);
		pthread_mutex_unlock(&progress.lock);
		pthread_join(progress.thread, NULL);
	}
	if (progress.drawn) {
		fputs("\r\033[K", stderr);
	}
	pthread_cond_destroy(&progress.changed);
	pthread_mutex_destroy(&progress.lock);
	return rc;
}

struct import_work {
	const struct ingest_plan *plan;
	const struct ingest_options *options;
	struct ingest_summary *summary;
};

static int
import(void *user, struct ingest_progress *counters, struct err *err)
{
	const struct import_work *work = user;
	return ingest_run(work->plan, work->options, counters, work->summary, err);
}

int
progress_import(const struct ingest_plan *plan, const struct ingest_options *options,
                struct ingest_summary *summary, struct err *err)
{
	struct import_work work = {plan, options, summary};
	struct ingest_progress counters = {0};
	return progress_show(plan->name, options->cancel, &counters, import, &work, err);
}
