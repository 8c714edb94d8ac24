/*
 * Every command, where one call fails that it makes of the system (shim.c): it gives the answer and
 * the files that it gives without, or ends with status 2 and a message; never by a signal, never
 * late. What lies in its folder then is whole, and nothing is there that is not there without the
 * fault. Where much is read, a part of it may be left out instead, where that is told.
 *
 *     faults PROGRAM SHIM INPUTS MOST SEED    (from the command line alone)
 *
 * INPUTS is a folder of runs and traces (faults.sh makes it). Of each command and kind of call MOST
 * calls are tried, drawn by the seed where there are more.
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "tests/files.h"
#include "util/digest.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"
#include "util/slice.h"

#define SECONDS_MOST 60
#define SAID_BYTES 700
#define CACHED "./lanescope/runs/"
#define NO_DIGEST "00000000" /* the end of it */
#define SESSION "./session"  /* remembers what was seen, so where something failed another thing */

static const char *const kinds[] = {"malloc", "open", "read", "write", "sync", "rename", "thread"};

/* Run in an empty folder; the inputs lie in ../in. TAGGED is there where it is named: a run whose
 * file of tags lies beside it. */
#define TAGGED "./tagged.lanes"
static const char *const calls[][12] = {
    {"import", "--strict", "--quiet", "-o", "x.lanes", "../in/four.jsonl", NULL},
    {"import", "--strict", "--quiet", "-o", "x.lanes", "../in/new.pfw", NULL},
    {"import", "--strict", "--quiet", "-o", "x.lanes", "../in/gpu.json", NULL},
    {"import", "--strict", "--quiet", "-o", "x.lanes", "../in/trace.msgpack", NULL},
    {"import", "--strict", "--quiet", "-o", "x.lanes", "../in/events.csv", NULL},
    {"import", "--strict", "--quiet", "-o", "x.lanes", "../in/exp1", NULL},
    {"import", "--strict", "--quiet", "--tag", "a=b", "--tags-from", "{who}", "-o", "x.lanes",
     "../in/tagged/one.jsonl", NULL},
    {"import", "--strict", "--quiet", "--part", "1/2", "-o", "./", "../in/exp1", NULL},
    {"merge", "--quiet", "-o", "x.lanes", "../in/parts", NULL},
    {"merge", "--quiet", "-o", "x.lanes", "../in/one.lanes", "../in/four.jsonl", NULL},
    {"merge", "--quiet", "--part", "-o", "x.part", "../in/parts/exp1.2-of-2.part", NULL},
    {"runs", "../in", NULL},
    {"runs", "../in", "--where", "mode = 'scr'", "--sort", "-duration", NULL},
    {"info", "../in/four.lanes", NULL},
    {"queries", "../in/four.lanes", NULL},
    {"query", "task-times", "../in/four.lanes", "-o", "x.csv", NULL},
    {"query", "task-summary", "../in/one.lanes", "../in/four.lanes", NULL},
    {"query", "task-summary", "../in/one.jsonl", NULL},
    {"query", "task-summary", "../in/one.lanes", "../in/four.lanes", "--by", "workers", NULL},
    {"query", "task-times", "../in/four.lanes", "--plot", "bars", "-o", "x.svg", NULL},
    {"query", "--all", "../in/four.lanes", "-o", "x", NULL},
    {"diff", "task-by-kind", "../in/one.lanes", "../in/four.lanes", NULL},
    {"sql", "../in/four.lanes", "SELECT name, count(*) FROM span GROUP BY name", NULL},
    {"spans", "../in/new.lanes", "--by", "name", "-o", "x.json", NULL},
    {"explain", "../in/one.lanes", "../in/four.lanes", NULL},
    {"explain", "../in/one.lanes", "../in/four.lanes", "--part", "all", NULL},
    {"timeline", "../in/four.lanes", "--counters", NULL},
    {"timeline", "../in/one.lanes", "../in/four.lanes", "-o", "x.svg", NULL},
    {"export", "../in/gpu.lanes", "--to", "chrome", "-o", "x.json.gz", NULL},
    {"export", "../in/four.lanes", "--to", "csv", "-o", "x", NULL},
    {"verify", "../in/four.lanes", NULL},
    {"report", "../in/one.lanes", "-o", "x.html", NULL},
    {"report", "../in/one.lanes", "../in/four.lanes", "-o", "x.md", NULL},
    {"tag", TAGGED, "nodes=4", "note-", NULL},
    {"tag", "--into", "x.lanes", TAGGED, "nodes=4", NULL},
    {"python", NULL},
    {"help", "tag", NULL},
    {"simulate", "preemption", "--seed", "1-3", "--p-preempt", "0.1", "-o", "x.csv", NULL},
    {"simulate", "preemption", "--seed", "1-3", "--p-preempt", "0.1..0.3:3", "-o", "x.lanes", NULL},
    {"upgrade", "../in/old.lanes", "-o", "x.lanes", NULL},
    {"demo", "demo", NULL},
    {"--keys", "../in/keys", "--session", SESSION, "../in/one.lanes", "../in/four.lanes", NULL},
    {"--keys", "../in/keys", "../in/one.jsonl", NULL},
};

