/*
 * How the I/O parts divide: the list that the user gives, the labels that groups get by it, the
 * files of two runs taken for the same, and the rows that both runs' groups make under their
 * labels.
 */
#include "config.h"
#include "explain/parts/division.h"
#include "explain/parts/io.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "util/order.h"

static const struct {
	const char *name;
	unsigned bit;
} dimensions[IO_LABELS_MAX] = {
    {"class", IO_CLASS},   {"operation", IO_OPERATION}, {"size", IO_SIZE}, {"rank", IO_PROCESS},
    {"thread", IO_THREAD}, {"lane", IO_LANE},           {"host", IO_HOST}, {"time", IO_TIME},
    {"pattern", IO_FILE},  {"file", IO_FILE},
};

int
io_by_parse(struct io_by *by, const char *part, const char *text, struct err *err)
{
	*by = (struct io_by){.n = 0};
	for (struct slice rest = slice_of(text), item; list_next(&rest, &item);) {
		size_t i = NAME_FIND(item, dimensions);
		if (i == IO_LABELS_MAX || by->mask & dimensions[i].bit) {
			by->n = 0;
			break;
		}
		by->names[by->n++] = dimensions[i].name;
		by->mask |= dimensions[i].bit;
	}
	return by->n ? 0
	             : err_set(err, ERR_USAGE, "part %s: by=%s: not a list of " IO_BY_LIST, part,
	                       text);
}

/* Of b's files that are matched, a's path. */
static struct slice
path_of(const struct io_pair *pair, unsigned run, uint32_t path)
{
	if (run && pair->a_of_b && path != TEXT_NONE && pair->a_of_b[path] != TEXT_NONE) {
		return dataset_text(pair->runs[0].dataset, pair->a_of_b[path]);
	}
	return dataset_text(pair->runs[run].dataset, path);
}

static void
add_label(struct strbuf *out, const char *name, int64_t window_ns, const struct io_pair *pair,
          unsigned run, const struct io_group *group)
{
	const struct io_run *of = &pair->runs[run];
	struct slice path = path_of(pair, run, group->path);
	struct slice operation = dataset_text(of->dataset, group->operation);
	if (strcmp(name, "class") == 0) {
		strbuf_add_text(out, io_class_name(pair->classes, group->class));
	} else if (strcmp(name, "operation") == 0) {
		strbuf_add_slice(out, operation);
	} else if (strcmp(name, "size") == 0) {
		strbuf_add_text(out, io_size_name(group->size_class));
	} else if (strcmp(name, "rank") == 0) {
		bool known = group->process < of->n_processes;
		strbuf_add_text(out, known ? of->processes[group->process] : "");
	} else if (strcmp(name, "thread") == 0) {
		strbuf_printf(out, "thread %u", (unsigned)group->thread);
	} else if (strcmp(name, "lane") == 0) {
		bool known = group->lane < of->dataset->n_lanes;
		strbuf_add_slice(
		    out, known ? dataset_text(of->dataset, of->dataset->lanes[group->lane].name)
			       : slice_of(""));
	} else if (strcmp(name, "host") == 0) {
		strbuf_add_slice(out, dataset_text(of->dataset, group->host));
	} else if (strcmp(name, "time") == 0) {
		division_window_label(group->window, window_ns, out);
	} else if (strcmp(name, "file") == 0) {
		strbuf_add_slice(out, path);
	} else {
		matching_pattern(out, matching_basename(path));
	}
}

/* Paths of a run's groups, each once, in the order of their codes. */
struct io_paths {
	uint32_t *codes;
	struct slice *texts;
	size_t n;
};

static struct io_paths
list_paths(const struct io_run *run, const struct io_groups *groups)
{
	size_t n_texts = run->dataset->n_texts;
	bool *seen = xcalloc(n_texts, sizeof *seen);
	struct io_paths paths = {.n = 0};
	for (size_t i = 0; i < groups->n; i++) {
		uint32_t path = groups->groups[i].path;
		if (path < n_texts && !seen[path]) {
			seen[path] = true;
			paths.n++;
		}
	}
	MEM_NEW(paths.codes, paths.n);
	MEM_NEW(paths.texts, paths.n);
	paths.n = 0;
	for (uint32_t code = 0; code < n_texts; code++) {
		if (seen[code]) {
			paths.codes[paths.n] = code;
			paths.texts[paths.n++] = run->dataset->texts[code];
		}
	}
	free(seen);
	return paths;
}

