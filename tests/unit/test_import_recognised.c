/* How sure the importers of spot instance traces and of DASF are of what is theirs, and of what is
 * not: all samples are recognised, none of another format is. */
#include "config.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"
#include "import/formats.h"
#include "dasf_records.h"
#include "util/prng.h"

START_TEST(preemption_of_foreign_texts)
{
	static const char *const texts[] = {
	    "",
	    "\n\n",
	    "0",
	    "1,2,3\n",
	    "5,1\n6,2\n",
	    "time,host,name,value\n",
	    "a,b\n1,2\n",
	    "[]",
	    "{}",
	    "[1, 2, 3]",
	    "{\"data\": [{}]}",
	    "{\"metadata\": {}, \"data\": [1]}",
	    "[{\"name\": \"a\", \"ph\": \"X\", \"ts\": 1, \"dur\": 2, \"pid\": 1, \"tid\": 1}]",
	    "{\"traceEvents\": []}",
	    "{\"action\": \"task_planned\", \"at\": \"1\"}",
	    "0,1,nan\n",
	    "1.5\n2.5\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		ck_assert_msg(import_preemption.sniff(slice_of(texts[i]), "x.csv") == 0, "%s",
		              texts[i]);
	}
}
END_TEST

START_TEST(preemption_of_random_bytes)
{
	struct prng prng = {11};
	char bytes[64];

	for (int round = 0; round < 20000; round++) {
		size_t length = prng_below(&prng, sizeof bytes);
		for (size_t i = 0; i < length; i++) {
			bytes[i] = (char)prng_next(&prng);
		}
		ck_assert_int_eq(import_preemption.sniff((struct slice){bytes, length}, "x"), 0);
	}
}
END_TEST

static const char *shared_folder;
static unsigned n_ours, n_others;

static int
sniff_sample(const char *path, const struct stat *status, int type, struct FTW *where)
{
	char head[65536];

	(void)status;
	(void)where;
	FILE *file = type == FTW_F ? fopen(path, "rb") : NULL;
	if (!file) {
		return 0;
	}
	size_t length = fread(head, 1, sizeof head, file);
	fclose(file);
	const char *rest = path + strlen(shared_folder);
	bool is_trace = strncmp(rest, "/preemption/", 12) == 0 && !strstr(rest, "/expected/") &&
	                !strstr(rest, "manifest") && !strstr(rest, "README");
	int score = import_preemption.sniff((struct slice){head, length}, path);
	ck_assert_msg((score > 0) == is_trace, "%s: %d", path, score);
	n_ours += is_trace;
	n_others += !is_trace;
	return 0;
}

START_TEST(preemption_of_samples)
{
	shared_folder = unit_shared();
	if (shared_folder) {
		ck_assert_int_eq(nftw(shared_folder, sniff_sample, 16, FTW_PHYS), 0);
		ck_assert_uint_gt(n_ours, 50);
		ck_assert_uint_gt(n_others, 50);
	}
}
END_TEST

START_TEST(dasf_records)
{
	struct strbuf bytes = {0};

	add_instant(&bytes, "a", 1, "h");
	ck_assert_int_eq(import_dasf.sniff(strbuf_slice(&bytes), "x"), 100);
	ck_assert_int_eq(import_dasf.sniff((struct slice){bytes.data, bytes.len - 1}, "x"), 90);
	ck_assert_int_eq(import_dasf.sniff((struct slice){bytes.data, 10}, "x"), 0);
	ck_assert_int_eq(import_dasf.sniff((struct slice){"", 0}, "x"), 0);
	ck_assert_int_eq(
	    import_dasf.sniff(slice_of("[{\"name\":\"a\",\"ph\":\"X\"}]"), "x.msgpack"), 0);
	ck_assert_ptr_eq(import_sniff(strbuf_slice(&bytes), "x"), &import_dasf);
	struct prng prng = {5};
	for (unsigned round = 0; round < 10000; round++) {
		char random[64];
		for (size_t i = 0; i < sizeof random; i++) {
			random[i] = (char)prng_next(&prng);
		}
		ck_assert_int_eq(import_dasf.sniff((struct slice){random, sizeof random}, "x"), 0);
	}
	strbuf_free(&bytes);
}
END_TEST

/* Maps and keys as other writers of MessagePack write them, longer than they need be. */
START_TEST(dasf_in_long_forms)
{
	static const struct slice maps[] = {{"\x81", 1}, {"\xde\0\1", 3}, {"\xdf\0\0\0\1", 5}};
	static const struct slice keys[] = {
	    {"\xa4", 1}, {"\xd9\4", 2}, {"\xda\0\4", 3}, {"\xdb\0\0\0\4", 5}};

	for (unsigned i = 0; i < 12; i++) {
		struct strbuf bytes = {NULL, 0, 0};
		struct slice map = maps[i % 3], key = keys[i / 3];
		strbuf_add(&bytes, "\0\0\0\0\0\0\0", 7);
		strbuf_add_char(&bytes, (char)(map.len + key.len + 6));
		strbuf_add(&bytes, map.ptr, map.len);
		strbuf_add(&bytes, key.ptr, key.len);
		strbuf_add_text(&bytes, "name\xa1x");
		ck_assert_msg(import_dasf.sniff(strbuf_slice(&bytes), "x") > 0, "form %u", i);
		bytes.data[8 + map.len + key.len] = 'g';
		bool is_seen = map.len + key.len < 8; /* of the first 16 bytes */
		ck_assert_msg(!is_seen || import_dasf.sniff(strbuf_slice(&bytes), "x") == 0,
		              "form %u", i);
		strbuf_free(&bytes);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("import_recognised");
	TCase *tests = tcase_create("recognised");

	tcase_add_test(tests, preemption_of_foreign_texts);
	tcase_add_test(tests, preemption_of_random_bytes);
	tcase_add_test(tests, preemption_of_samples);
	tcase_add_test(tests, dasf_records);
	tcase_add_test(tests, dasf_in_long_forms);
	tcase_set_timeout(tests, 60);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
