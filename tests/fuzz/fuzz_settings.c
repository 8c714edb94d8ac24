/* Files of settings and of sessions, any bytes: the rest holds where a line is wrong, and what is
 * written of them is read back as the same. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "fuzz/commands.h"
#include "fuzz/fuzz.h"
#include "ui/base/memory.h"
#include "ui/base/settings.h"

static void
write_bytes(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");

	FUZZ_CHECK(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static char *
settings_text(const char *path, bool is_ours)
{
	struct settings settings;
	struct strbuf text = {0};

	settings_init(&settings);
	settings.leaves_keys = true; /* those are the whole program's */
	settings_read(&settings, path);
	FUZZ_CHECK(!is_ours || settings.problems.len == 0);
	settings_write(&settings, &text);
	settings_fini(&settings);
	return strbuf_take(&text);
}

static void
check_settings(const char *path)
{
	char *text = settings_text(path, false);

	write_bytes(path, text, strlen(text));
	char *again = settings_text(path, true);
	FUZZ_CHECK(strcmp(text, again) == 0);
	free(again);
	free(text);
}

static void
check_session(const char *path)
{
	struct memory *memory = memory_new(), *again = memory_new();
	struct err err = ERR_INIT;

	if (memory_load(memory, path, &err) == 0) {
		FUZZ_CHECK(memory_save(memory, path, &err) == 0);
		FUZZ_CHECK(memory_load(again, path, &err) == 0);
		const char *sort = memory_get(memory, "sort"), *same = memory_get(again, "sort");
		FUZZ_CHECK(sort ? same && strcmp(sort, same) == 0 : !same);
	} else {
		FUZZ_CHECK(err.message[0] != '\0');
	}
	memory_free(memory);
	memory_free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char path[80];

	snprintf(path, sizeof path, "%s/file", fuzz_folder());
	if (size > 0) {
		write_bytes(path, data + 1, size - 1);
		if (data[0] % 2) {
			check_settings(path);
		} else {
			check_session(path);
		}
	}
	return 0;
}