static void
match_files(struct io_pair *pair, const struct io_groups groups[2])
{
	struct io_paths a = list_paths(&pair->runs[0], &groups[0]);
	struct io_paths b = list_paths(&pair->runs[1], &groups[1]);
	size_t n = pair->runs[1].dataset->n_texts;
	pair->files = matching_new_files(a.texts, a.n, b.texts, b.n);
	MEM_NEW(pair->a_of_b, n);
	for (size_t i = 0; i < n; i++) {
		pair->a_of_b[i] = TEXT_NONE;
	}
	for (size_t i = 0; i < b.n; i++) {
		uint32_t of_a = pair->files->a_of_b[i];
		pair->a_of_b[b.codes[i]] = of_a == MATCHING_NONE ? TEXT_NONE : a.codes[of_a];
	}
	free(a.codes);
	free(a.texts);
	free(b.codes);
	free(b.texts);
}

static struct io_row *
find_row(struct io_pair *pair, const struct io_by *by, struct slice labels)
{
	uint32_t id = intern_id(pair->labels, labels);
	if (id == pair->n_rows) {
		static const struct io_group nothing = {
		    .start_ns = INT64_MAX, .end_ns = INT64_MIN, .first_id = INT64_MAX};
		const char *label = intern_text(pair->labels, id).ptr;
		MEM_GROW(pair->rows, pair->capacity, pair->n_rows + 1);
		struct io_row *row = &pair->rows[pair->n_rows++];
		*row = (struct io_row){.of = {nothing, nothing}};
		for (size_t i = 0; i < by->n; i++, label += strlen(label) + 1) {
			row->labels[i] = label;
		}
	}
	return &pair->rows[id];
}

static void
add_groups(struct io_pair *pair, const struct io_by *by, bool are_files, unsigned run,
           struct io_groups *groups)
{
	struct strbuf key = {0}, label = {0};
	for (size_t g = 0; g < groups->n; g++) {
		if (are_files && groups->groups[g].path == TEXT_NONE) {
			continue;
		}
		strbuf_clear(&key);
		for (size_t i = 0; i < by->n; i++) {
			strbuf_clear(&label);
			add_label(&label, by->names[i], by->window_ns, pair, run,
			          &groups->groups[g]);
			strbuf_add(&key, label.len ? label.data : "",
			           label.len ? strlen(label.data) + 1 : 1);
		}
		struct io_row *row = find_row(pair, by, strbuf_slice(&key));
		io_group_join(&row->of[run], &groups->groups[g]);
	}
	strbuf_free(&key);
	strbuf_free(&label);
}

int
io_pair_read(struct io_pair *pair, const struct io_by *by, bool are_files, struct err *err)
{
	struct io_request request = {pair->filter, by->mask, by->window_ns, pair->classes,
	                             are_files};
	struct io_groups groups[2] = {{NULL, 0}, {NULL, 0}};
	int rc = 0;
	for (unsigned run = 0; rc == 0 && run < 2; run++) {
		rc = io_groups_read(&pair->runs[run], &request, &groups[run], err);
	}
	for (size_t i = 0; rc == 0 && i < by->n; i++) {
		if (strcmp(by->names[i], "file") == 0) {
			match_files(pair, groups);
		}
	}
	pair->labels = intern_new();
	for (unsigned run = 0; run < 2; run++) {
		if (rc == 0) {
			add_groups(pair, by, are_files, run, &groups[run]);
		}
		io_groups_fini(&groups[run]);
	}
	for (size_t i = 0; i < 2 * pair->n_rows; i++) {
		struct io_group *group = &pair->rows[i / 2].of[i % 2];
		group->n_busy = intervals_union(group->busy, group->n_busy);
		pair->rows[i / 2].busy_ns[i % 2] = intervals_length(group->busy, group->n_busy);
	}
	return rc;
}

int
io_pair_open(struct io_pair *pair, struct io_by *by, struct explain *explain, const char *part,
             const char *const *arguments, struct err *err)
{
	if (io_by_parse(by, part, arguments[1], err) ||
	    io_pair_init(pair, explain, arguments[0], arguments[2], err)) {
		return -1;
	}
	by->window_ns = explain_integer(KIND_DURATION, arguments[3]);
	if (by->window_ns <= 0) {
		by->window_ns = division_window_length(explain->longest_ns);
	}
	if (io_pair_read(pair, by, false, err)) {
		io_pair_fini(pair);
		return -1;
	}
	return 0;
}

void
io_pair_note(const struct io_pair *pair, struct result *result)
{
	result_add_note(result, "%s", pair->note);
	if (pair->files) {
		matching_note(pair->files, "files", "a", "b", result);
	}
}
