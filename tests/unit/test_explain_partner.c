/* What stands for a span in the other run, and what ran beside both. */
#include "config.h"

#include <string.h>

#include "explain/partner.h"
#include "imported_run.h"

static struct store *stores[2];
static struct cancel cancel;
static struct explain_partners *partners;

/* Run b: the calls of a, each twice as long, three at once instead of one after another, on other
 * threads. */
static void
set_up(void)
{
	struct strbuf a = {0}, b = {0};
	struct err err = ERR_INIT;

	make_folder();
	add_call(&a, "open", "POSIX", 1, 0, 10, "\"ret\":9");
	add_call(&a, "read", "POSIX", 1, 100, 100, "\"ret\":9");
	add_call(&a, "read", "POSIX", 1, 300, 100, "\"ret\":9");
	add_call(&a, "write", "POSIX", 1, 500, 100, "\"ret\":9");
	add_call(&a, "only", "POSIX", 1, 700, 5, "\"ret\":9");
	add_call(&b, "open", "POSIX", 4, 0, 20, "\"ret\":9");
	add_call(&b, "read", "POSIX", 5, 100, 200, "\"ret\":9");
	add_call(&b, "write", "POSIX", 2, 100, 200, "\"ret\":9");
	add_call(&b, "read", "POSIX", 3, 100, 200, "\"ret\":9");
	stores[0] = import_calls("a", &a);
	stores[1] = import_calls("b", &b);
	atomic_init(&cancel.requested, false);
	partners = explain_partners_new(stores, &cancel, &err);
	ck_assert_msg(partners != NULL, "%s", err.message);
}

static void
tear_down(void)
{
	explain_partners_release(partners);
	store_close(stores[0]);
	store_close(stores[1]);
	remove_folder();
}

static struct span_row
span_at_start(int side, const char *name, int64_t start_ns)
{
	struct err err = ERR_INIT;
	const struct dataset *dataset = store_dataset(stores[side], &err);
	struct page_request request = {.kind = BLOCK_SPAN,
	                               .filter = "name = ?1 AND start >= ?2",
	                               .order = "start,id",
	                               .limit = 1};
	struct span_row *rows = NULL, row;

	request.parameters[0] = (struct scan_value){.type = SCAN_TEXT, .text = slice_of(name)};
	request.parameters[1] = (struct scan_value){.type = SCAN_INTEGER, .integer = start_ns};
	ck_assert_int_eq(page_run(dataset, &request, &rows, NULL, &err), 1);
	row = rows[0];
	free(rows);
	return row;
}

START_TEST(a_call_is_found_with_what_ran_beside_it)
{
	struct err err = ERR_INIT;
	struct span_row write = span_at_start(0, "write", 0);
	struct explain_partner partner, back;

	ck_assert_int_eq(explain_partner_find(partners, stores, 0, &write, &partner, &cancel, &err),
	                 1);
	ck_assert_int_eq(partner.span.id, span_at_start(1, "write", 0).id);
	ck_assert_int_eq(partner.span.duration_ns, 200000);
	ck_assert(partner.at_once[0] > 0.99 && partner.at_once[0] < 1.01);
	ck_assert(partner.at_once[1] > 2.99 && partner.at_once[1] < 3.01);
	ck_assert_int_eq(
	    explain_partner_find(partners, stores, 1, &partner.span, &back, &cancel, &err), 1);
	ck_assert_int_eq(back.span.id, write.id);
	ck_assert(back.at_once[0] > 2.99 && back.at_once[1] < 1.01);
}
END_TEST

/* Each of several of a name has one of its own, there and back. */
START_TEST(partners_are_mutual)
{
	struct err err = ERR_INIT;
	int64_t seen = 0;

	for (int64_t start = 0; start <= 200000; start += 200000) {
		struct span_row read = span_at_start(0, "read", start);
		struct explain_partner partner, back;

		ck_assert_int_eq(
		    explain_partner_find(partners, stores, 0, &read, &partner, &cancel, &err), 1);
		ck_assert_int_ne(partner.span.id, seen);
		seen = partner.span.id;
		ck_assert_int_eq(
		    explain_partner_find(partners, stores, 1, &partner.span, &back, &cancel, &err),
		    1);
		ck_assert_int_eq(back.span.id, read.id);
	}
}
END_TEST

START_TEST(what_one_run_has_alone_has_none)
{
	struct err err = ERR_INIT;
	struct span_row only = span_at_start(0, "only", 0);
	struct explain_partner partner;

	ck_assert_int_eq(explain_partner_find(partners, stores, 0, &only, &partner, &cancel, &err),
	                 0);
	ck_assert_int_eq(err.code, ERR_NONE);
}
END_TEST

START_TEST(a_user_may_give_up)
{
	struct err err = ERR_INIT;

	cancel_request(&cancel);
	ck_assert_ptr_null(explain_partners_new(stores, &cancel, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_partner");
	TCase *tests = tcase_create("explain_partner");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, a_call_is_found_with_what_ran_beside_it);
	tcase_add_test(tests, partners_are_mutual);
	tcase_add_test(tests, what_one_run_has_alone_has_none);
	tcase_add_test(tests, a_user_may_give_up);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
