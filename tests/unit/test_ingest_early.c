/* What an import has read so far, by name: sources add up, whenever they hand on what they counted.
 */
#include "config.h"

#include <string.h>

#include "ingest/early.h"
#include "ingest/ingest.h"
#include "ingest_folder.h"
#include "util/intern.h"
#include "util/slice.h"

struct seen {
	char name[40];
	struct early_sums sums;
};
struct all {
	struct seen seen[EARLY_NAMES + 2];
	size_t n;
	int64_t calls;
};

static void
see(void *user, struct slice name, const struct early_sums *sums)
{
	struct all *all = user;
	struct seen *seen = &all->seen[all->n++];

	snprintf(seen->name, sizeof seen->name, "%.*s", (int)name.len, name.ptr);
	seen->sums = *sums;
	all->calls += sums->calls;
}

static struct all *
look(struct early_look *early)
{
	static struct all all;

	all.n = 0;
	all.calls = 0;
	early_each(early, see, &all);
	return &all;
}

static const struct early_sums *
sums_of(const struct all *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++) {
		if (strcmp(all->seen[i].name, name) == 0) {
			return &all->seen[i].sums;
		}
	}
	return NULL;
}

static void
count(struct early_source *source, uint32_t name, int64_t duration_ns)
{
	early_count(source, &(struct span){.name = name, .duration_ns = duration_ns, .calls = 1});
}

START_TEST(sources_add_up)
{
	struct early_look *early = early_new();
	struct early_source a = {0}, b = {0};
	struct intern *of_a = intern_new(), *of_b = intern_new();

	/* the same name under different codes */
	uint32_t read_a = intern_id(of_a, slice_of("read")),
		 write_b = intern_id(of_b, slice_of("write"));
	uint32_t read_b = intern_id(of_b, slice_of("read"));
	count(&a, read_a, 5);
	count(&b, read_b, 7);
	count(&b, write_b, 1);
	early_tell(&a, early, of_a, false);
	early_tell(&b, early, of_b, false);
	early_tell(&b, early, of_b, false); /* nothing is told twice */
	count(&a, read_a, 2);
	early_tell(&a, early, of_a, true);
	const struct all *all = look(early);
	ck_assert_uint_eq(all->n, 2);
	ck_assert_int_eq(sums_of(all, "read")->calls, 3);
	ck_assert_int_eq(sums_of(all, "read")->total_ns, 14);
	ck_assert_int_eq(sums_of(all, "read")->longest_ns, 7);
	ck_assert_int_eq(sums_of(all, "write")->calls, 1);
	early_reset(early);
	ck_assert_uint_eq(look(early)->n, 0);
	early_tell(&a, early, of_a, true);
	ck_assert_uint_eq(look(early)->n, 0);
	count(&a, read_a, INT64_MAX);
	count(&a, read_a, INT64_MAX); /* hostile durations have an end */
	early_tell(&a, early, of_a, true);
	ck_assert_int_eq(sums_of(look(early), "read")->total_ns, INT64_MAX);
	early_source_fini(&a);
	early_source_fini(&b);
	intern_free(of_a);
	intern_free(of_b);
	early_free(early);
}
END_TEST

/* As span_sums has them. */
START_TEST(records_of_many_calls)
{
	struct early_look *early = early_new();
	struct early_source source = {0};
	struct intern *texts = intern_new();
	uint32_t read = intern_id(texts, slice_of("read"));
	struct call_totals totals = {.sum_ns = 500, .min_ns = TIME_NONE, .max_ns = 90};
	struct span span = {.name = read, .duration_ns = 1000, .calls = 19, .totals = &totals};

	early_count(&source, &span);
	early_tell(&source, early, texts, false);
	const struct early_sums *sums = sums_of(look(early), "read");
	ck_assert_int_eq(sums->calls, 19);
	ck_assert_int_eq(sums->total_ns, 500);
	ck_assert_int_eq(sums->longest_ns, 90);
	early_reset(early);
	span.totals = NULL; /* no more is known than what all took */
	early_count(&source, &span);
	early_tell(&source, early, texts, false);
	sums = sums_of(look(early), "read");
	ck_assert_int_eq(sums->calls, 19);
	ck_assert_int_eq(sums->total_ns, 1000);
	ck_assert_int_eq(sums->longest_ns, TIME_NONE);
	early_source_fini(&source);
	intern_free(texts);
	early_free(early);
}
END_TEST

/* Paths and values are texts, too: only names count. */
START_TEST(other_texts_take_no_place)
{
	struct early_look *early = early_new();
	struct early_source source = {0};
	struct intern *texts = intern_new();

	for (unsigned i = 0; i < 3 * EARLY_NAMES; i++) {
		char path[40];
		snprintf(path, sizeof path, "/data/%u", i);
		intern_id(texts, slice_of(path));
	}
	count(&source, intern_id(texts, slice_of("train_step")), 7);
	early_tell(&source, early, texts, true);
	ck_assert_int_eq(sums_of(look(early), "train_step")->total_ns, 7);
	early_source_fini(&source);
	intern_free(texts);
	early_free(early);
}
END_TEST

