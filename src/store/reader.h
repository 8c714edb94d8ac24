/* Inside of struct run_reader (internal.h), shared by reader.c and the files that load its parts.
 * Used by its room alone.
 */
#ifndef LANESCOPE_STORE_READER_H
#define LANESCOPE_STORE_READER_H

#include "store/internal.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/text_heap.h"

struct run_reader {
	sqlite3 *db;     /* NULL: not opened yet */
	sqlite3 *guest;  /* the connection of the program that loaded the extension, or NULL */
	bool is_checked; /* the schema is ours */
	const struct cancel *cancel;
	sqlite3_blob *blob;       /* of the column fetched last, while a scan runs */
	sqlite3_stmt *tile;       /* prepared at first use */
	struct strbuf tile_bytes; /* what it gave last */

	struct arena *info_arena; /* NULL: not loaded */
	struct run_info info;
	int64_t tile_base_ns;
	unsigned tile_levels;

	struct arena *dataset_arena; /* NULL: not loaded */
	struct text_heap *texts;     /* of that, and where they go beyond memory */
	struct spill *texts_spill;
	struct dataset dataset;
	struct path_classes *guessed;       /* owned; the dataset's where no others were given */
	const struct path_classes *classes; /* given, or NULL */
	bool *lanes_in_scope;               /* by lane */
	bool cuts_lanes;                    /* not all are */
	struct index code_of_text;          /* of the dataset's texts; made when first asked */
	struct store_census *censuses;
	size_t n_censuses, censuses_capacity;
	bool has_totals;
	struct dataset_total *totals;
	size_t n_totals;
};

/* What the loaders of the dataset's parts share. They allocate in the arena, which is thrown away
 * when one fails. */
struct loading {
	sqlite3 *db;
	struct arena *arena;
	struct text_heap *texts;
	struct dataset *dataset;
	int64_t file_bytes; /* nothing in the file can be longer */
};

/* A statement of constant SQL; NULL on error. */
sqlite3_stmt *reader_prepare(sqlite3 *db, const char *sql, struct err *err);
/* Next row: 1, 0 at the end, -1. */
int reader_step(sqlite3_stmt *statement, struct err *err);
/* Gives each row of a statement of constant SQL to `row`, until it fails. */
typedef int reader_row(void *user, sqlite3_stmt *row, struct err *err);
int reader_each(sqlite3 *db, const char *sql, reader_row *row, void *user, struct err *err);
/* ERR_FORMAT: "run file is damaged: ...". Always -1. */
int reader_damaged(struct err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

int load_texts(struct loading *loading,
               struct err *err); /* texts, keys, lanes: the others need them */
int load_sources(struct loading *loading, struct err *err);
int load_blocks(struct loading *loading, struct err *err);

/* Frees what it holds for the scope. */
void run_reader_forget_scope(struct run_reader *reader);

/* The dataset's `totals`; user: the run_reader. */
int reader_totals(void *user, bool if_few, const struct dataset_total **totals, size_t *n,
                  struct err *err);
int reader_each_total(void *user, dataset_visit_total *visit, void *visitor, struct err *err);

/* codes[i] gets the first code of wanted's text i in texts, TEXT_NONE if it isn't there. */
void text_codes(const struct intern *wanted, const struct slice *texts, uint32_t n_texts,
                text_code *codes);

#endif
