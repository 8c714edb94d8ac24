/*
 * Replays files, and folders of files, through a fuzz target, with any compiler: the corpus then is
 * part of the ordinary tests. TAP, one line a file; a crash ends the program and so fails the test.
 */
#include "config.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"
#include "util/slice.h"

static unsigned n_done;

static int
replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct strbuf bytes = {NULL, 0, 0};
	char piece[4096];

	if (!file) {
		perror(path);
		return -1;
	}
	for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;) {
		strbuf_add(&bytes, piece, n);
	}
	fclose(file);
	/* An allocation of exactly this size, so that a sanitizer sees every byte too far. */
	uint8_t *exact = malloc(bytes.len ? bytes.len : 1);
	memcpy(exact, strbuf_slice(&bytes).ptr, bytes.len);
	size_t size = bytes.len;
	strbuf_free(&bytes);
	(void)LLVMFuzzerTestOneInput(exact, size);
	free(exact);
	printf("ok %u - %s\n", ++n_done, path);
	fflush(stdout);
	return 0;
}

static int
replay_folder(const char *path)
{
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, NULL, alphasort);
	int result = n < 0 ? -1 : 0;

	for (int i = 0; i < n; i++) {
		struct strbuf name = {NULL, 0, 0};
		if (entries[i]->d_name[0] != '.') {
			strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
			result |= replay(name.data);
		}
		strbuf_free(&name);
		free(entries[i]);
	}
	free(entries);
	return result;
}

int
main(int argc, char **argv)
{
	int result = 0;

	for (int i = 1; i < argc; i++) {
		struct stat status;
		bool is_folder = stat(argv[i], &status) == 0 && S_ISDIR(status.st_mode);
		result |= is_folder ? replay_folder(argv[i]) : replay(argv[i]);
	}
	printf("1..%u\n", n_done);
	return result ? EXIT_FAILURE : EXIT_SUCCESS;
}