struct outcome {
	int status; /* of the process; -1: ended by a signal, -2: it had to be */
	struct digest_value out;
	bool is_told;          /* something that failed, on standard output or error */
	bool is_blamed;        /* the file is, which is whole */
	bool is_vague;         /* says that memory was short for ..., and not for what */
	struct strbuf before;  /* what its folder held, a line of list_file each, sorted */
	struct strbuf files;   /* and holds now */
	char said[SAID_BYTES]; /* the end of its errors */
};

static char folder[] = "/tmp/lanescope-faults-XXXXXX";
static const char *program, *shim;

static struct digest_value
digest_of(const struct strbuf *bytes)
{
	struct digest digest;

	digest_init(&digest);
	digest_add(&digest, bytes->data, bytes->len);
	return digest_end(&digest);
}

static int
remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	return walk->level > 0 ? remove(path) : 0;
}

static bool
has_one(const struct strbuf *text, const char *const *words, size_t n)
{
	bool found = false;

	for (size_t i = 0; text->data && i < n; i++) {
		found = found || strstr(text->data, words[i]);
	}
	return found;
}

/* "PATH DIGEST\n"; a report that says itself what it lacks has no digest, but zeros. */
static void
list_file(const char *path, struct strbuf *files)
{
	struct strbuf bytes = read_file(path);
	bool is_whole = !has_one(&bytes, (const char *const[]){": not here, as it failed: "}, 1);
	struct digest_value digest = {0};

	if (is_whole) {
		digest = digest_of(&bytes);
	}
	strbuf_printf(files, "%s ", path);
	for (size_t k = 0; k < sizeof digest; k++) {
		strbuf_printf(files, "%02x", ((unsigned char *)&digest)[k]);
	}
	strbuf_add_char(files, '\n');
	strbuf_free(&bytes);
}

/* Adds what lies in the folder at path, sorted. Empty folders are as good as none. */
static void
list_files(const char *path, struct strbuf *files)
{
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		struct strbuf name = {0};
		struct stat status;
		strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
		bool is_dot =
		    strcmp(entries[i]->d_name, ".") == 0 || strcmp(entries[i]->d_name, "..") == 0;
		if (!is_dot && lstat(name.data, &status) == 0 && S_ISDIR(status.st_mode)) {
			list_files(name.data, files);
		} else if (!is_dot) {
			list_file(name.data, files);
		}
		strbuf_free(&name);
		free(entries[i]);
	}
	free(entries);
}

