/* A folder that an answer of many files is written into.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_FOLDER_H
#define LANESCOPE_CLI_FOLDER_H

#include <stdbool.h>
#include "util/err.h"
#include "util/mem.h"

/* Stands in the folder while its files are not all of one answer, however the command ends. */
#define FOLDER_MARK "INCOMPLETE"

struct answer_folder {
	const char *path; /* the caller's */
	struct strbuf marked;
	bool is_marked;
};

/* Makes the folder where there is none, and marks it. writer: "lanescope export". Call folder_close
 * whatever this returns. */
int folder_open(struct answer_folder *folder, const char *path, const char *writer,
                struct err *err);
/* Takes the mark away, or, where the answer is not whole, says that it is there. */
int folder_close(struct answer_folder *folder, bool is_whole, struct err *err);

#endif
