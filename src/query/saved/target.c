/*
 * Answers are written over older answers all day long, and nobody wants to be asked. But a run is
 * not made again in a moment, and a trace not at all. So what is to be replaced is looked at as a
 * file (device and inode, whatever it is called, through links), and compared with all that went
 * into the answer: the inputs, and behind a run file the traces that it was made of. A trace that
 * was moved since is known by its inode, as long as it is unchanged.
 */
#include "config.h"
#include "query/saved/target.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/runfile.h"
#include "store/store.h"
#include "util/file_facts.h"

bool
target_is_special(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

/* Of a file's name, without the dot; length 0: none. */
static struct slice
ending_of(struct slice path)
{
	size_t at = path.len;

	while (at > 0 && path.ptr[at - 1] != '/' && path.ptr[at - 1] != '.') {
		at--;
	}
	return at > 0 && path.ptr[at - 1] == '.' ? slice_from(path, at)
	                                         : (struct slice){path.ptr + path.len, 0};
}

static bool
is_among(struct slice ending, const char *const *names)
{
	for (size_t i = 0; ending.len > 0 && names[i]; i++) {
		if (slice_is_anycase(ending, names[i])) {
			return true;
		}
	}
	return false;
}

static bool
is_foreign(struct slice ending)
{
	static const char *const endings[] = {
	    "7z",    "accdb",   "arrow",   "arrows", "avro",  "bmp",     "bson",
	    "bz2",   "cbor",    "cdf",     "db",     "db3",   "dbf",     "doc",
	    "docx",  "dta",     "duckdb",  "eps",    "epub",  "feather", "gif",
	    "gz",    "h5",      "hdf",     "hdf5",   "htm",   "html",    "ipc",
	    "ipynb", "jpeg",    "jpg",     "lanes",  "lz4",   "lzma",    "mat",
	    "mdb",   "msgpack", "nc",      "ndjson", "npy",   "npz",     "ods",
	    "odt",   "orc",     "parquet", "pb",     "pbtxt", "pdf",     "perfetto-trace",
	    "pfw",   "pftrace", "pickle",  "pkl",    "png",   "pprof",   "ppt",
	    "pptx",  "ps",      "rda",     "rdata",  "rds",   "rtf",     "sas7bdat",
	    "sav",   "sqlite",  "sqlite3", "svg",    "tar",   "tex",     "tgz",
	    "toml",  "webp",    "xls",     "xlsb",   "xlsm",  "xlsx",    "xml",
	    "xz",    "yaml",    "yml",     "zarr",   "zip",   "zst",     NULL};

	return is_among(ending, endings);
}

bool
target_is_foreign(const char *path)
{
	return is_foreign(ending_of(slice_of(path)));
}

int
target_check_ending(const char *path, const char *const *written, const char *advice,
                    struct err *err)
{
	static const char *const texts[] = {"csv", "frame", "json", "jsonl",
	                                    "md",  "tsv",   "txt",  NULL};
	struct slice whole = slice_of(path), ending = ending_of(whole);
	struct stat status;

	if (is_among(ending, written) && slice_is_anycase(ending, "gz")) {
		whole.len -= ending.len + 1;
		ending = ending_of(whole);
	}
	if (is_among(ending, written) || (!is_foreign(ending) && !is_among(ending, texts)) ||
	    (stat(path, &status) == 0 && !S_ISREG(status.st_mode))) {
		return 0;
	}
	return err_set(err, ERR_USAGE, "%s: .%.*s names another format: %s", path, (int)ending.len,
	               ending.ptr, advice);
}

static int
refuse(struct err *err, const char *path, const char *what)
{
	return err_set(err, ERR_USAGE, "%s: is %s: nothing was written; give another name", path,
	               what);
}

/* 1 if the file is a source of the run, 0 if not or if nobody can tell. */
static int
is_source(struct store *store, const struct file_facts *target)
{
	struct err ignored = ERR_INIT; /* what can't be read here, the answer itself tells */
	struct stmt *stmt = store_prepare(
	    store,
	    "SELECT coalesce(place, path), device IS ?1 AND inode IS ?2 AND raw_bytes IS ?3 AND "
	    "modified_ns IS ?4 FROM source WHERE device IS NOT NULL",
	    &ignored);
	int found = 0;

	if (!stmt) {
		return 0;
	}
	stmt_bind_integer(stmt, 1, target->device);
	stmt_bind_integer(stmt, 2, target->inode);
	stmt_bind_integer(stmt, 3, target->size_bytes);
	stmt_bind_integer(stmt, 4, target->modified_ns);
	while (!found && stmt_step(stmt, &ignored) == 1) {
		struct slice text = stmt_text(stmt, 0);
		struct strbuf place = {0};
		struct file_facts facts;
		strbuf_add_slice(&place, text);
		found =
		    stmt_integer(stmt, 1) || (place.data && file_facts_read(place.data, &facts) &&
		                              file_facts_same_file(&facts, target));
		strbuf_free(&place);
	}
	stmt_free(stmt);
	return found;
}

static int
check_input(const char *path, const struct file_facts *target, const char *input, struct err *err)
{
	struct err ignored = ERR_INIT;
	struct file_facts facts;

	if (!file_facts_read(input, &facts)) {
		return 0;
	}
	if (file_facts_same_file(&facts, target)) {
		return refuse(err, path, "what is to be read");
	}
	struct store *store = runfile_is_run(input) ? store_open(input, &ignored) : NULL;
	int found = store ? is_source(store, target) : 0;
	store_close(store);
	return found ? refuse(err, path, "a trace that the run was made of") : 0;
}

int
target_check(const char *path, const char *const *inputs, size_t n_inputs, struct err *err)
{
	struct file_facts target, facts;
	struct stat status;

	if (!file_facts_read(path, &target)) {
		return 0;
	}
	if (runfile_is_run(path)) {
		return refuse(err, path, "a run file");
	}
	if (fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode)) {
		facts = file_facts_of(&status);
		if (file_facts_same_file(&facts, &target)) {
			return refuse(err, path, "what is to be read (standard input)");
		}
	}
	for (size_t i = 0; i < n_inputs; i++) {
		if (check_input(path, &target, inputs[i], err)) {
			return -1;
		}
	}
	return 0;
}