static void
become(const char *const *words, const char *fault)
{
	const char *argv[12] = {program};
	int in = open("/dev/null", O_RDONLY), out = creat("../out", 0600),
	    err = creat("../err", 0600);

	for (size_t i = 0; words[i]; i++) {
		argv[i + 1] = words[i];
	}
	if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 ||
	    dup2(err, 2) < 0) {
		_exit(127);
	}
	close(in);
	close(out);
	close(err);
	setenv("LANESCOPE_FAULT", fault, 1);
	setenv("LANESCOPE_CALLS", "../calls", 1);
	setenv("LD_PRELOAD", shim, 1);
	alarm(SECONDS_MOST);
	execv(program, (char *const *)argv);
	_exit(127);
}

/* Screens and lists say what failed in a row of theirs; a run that lacks something has problems. */
static const char *const telling[] = {
    "lanescope: ",        "problem",  "out of memory", "Too many open",
    "Input/output error", "No space", "can't ",        "unable to"};
/* Whoever reads that throws the file away. */
static const char *const blaming[] = {"damage", "malformed", "corrupt", "ends early", "not a run"};

/* Puts there what a call needs beside the inputs. */
static void
prepare(const char *const *words)
{
	bool is_needed = false;

	for (size_t i = 0; words[i]; i++) {
		is_needed = is_needed || strcmp(words[i], TAGGED) == 0;
	}
	if (is_needed) {
		struct strbuf tags = read_file("../in/tags");
		FILE *file = fopen(TAGGED ".tags", "w");
		if (symlink("../in/one.lanes", TAGGED) != 0 || !file ||
		    fwrite(tags.data, 1, tags.len, file) != tags.len || fclose(file) != 0) {
			fail(TAGGED);
		}
		strbuf_free(&tags);
	}
}

