/*
 * Scripts of keys, any bytes, on two runs in the explorer without a terminal: the words of the
 * script, what the keys mean, what is typed at prompts, what is drawn. Dots are left out, so that
 * what is written (a prompt may have a name by itself) stays in the folder.
 */
#include "config.h"

#include <stdio.h>

#include "cli/cli.h"
#include "fuzz/commands.h"
#include "fuzz/fuzz.h"

#define BYTES_MOST 400

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *one, *two;
	static char path[80];

	if (!one) {
		one = fuzz_run("golden/one.jsonl", "one");
		two = fuzz_run("golden/four.jsonl", "four");
		snprintf(path, sizeof path, "%s/keys", fuzz_folder());
	}
	FILE *file = fopen(path, "w");
	FUZZ_CHECK(file != NULL);
	for (size_t i = 0; i < size && i < BYTES_MOST; i++) {
		fputc(data[i] == '.' ? ',' : data[i], file);
	}
	FUZZ_CHECK(fclose(file) == 0);
	int status = FUZZ_COMMAND("--keys", path, "--size", "70x18", one, two);
	FUZZ_CHECK(status == CLI_DONE || status == CLI_FAILED);
	return 0;
}
