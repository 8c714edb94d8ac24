/* A folder can't be put in its place at once as a file can, so it says itself that it is not
 * whole: a stopped or killed command leaves the mark behind. */
#include "config.h"
#include "cli/folder.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static int
mark(const char *path, const char *writer, struct err *err)
{
	bool was_there = access(path, F_OK) == 0; /* of a command that ended early */
	FILE *file = fopen(path, "we");
	bool is_written = file && fprintf(file,
	                                  "The files in this folder are not whole: %s writes "
	                                  "them, or was stopped before it was done.\n",
	                                  writer) >= 0;
	if (file && fclose(file) != 0) {
		is_written = false;
	}
	if (is_written) {
		return 0;
	}
	err_set_errno(err, errno, "%s", path);
	if (file && !was_there) { /* nothing has been changed yet */
		(void)unlink(path);
	}
	return -1;
}

int
folder_open(struct answer_folder *folder, const char *path, const char *writer, struct err *err)
{
	*folder = (struct answer_folder){.path = path};
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		return err_set_errno(err, errno, "%s", path);
	}
	strbuf_printf(&folder->marked, "%s/" FOLDER_MARK, path);
	folder->is_marked = mark(folder->marked.data, writer, err) == 0;
	return folder->is_marked ? 0 : -1;
}

int
folder_close(struct answer_folder *folder, bool is_whole, struct err *err)
{
	int rc = 0;
	if (is_whole && unlink(folder->marked.data) != 0) {
		rc = err_set_errno(err, errno, "%s", folder->marked.data);
	}
	if (folder->is_marked && (!is_whole || rc)) {
		cli_say("%s: not whole, as " FOLDER_MARK " in it says", folder->path);
	}
	strbuf_free(&folder->marked);
	return rc;
}