/* A name that is told later is counted when it is; at the end at any rate. */
START_TEST(late_names_wait)
{
	struct early_look *early = early_new();
	struct early_source source = {0};
	struct intern *texts = intern_new();
	uint32_t later = intern_reserve(texts), never = intern_reserve(texts);

	count(&source, later, 5);
	count(&source, never, 6);
	count(&source, UINT32_MAX, 1); /* no name at all */
	early_tell(&source, early, texts, false);
	ck_assert_int_eq(look(early)->calls, 1);
	intern_settle(texts, later, slice_of("late"));
	early_tell(&source, early, texts, false);
	ck_assert_int_eq(sums_of(look(early), "late")->total_ns, 5);
	early_tell(&source, early, texts, true);
	ck_assert_int_eq(sums_of(look(early), "")->total_ns, 7);
	early_source_fini(&source);
	intern_free(texts);
	early_free(early);
}
END_TEST

/* Memory has a bound, whatever a trace calls its spans; no span is lost. */
START_TEST(names_have_an_end)
{
	struct early_look *early = early_new();
	struct intern *texts = intern_new();

	for (unsigned source = 0; source < 3; source++) {
		struct early_source one = {0};
		for (unsigned i = 0; i < 3000; i++) {
			char name[40];
			snprintf(name, sizeof name, "n%u", source * 3000 + i);
			count(&one, intern_id(texts, slice_of(name)), 1);
		}
		early_tell(&one, early, texts, true);
		early_source_fini(&one);
	}
	const struct all *all = look(early);
	ck_assert_uint_le(all->n, EARLY_NAMES + 1);
	ck_assert_int_eq(all->calls, 9000);
	ck_assert_int_eq(sums_of(all, "")->calls, 9000 - EARLY_NAMES);
	intern_free(texts);
	early_free(early);
}
END_TEST

/* At the end of an import it is what the run has. */
START_TEST(an_import_comes_to_its_run)
{
	static const char *const names[] = {"open", "read", "write"};
	struct err err = ERR_INIT;
	struct early_sums wanted[3] = {{0}};
	struct strbuf text = {0};

	make_folder();
	for (unsigned file = 0; file < 4; file++) {
		char name[40];
		strbuf_clear(&text);
		strbuf_add_text(&text, "[\n");
		for (unsigned i = 0; i < 9000; i++) {
			unsigned which = (i * 7 + file) % 3, us = i % 50;
			strbuf_printf(
			    &text,
			    "{\"id\":\"%u\",\"name\":\"%s\",\"cat\":\"POSIX\",\"pid\":\"%u\","
			    "\"tid\":\"1\",\"ts\":\"%u\",\"dur\":\"%u\",\"ph\":\"X\","
			    "\"args\":{\"hostname\":\"h\"}}\n",
			    i, names[which], file, 1000 + i * 100, us);
			wanted[which].calls++;
			wanted[which].total_ns += us * 1000;
		}
		snprintf(name, sizeof name, "t-%u.pfw", file);
		write_bytes(name, text.data, text.len);
	}
	strbuf_free(&text);
	const char *paths[] = {in_folder(".")};
	struct ingest_options options = {.out = in_folder("run.lanes"), .n_threads = 2};
	struct ingest_plans *plans = ingest_plan(paths, 1, &options, &err);
	ck_assert_msg(plans != NULL, "%s", err.message);
	struct ingest_progress progress = {.early = early_new()};
	struct ingest_summary summary;
	ck_assert_msg(ingest_run(&plans->plans[0], &options, &progress, &summary, &err) == 0, "%s",
	              err.message);
	const struct all *all = look(progress.early);
	ck_assert_uint_eq(all->n, 3);
	ck_assert_int_eq(all->calls, summary.spans);
	for (unsigned i = 0; i < 3; i++) {
		const struct early_sums *sums = sums_of(all, names[i]);
		ck_assert_ptr_nonnull(sums);
		ck_assert_int_eq(sums->calls, wanted[i].calls);
		ck_assert_int_eq(sums->total_ns, wanted[i].total_ns);
		ck_assert_int_eq(sums->longest_ns, 49000);
	}
	early_free(progress.early);
	ingest_plans_free(plans);
	remove_folder();
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("ingest_early");
	TCase *tests = tcase_create("ingest_early");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, sources_add_up);
	tcase_add_test(tests, records_of_many_calls);
	tcase_add_test(tests, other_texts_take_no_place);
	tcase_add_test(tests, late_names_wait);
	tcase_add_test(tests, names_have_an_end);
	tcase_add_test(tests, an_import_comes_to_its_run);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
