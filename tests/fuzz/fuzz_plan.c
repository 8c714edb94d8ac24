/*
 * Plans that an attacker has made: what follows a plan's head is changed, and its digest is right
 * again, so that what reads it is reached. Then a part is made by it: parts or an error, and no
 * file beside their folder.
 *
 * Byte 0: which part; then changes of 8 bytes each: what to do, a value, where (4 bytes, modulo the
 * length), a small number, and how many bytes are put in there (modulo 4).
 */
#include "config.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "fuzz/commands.h"
#include "fuzz/fuzz.h"
#include "fuzz/pages.h"
#include "util/digest.h"
#include "util/mem.h"
#include "util/order.h"

#define CHANGE_BYTES 8
#define CHANGES_MOST 32
#define MARK_BYTES 17 /* "lanescope plan N\n" */
#define HEAD_BYTES (MARK_BYTES + sizeof(struct digest_value))

static struct strbuf whole;
static char target[80], beside[80];

static void
make_plan(void)
{
	static const char *const traces[] = {"dftracer/new.pfw", "dftracer/aggregated.pfw",
	                                     "golden/four.jsonl", "chrome/phases.json",
	                                     "preemption"};
	const char *words[4 + COUNT_OF(traces) + 1] = {"import", "--quiet", "--plan", target};

	snprintf(target, sizeof target, "%s/a.plan", fuzz_folder());
	snprintf(beside, sizeof beside, "%s/beside", fuzz_folder());
	FUZZ_CHECK(mkdir(beside, 0700) == 0);
	for (size_t i = 0; i < COUNT_OF(traces); i++) {
		words[4 + i] = fuzz_trace(traces[i]);
	}
	FUZZ_CHECK(fuzz_command(words) == CLI_DONE);
	fuzz_read_file(target, &whole);
	FUZZ_CHECK(whole.len > HEAD_BYTES);
	for (size_t i = 0; i < COUNT_OF(traces); i++) {
		free((char *)words[4 + i]);
	}
}

static void
put_in(struct strbuf *bytes, const uint8_t *change)
{
	size_t at = fuzz_number(change + 2) % bytes->len, left = bytes->len - at;
	struct strbuf rest = {0};

	strbuf_add(&rest, bytes->data + at, left);
	bytes->len = at;
	for (unsigned i = 0; i < change[7] % 4u; i++) {
		strbuf_add_char(bytes, (char)change[1]);
	}
	strbuf_add(bytes, rest.data, rest.len);
	strbuf_free(&rest);
}

static void
write_changed(const uint8_t *changes, const uint8_t *end)
{
	struct strbuf rest = {0}, bytes = {0};
	struct digest digest;

	strbuf_add(&rest, whole.data + HEAD_BYTES, whole.len - HEAD_BYTES);
	for (const uint8_t *at = changes; end - at >= CHANGE_BYTES; at += CHANGE_BYTES) {
		fuzz_change_bytes(&rest, at);
		put_in(&rest, at);
	}
	digest_init(&digest);
	digest_add(&digest, rest.data, rest.len);
	struct digest_value value = digest_end(&digest);
	strbuf_add(&bytes, whole.data, MARK_BYTES);
	strbuf_add(&bytes, &value, sizeof value);
	strbuf_add(&bytes, rest.data, rest.len);
	fuzz_write_file(target, &bytes);
	strbuf_free(&bytes);
	strbuf_free(&rest);
}

static size_t
count_entries(const char *path)
{
	DIR *folder = opendir(path);
	size_t n = 0;

	FUZZ_CHECK(folder != NULL);
	for (const struct dirent *entry; (entry = readdir(folder));) {
		n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
	}
	closedir(folder);
	return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char part[16];

	if (!whole.len) {
		make_plan();
	}
	if (size < 1) {
		return 0;
	}
	write_changed(data + 1, data + LEAST(size, 1 + (size_t)CHANGES_MOST * CHANGE_BYTES));
	snprintf(part, sizeof part, "%u/4", data[0] % 4 + 1u);
	int status = FUZZ_COMMAND("import", "--quiet", "--force", "--threads", "1", "--part", part,
	                          "--plan", target, "-o", "beside/parts/");
	FUZZ_CHECK(status == CLI_DONE || status == CLI_FAILED);
	FUZZ_CHECK(count_entries(beside) <= 1);
	return 0;
}
