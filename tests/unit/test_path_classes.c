/* Classes of paths: which pattern decides, what is guessed, what is refused. */
#include "config.h"

#include "column/scan/path_classes.h"
#include "unit/unit.h"

static const char *
class_of(const struct path_classes *classes, const char *path)
{
	return path_classes_name(classes, path_classes_find(classes, slice_of(path))).ptr;
}

START_TEST(places_are_guessed_by_how_paths_begin)
{
	static const struct {
		const char *path, *class;
	} guesses[] = {
	    {"/p/lustre2/user/ckpt/model.pt", "pfs"},
	    {"/lustre/scratch/a", "pfs"},
	    {"/gpfs/alpine/x", "pfs"},
	    {"/scratch/u1/run/x", "pfs"},
	    {"/l/ssd/scr/x", "ssd"},
	    {"/l/ssd", "ssd"},
	    {"/nvme0/x", "ssd"},
	    {"/mnt/bb/u1/x", "ssd"},
	    {"/dev/shm/sem.1", "shm"},
	    {"/dev/shm", "shm"},
	    {"/dev/null", "system"},
	    {"/proc/self/maps", "system"},
	    {"/sys/devices", "system"},
	    {"/usr/lib/libc.so", "system"},
	    {"/var/tmp/x", "tmp"},
	    {"/var/log/x", "system"},
	    {"/tmp/x", "tmp"},
	    {"/tmp", "tmp"},
	    {"/tmpx/y", "other"},
	    {"/home/me/lustre/x", "home"},
	    {"/homework/x", "other"},
	    {"relative/lustre", "other"},
	    {"", "other"},
	    {"/", "other"},
	};
	struct err err = ERR_INIT;
	struct path_classes *classes = path_classes_new(NULL, &err);
	ck_assert_ptr_nonnull(classes);
	for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++) {
		ck_assert_msg(strcmp(class_of(classes, guesses[i].path), guesses[i].class) == 0,
		              "%s: %s", guesses[i].path, class_of(classes, guesses[i].path));
	}
	path_classes_free(classes);
}
END_TEST

START_TEST(what_is_named_comes_first)
{
	struct err err = ERR_INIT;
	struct path_classes *classes =
	    path_classes_new("fast=/p/lustre9/*|*.gz:pfs=/work*:\n ssd=/raid/a:b c/*", &err);
	ck_assert_msg(classes != NULL, "%s", err.message);
	ck_assert_str_eq(class_of(classes, "/p/lustre9/x"), "fast");
	ck_assert_str_eq(class_of(classes, "/p/lustre9"), "fast");
	ck_assert_str_eq(class_of(classes, "/tmp/a.gz"), "fast");
	ck_assert_str_eq(class_of(classes, "/p/lustre2/x"), "pfs");
	ck_assert_str_eq(class_of(classes, "/works/x"), "pfs");
	ck_assert_str_eq(class_of(classes, "/raid/a:b c/x"), "ssd");
	ck_assert_str_eq(class_of(classes, "/l/ssd/x"), "ssd");
	/* One more in front. */
	struct path_classes *more = path_classes_extend(classes, "mine=/works/*", &err);
	ck_assert_str_eq(class_of(more, "/works/x"), "mine");
	ck_assert_str_eq(class_of(more, "/work/x"), "pfs");
	ck_assert_str_eq(class_of(more, "/p/lustre9/x"), "fast");
	ck_assert_str_eq(class_of(more, "/x"), "other");
	path_classes_free(more);
	path_classes_free(classes);
	/* "other" can be given, too, and ends the guessing. */
	classes = path_classes_new(" a=/x/*|*.gz  b=/x/y*\tother=* ", &err);
	ck_assert_str_eq(class_of(classes, "/x/y"), "a");
	ck_assert_str_eq(class_of(classes, "/tmp/y"), "other");
	path_classes_free(classes);
}
END_TEST

START_TEST(mistakes_are_named)
{
	static const struct {
		const char *text, *message;
	} wrong[] = {
	    {"disk", "\"disk\" is not NAME=PATTERN|PATTERN... (pfs=/p/lustre*:ssd=/l/ssd/*)"},
	    {"=x", "\"=x\" is not NAME=PATTERN|PATTERN... (pfs=/p/lustre*:ssd=/l/ssd/*)"},
	    {"a b=x", "\"a b=x\" is not NAME=PATTERN|PATTERN... (pfs=/p/lustre*:ssd=/l/ssd/*)"},
	    {"a=", "class a has an empty pattern (pfs=/p/lustre*|/gpfs/*)"},
	    {"a=x||y", "class a has an empty pattern (pfs=/p/lustre*|/gpfs/*)"},
	    {"a=:b=x", "class a has an empty pattern (pfs=/p/lustre*|/gpfs/*)"},
	    {"abcdefghijklmnopqrstuvwxyz0123456=x",
	     "the name of a class has more than 32 characters: "
	     "abcdefghijklmnopqrstuvwxyz012345..."},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err err = ERR_INIT;
		ck_assert_ptr_null(path_classes_new(wrong[i].text, &err));
		ck_assert_int_eq(err.code, ERR_USAGE);
		ck_assert_str_eq(err.message, wrong[i].message);
	}
	for (int is_patterns = 0; is_patterns < 2; is_patterns++) {
		struct strbuf many = {0};
		struct err err = ERR_INIT;
		for (int i = 0; i < (is_patterns ? 600 : 70); i++) {
			strbuf_printf(&many, is_patterns ? "c=x%d:" : "c%d=x:", i);
		}
		ck_assert_ptr_null(path_classes_new(many.data, &err));
		ck_assert_str_eq(err.message,
		                 is_patterns ? "more than 512 patterns" : "more than 64 classes");
		strbuf_free(&many);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("path class");
	TCase *tests = tcase_create("classes");
	tcase_add_test(tests, places_are_guessed_by_how_paths_begin);
	tcase_add_test(tests, what_is_named_comes_first);
	tcase_add_test(tests, mistakes_are_named);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