/* In the folder `work`, which is the current one and empty. */
static struct outcome
ask(const char *const *words, const char *fault)
{
	struct outcome outcome = {0};
	int status = 0;

	(void)unlink("../calls");
	prepare(words);
	list_files(".", &outcome.before);
	pid_t child = fork();
	if (child == 0) {
		become(words, fault);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		fail(program);
	}
	outcome.status = WIFEXITED(status)             ? WEXITSTATUS(status)
	                 : WTERMSIG(status) == SIGALRM ? -2
	                                               : -1;
	struct strbuf errors = read_file("../err"), out = read_file("../out");
	outcome.out = digest_of(&out);
	outcome.is_told = has_one(&errors, telling, COUNT_OF(telling)) ||
	                  has_one(&out, telling, COUNT_OF(telling));
	outcome.is_blamed = has_one(&errors, blaming, COUNT_OF(blaming));
	outcome.is_vague = has_one(&errors, (const char *const[]){" with ("}, 1);
	strbuf_free(&out);
	size_t from = errors.len < SAID_BYTES ? 0 : errors.len - SAID_BYTES + 1;
	snprintf(outcome.said, SAID_BYTES, "%s", errors.len ? errors.data + from : "");
	strbuf_free(&errors);
	list_files(".", &outcome.files);
	(void)nftw(".", remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	return outcome;
}

static void
outcome_free(struct outcome *outcome)
{
	strbuf_free(&outcome->before);
	strbuf_free(&outcome->files);
}

/* How a path's line goes on in a list, up to the line's end; the empty slice: it has none. */
static struct slice
line_of(const struct strbuf *files, struct slice path)
{
	for (const char *at = files->data; at && *at; at = strchr(at, '\n') + 1) {
		struct slice line = {at, strcspn(at, "\n")};
		if (line.len > path.len && memcmp(line.ptr, path.ptr, path.len) == 0 &&
		    line.ptr[path.len] == ' ') {
			return slice_from(line, path.len);
		}
	}
	return (struct slice){"", 0};
}

/* May a file, as it is listed after its name, be another where something failed? It is as it was
 * before, says itself that it is not whole, lists what is there in a folder that does, or is a run
 * of the cache, in which one that lacks something is kept as another. */
static bool
is_excused(const struct outcome *outcome, struct slice name, struct slice digest)
{
	bool is_cached =
	    name.len > sizeof CACHED && memcmp(name.ptr, CACHED, sizeof CACHED - 1) == 0;
	bool is_excused = slice_has_ending(name, "/INCOMPLETE") ||
	                  slice_has_ending(name, "/made-by") ||
	                  slice_has_ending(digest, NO_DIGEST) ||
	                  slice_equal(line_of(&outcome->before, name), digest);

	if (outcome->status != CLI_FAILED) {
		return is_cached && outcome->is_told;
	}
	if (!is_excused && slice_has_ending(name, "/index.csv")) {
		struct strbuf mark = {0};
		strbuf_add(&mark, name.ptr, name.len - (sizeof "index.csv" - 1));
		strbuf_printf(&mark, "INCOMPLETE");
		is_excused = line_of(&outcome->files, strbuf_slice(&mark)).len > 0;
		strbuf_free(&mark);
	}
	return is_excused;
}

/* What the files are like beside those of another outcome; *path: of the first that makes it so. */
enum likeness { SAME, FEWER, OTHERS, LITTER };
static enum likeness
compare_files(const struct outcome *expected, const struct outcome *outcome, struct slice *path)
{
	enum likeness likeness = outcome->files.len < expected->files.len ? FEWER : SAME;

	for (const char *at = outcome->files.data; at && *at; at = strchr(at, '\n') + 1) {
		struct slice line = {at, strcspn(at, "\n")}, name = line;
		name.len = line.len - 2 * sizeof(struct digest_value) - 1;
		struct slice there = line_of(&expected->files, name);
		bool may_differ = there.len && (there.ptr[1] == '*' || slice_is(name, SESSION));
		if (is_excused(outcome, name, slice_from(line, name.len))) {
			continue;
		}
		enum likeness this = there.len == 0 ? LITTER
		                     : may_differ || slice_equal(there, slice_from(line, name.len))
		                         ? SAME
		                         : OTHERS;
		if (this > likeness) {
			likeness = this;
			*path = name;
		}
	}
	return likeness;
}

enum verdict { VERDICT_SAME, VERDICT_ERROR, VERDICT_TOLD, VERDICT_WRONG, VERDICTS };

static enum verdict
judge(const struct outcome *expected, const struct outcome *outcome, const char **why,
      struct slice *path)
{
	/* With --strict status 3 tells that records are missing from a run, which is whole. */
	bool is_told = outcome->is_told || outcome->status == CLI_SKIPPED;
	bool is_error = outcome->status != expected->status && outcome->status != CLI_SKIPPED;
	enum likeness files = compare_files(expected, outcome, path);
	bool is_same =
	    files == SAME && memcmp(&outcome->out, &expected->out, sizeof outcome->out) == 0;

	*why = outcome->status == -1                       ? "ended by a signal"
	       : outcome->status == -2                     ? "not ended in time"
	       : files == LITTER                           ? "left litter"
	       : is_error && files == OTHERS               ? "left a file that is not whole"
	       : is_error && outcome->status != CLI_FAILED ? "another status"
	       : is_error && !is_told                      ? "no message"
	       : !is_same && !is_told                      ? "another answer, without a word"
	       : outcome->is_blamed                        ? "the file is blamed"
	       : outcome->is_vague                         ? "a message that is not whole"
	                                                   : NULL;
	return *why       ? VERDICT_WRONG
	       : is_error ? VERDICT_ERROR
	       : is_same  ? VERDICT_SAME
	                  : VERDICT_TOLD;
}

/* How many calls of each kind the last command made. */
static void
read_calls(unsigned long calls_made[COUNT_OF(kinds)])
{
	FILE *file = fopen("../calls", "r");

	for (size_t kind = 0; kind < COUNT_OF(kinds); kind++) {
		if (!file || fscanf(file, "%lu", &calls_made[kind]) != 1) {
			calls_made[kind] = 0;
		}
	}
	if (file) {
		fclose(file);
	}
}

static size_t tally[COUNT_OF(kinds)][VERDICTS];

static void
try_call(const char *const *words, size_t kind, unsigned long nth, const struct outcome *expected)
{
	struct strbuf fault = {0};
	struct slice path = {"", 0};
	const char *why;

	strbuf_printf(&fault, "%s:%lu", kinds[kind], nth);
	struct outcome outcome = ask(words, fault.data);
	tally[kind][judge(expected, &outcome, &why, &path)]++;
	if (why) {
		printf("# %s:", fault.data);
		for (size_t i = 0; words[i]; i++) {
			printf(" %s", words[i]);
		}
		printf(": %s (status %d) %.*s\n# said: %s\n", why, outcome.status, (int)path.len,
		       path.ptr, outcome.said);
	}
	outcome_free(&outcome);
	strbuf_free(&fault);
}

/* Files that are another each time (a run remembers when its trace was written) may be another in
 * any way: their digests are blotted out. */
static void
blot_changing(struct outcome *expected, const struct outcome *again)
{
	for (char *at = expected->files.data; at && *at; at = strchr(at, '\n') + 1) {
		struct slice line = {at, strcspn(at, "\n")}, name = line;
		name.len = line.len - 2 * sizeof(struct digest_value) - 1;
		if (!slice_equal(line_of(&again->files, name), slice_from(line, name.len))) {
			memset(at + name.len + 1, '*', line.len - name.len - 1);
		}
	}
}

static void
try_command(const char *const *words, unsigned long most, struct prng *prng)
{
	unsigned long calls_made[COUNT_OF(kinds)];
	struct outcome expected = ask(words, "none:0"), again = ask(words, "none:0");

	read_calls(calls_made);
	blot_changing(&expected, &again);
	if (expected.status != CLI_DONE && expected.status != CLI_SKIPPED) {
		printf("# %s: status %d without a fault: %s\n", words[0], expected.status,
		       expected.said);
		tally[0][VERDICT_WRONG]++;
	}
	for (size_t kind = 0; kind < COUNT_OF(kinds); kind++) {
		unsigned long n = calls_made[kind];
		for (unsigned long i = 1; i <= LEAST(n, most); i++) {
			bool is_drawn = n > most;
			try_call(words, kind, is_drawn ? 1 + (unsigned long)prng_below(prng, n) : i,
			         &expected);
		}
	}
	outcome_free(&again);
	outcome_free(&expected);
}

static void
set_folders(const char *inputs)
{
	static const char *const homes[] = {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
	                                    "XDG_DATA_HOME", "XDG_STATE_HOME"};

	if (!mkdtemp(folder) || chdir(folder) || symlink(inputs, "in") || mkdir("work", 0700) ||
	    chdir("work")) {
		fail(folder);
	}
	char *work = realpath(".", NULL);
	for (size_t i = 0; work && i < COUNT_OF(homes); i++) {
		setenv(homes[i], work, 1);
	}
	setenv("TMPDIR", work ? work : ".", 1);
	free(work);
}

int
main(int argc, char **argv)
{
	size_t wrong = 0;

	if (argc != 6) {
		fputs("usage: faults PROGRAM SHIM INPUTS MOST SEED\n", stderr);
		return 2;
	}
	program = argv[1];
	shim = argv[2];
	struct prng prng = {strtoull(argv[5], NULL, 10)};
	set_folders(argv[3]);
	for (size_t i = 0; i < COUNT_OF(calls); i++) {
		try_command(calls[i], strtoul(argv[4], NULL, 10), &prng);
	}
	for (size_t kind = 0; kind < COUNT_OF(kinds); kind++) {
		const size_t *n = tally[kind];
		printf("# %s: %zu faults; the same answer %zu, an error %zu, something left out "
		       "and told "
		       "%zu, wrong %zu\n",
		       kinds[kind],
		       n[VERDICT_SAME] + n[VERDICT_ERROR] + n[VERDICT_TOLD] + n[VERDICT_WRONG],
		       n[VERDICT_SAME], n[VERDICT_ERROR], n[VERDICT_TOLD], n[VERDICT_WRONG]);
		wrong += n[VERDICT_WRONG];
	}
	if (chdir("/") == 0) {
		(void)nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
		(void)rmdir(folder);
	}
	return wrong ? 1 : 0;
}
