/*
 * Parts of runs as files: what an import made of some of a run's sources, to be put together
 * later. Like a run file in all that keeps it whole (a temporary file until it is, a checksum on
 * each page), but with one table of bytes by their ids, and one row that says what it is of;
 * ingest knows what the bytes mean. A run file holds the same, as the only part of itself. Used by
 * ingest.
 * Used by ingest.
 */
#ifndef LANESCOPE_STORE_PART_H
#define LANESCOPE_STORE_PART_H

#include "store/writer.h"
#include "util/tag_list.h"

#define PART_APPLICATION_ID 0x4c504152 /* "LPAR" */
/* To be raised whenever what a part holds changes, run files' version among it: parts are read by
 * the version that made them. */
#define PART_VERSION 3

/* As writer_new, for a part: only writer_blob may follow, then writer_finish_part. A part or an
 * empty file that is there is replaced. */
struct writer *part_writer_new(const char *path, struct err *err);
/* about: what it is of. As writer_finish. */
int writer_finish_part(struct writer *writer, struct slice about, const struct cancel *cancel,
                       struct err *err);

/* A part that is open; of one thread at a time. */
struct part_reader;
/* Of a part or a run file. NULL: it is not there, neither of them, of another version or damaged,
 * or a run that nothing is kept of; each says what to do. */
struct part_reader *part_open(const char *path, struct err *err);
bool part_is_run(const struct part_reader *part);
/* What it is of, as given when it was made. Lent. */
struct slice part_about(const struct part_reader *part);
/* Appends the bytes of that id to *out. ERR_FORMAT if there are none, or if they are damaged. */
int part_blob(struct part_reader *part, int64_t blob_id, struct strbuf *out, struct err *err);
/* Of a run: the values of a sample, by its id; tags that people gave it, to be freed in any case;
 * and full paths of its sources, where they are known. */
int part_sample(struct part_reader *part, int64_t id, struct strbuf *out, struct err *err);
int part_tags(struct part_reader *part, struct tag_list *tags, struct err *err);
int part_places(struct part_reader *part, void *user,
                void (*take)(void *user, int64_t source, struct slice place), struct err *err);
/* Gives back the memory that reading took, what it is of among it; the part stays open. */
void part_forget(struct part_reader *part);
void part_close(struct part_reader *part); /* takes NULL */

#endif
