/* The .npy container: headers as Python may write them, values of every type and order against a
 * slow reference, broken files. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "unit.h"
#include "input/npy.h"
#include "util/mem.h"
#include "util/prng.h"

/* A file of this header text (version 1 to 3) and data. */
static void
make_file(struct strbuf *file, unsigned version, const char *header, const void *data, size_t n)
{
	size_t length = strlen(header);

	strbuf_clear(file);
	strbuf_add(file, "\x93NUMPY", 6);
	strbuf_add_char(file, (char)version);
	strbuf_add_char(file, 0);
	for (unsigned i = 0; i < (version == 1 ? 2u : 4u); i++) {
		strbuf_add_char(file, (char)(length >> 8 * i));
	}
	strbuf_add(file, header, length);
	strbuf_add(file, data, n);
}

static int
read_bytes(struct slice bytes, size_t chunk, struct npy *npy, double **values, struct err *err)
{
	struct input *input = input_from_memory(bytes, chunk);
	int result = npy_read_header(input, npy, err);

	*values = NULL;
	if (result == 0 && npy->kind != NPY_OBJECT) {
		result = npy_read_values(input, npy, values, err);
	}
	input_close(input);
	return result;
}

static void
check_header(const char *header, const char *type, unsigned n_dimensions, uint64_t n_values)
{
	struct strbuf file = {NULL, 0, 0};
	struct err err = ERR_INIT;
	struct npy npy;
	double *values;
	char data[64] = {0};

	make_file(&file, 1, header, data, sizeof data);
	int result = read_bytes(strbuf_slice(&file), 0, &npy, &values, &err);
	ck_assert_msg(result == 0, "%s: %s", header, err.message);
	ck_assert_str_eq(npy_type_name(&npy), type);
	ck_assert_uint_eq(npy.n_dimensions, n_dimensions);
	ck_assert_uint_eq(npy.n_values, n_values);
	free(values);
	strbuf_free(&file);
}

START_TEST(headers_that_are_read)
{
	check_header("{'descr': '<f8', 'fortran_order': False, 'shape': (5,), }   \n", "float64", 1,
	             5);
	check_header("{\"shape\":(2,3),\"fortran_order\":True,\"descr\":\"<i2\"}", "int16", 2, 6);
	check_header(" { 'shape' : ( ) , 'descr' : '|b1' , 'fortran_order' : False } ", "bool", 0,
	             1);
	check_header("{'descr': '=u4', 'fortran_order': False, 'shape': (3L, 2L), }", "uint32", 2,
	             6);
	check_header("{'descr': '|u1', 'fortran_order': False, 'shape': (0,), }", "uint8", 1, 0);
	check_header(
	    "{'descr': '>f2', 'fortran_order': False, 'shape': (4, 0, 9223372036854775807), }",
	    "float16", 3, 0);
	check_header("{'descr': '|O', 'fortran_order': False, 'shape': (1000000,), }", "object", 1,
	             1000000);
}
END_TEST

static void
check_refused(const char *header, const char *why)
{
	struct strbuf file = {NULL, 0, 0};
	struct err err = ERR_INIT;
	struct npy npy;
	double *values;
	char data[64] = {0};

	make_file(&file, 1, header, data, sizeof data);
	ck_assert_msg(read_bytes(strbuf_slice(&file), 0, &npy, &values, &err) != 0, "%s", header);
	ck_assert_msg(strstr(err.message, why), "%s: %s", header, err.message);
	strbuf_free(&file);
}

START_TEST(headers_that_are_refused)
{
	static const char *const types[] = {"<f16", "<c8", "<M8[s]", "<U3", "|S1", "f8",
	                                    "<O",   "|V8", "<f1",    "<b2", "",    "<i3"};
	char header[128];

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		snprintf(header, sizeof header,
		         "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }", types[i]);
		check_refused(header, "type \"");
		check_refused(header, types[i]);
	}
	check_refused("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }",
	              "fields");
	check_refused("{'descr': '<f8', 'fortran_order': False}", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'x': 1}",
	              "unknown key");
	check_refused("{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
	              "header");
	check_refused("{'descr': '<f8', 'fortran_order': 0, 'shape': (1,), }", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1), }", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1 2,), }", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (__import__('os'),), }",
	              "header");
	check_refused("{'descr': '<f8' 'fortran_order': False, 'shape': (1,), }", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2}", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2,3}", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2L3,)}", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': 2}", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2,", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)", "header");
	check_refused("{'descr': '<f8', 'fortran_order': True", "header");
	check_refused("{'descr': '<f8', 'fortran_order': Tru", "header");
	check_refused("{'descr': '<f8", "no .npy file");
	check_refused("{'descr", "no .npy file");
	check_refused("{'descr'", "no .npy file");
	check_refused("{}", "header");
	check_refused("{", "header");
	check_refused("", "header");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), } x", "header");
	check_refused(
	    "{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551616,), }",
	    "too large");
	check_refused(
	    "{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
	    "too large");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693952,), }",
	              "larger than is read");
	check_refused("{'descr': '|u1', 'fortran_order': False, 'shape': (67108865,), }",
	              "larger than is read");
	check_refused("{'descr': '<f8', 'fortran_order': False, 'shape': (9,), }", "ends within");
}
END_TEST

/* What the header says is never allocated: a file of a few bytes that claims 512 MB fails at
 * once. */
static bool
reads_header(const char *header)
{
	struct strbuf file = {NULL, 0, 0};
	struct err err = ERR_INIT;
	struct npy npy;

	make_file(&file, 1, header, "", 0);
	struct input *input = input_from_memory(strbuf_slice(&file), 0);
	int result = npy_read_header(input, &npy, &err);
	ck_assert_int_eq(err.code == ERR_NONE, result == 0);
	input_close(input);
	strbuf_free(&file);
	return result == 0;
}

/* A header of which a character is missing, stands twice, or is a blank more. */
START_TEST(every_character_of_a_header_counts)
{
	static const char good[] = "{'descr':'<f8','fortran_order':False,'shape':(2,3),}";
	const size_t n = sizeof good - 1, last = (size_t)(strstr(good, "3),") - good);
	char header[3 * sizeof good];

	ck_assert(reads_header(good));
	for (size_t i = 0; i < n; i++) {
		snprintf(header, sizeof header, "%.*s%s", (int)i, good, good + i + 1);
		ck_assert_msg(reads_header(header) == (i == last || i == last + 2), "%s", header);
		snprintf(header, sizeof header, "%.*s%s", (int)i + 1, good, good + i);
		ck_assert_msg(reads_header(header) == (i == last || i == last - 2), "%s", header);
		bool is_between = strchr("{:,(23)}", good[i]) ||
		                  (good[i] == '\'' && strchr(":,{", good[i - 1])) ||
		                  strncmp(good + i, "False", 5) == 0;
		snprintf(header, sizeof header, "%.*s \t\n%s", (int)i, good, good + i);
		ck_assert_msg(reads_header(header) == is_between, "%s", header);
	}
}
END_TEST

START_TEST(every_cut_of_a_file)
{
	struct strbuf file = {NULL, 0, 0};
	struct npy npy;
	double *values, data[3] = {1, 2, 3};

	for (unsigned version = 1; version <= 3; version++) {
		make_file(&file, version,
		          "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", data,
		          sizeof data);
		for (size_t length = 0; length <= file.len; length++) {
			struct err err = ERR_INIT;
			int result = read_bytes((struct slice){file.data, length}, length % 3, &npy,
			                        &values, &err);
			ck_assert_int_eq(result, length == file.len ? 0 : -1);
			ck_assert(result == 0 || err.code == ERR_FORMAT);
			free(values);
		}
		file.data[6] = 4;
		struct err err = ERR_INIT;
		ck_assert_int_eq(read_bytes(strbuf_slice(&file), 0, &npy, &values, &err), -1);
		ck_assert_ptr_nonnull(strstr(err.message, "version"));
	}
	strbuf_free(&file);
}
END_TEST

START_TEST(data_begin_where_the_header_ends)
{
	struct strbuf file = {NULL, 0, 0};
	struct err err = ERR_INIT;
	struct slice rest;
	struct npy npy;
	double *values;

	make_file(&file, 2, "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }", "\5\6xyz",
	          5);
	struct input *input = input_from_memory(strbuf_slice(&file), 3);
	ck_assert_int_eq(npy_read_header(input, &npy, &err), 0);
	ck_assert_uint_eq(npy.major, 2);
	ck_assert_int_eq(npy_read_values(input, &npy, &values, &err), 0);
	ck_assert(values[0] == 5 && values[1] == 6);
	ck_assert_int_eq(input_fill(input, 3, &rest, &err), 1);
	ck_assert(slice_is(rest, "xyz"));
	free(values);
	input_close(input);
	strbuf_free(&file);
}
END_TEST

/* ---- values ---- */

static void
check_values(const char *descr, const void *data, size_t n_bytes, const double *expected, size_t n)
{
	struct strbuf file = {NULL, 0, 0};
	struct err err = ERR_INIT;
	struct npy npy;
	double *values;
	char header[128];

	snprintf(header, sizeof header,
	         "{'descr': '%s', 'fortran_order': False, 'shape': (%zu,), }", descr, n);
	make_file(&file, 1, header, data, n_bytes);
	ck_assert_msg(read_bytes(strbuf_slice(&file), 5, &npy, &values, &err) == 0, "%s",
	              err.message);
	for (size_t i = 0; i < n; i++) {
		ck_assert_msg(values[i] == expected[i] || (isnan(values[i]) && isnan(expected[i])),
		              "%s: %zu is %g, not %g", descr, i, values[i], expected[i]);
		ck_assert_msg(signbit(values[i]) == signbit(expected[i]) || isnan(expected[i]),
		              "%s: sign of %zu", descr, i);
	}
	free(values);
	strbuf_free(&file);
}

START_TEST(values_at_the_borders)
{
	check_values(
	    "<f2",
	    "\x00\x38\x00\xc0\xff\x7b\x01\x00\xff\x03\x00\x04\x00\x7c\x00\xfc\x01\x7c\x00\x80", 20,
	    (const double[]){0.5, -2, 65504, 0x1p-24, 1023 * 0x1p-24, 0x1p-14, (double)INFINITY,
	                     -(double)INFINITY, (double)NAN, -0.0},
	    10);
	check_values(">f2", "\x38\x00\xc0\x00", 4, (const double[]){0.5, -2}, 2);
	check_values("<f4", "\x00\x00\x80\x3f\x01\x00\x00\x00\x00\x00\x80\xff", 12,
	             (const double[]){1, 0x1p-149, -(double)INFINITY}, 3);
	check_values(">f8", "\x3f\xf0\x00\x00\x00\x00\x00\x00\xbf\xf8\x00\x00\x00\x00\x00\x00", 16,
	             (const double[]){1, -1.5}, 2);
	check_values("|i1", "\x80\xff\x7f", 3, (const double[]){-128, -1, 127}, 3);
	check_values("<i2", "\x00\x80\xff\xff", 4, (const double[]){-32768, -1}, 2);
	check_values(">i4", "\x80\x00\x00\x00\x7f\xff\xff\xff", 8,
	             (const double[]){-2147483648.0, 2147483647}, 2);
	check_values("<i8", "\x00\x00\x00\x00\x00\x00\x00\x80\xff\xff\xff\xff\xff\xff\xff\xff", 16,
	             (const double[]){-0x1p63, -1}, 2);
	check_values("<u8", "\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x00\x00\x00\x00\x00\x00", 16,
	             (const double[]){0x1p64, 1}, 2);
	check_values("|u1", "\x80\xff", 2, (const double[]){128, 255}, 2);
	check_values("|b1", "\x00\x01\x02", 3, (const double[]){0, 1, 1}, 3);
}
END_TEST

/* Any shape in Fortran order: the value at every index is the one that the formula finds in the
 * file. */
START_TEST(fortran_order)
{
	struct prng prng = {20260311};
	struct strbuf file = {NULL, 0, 0}, header = {NULL, 0, 0};

	for (int round = 0; round < 300; round++) {
		uint16_t data[4096];
		size_t shape[4], n = 1, n_dimensions = prng_below(&prng, 5);
		struct err err = ERR_INIT;
		struct npy npy;
		double *values;
		strbuf_clear(&header);
		strbuf_add_text(&header, "{'descr': '<u2', 'fortran_order': True, 'shape': (");
		for (size_t i = 0; i < n_dimensions; i++) {
			shape[i] = 1 + prng_below(&prng, 6);
			n *= shape[i];
			strbuf_printf(&header, "%zu,", shape[i]);
		}
		strbuf_add_text(&header, ")}");
		for (size_t i = 0; i < n; i++) {
			data[i] = (uint16_t)prng_below(&prng, 65536);
		}
		make_file(&file, 1, header.data, data, n * sizeof *data);
		ck_assert_int_eq(
		    read_bytes(strbuf_slice(&file), prng_below(&prng, 9), &npy, &values, &err), 0);
		for (size_t to = 0; to < n; to++) {
			size_t rest = to, from = 0, index[4], stride = 1;
			for (size_t i = n_dimensions; i-- > 0;) {
				index[i] = rest % shape[i];
				rest /= shape[i];
			}
			for (size_t i = 0; i < n_dimensions; i++) {
				from += index[i] * stride;
				stride *= shape[i];
			}
			ck_assert(values[to] == data[from]);
		}
		free(values);
	}
	strbuf_free(&file);
	strbuf_free(&header);
}
END_TEST

/* As many dimensions as there may be, and one more. */
START_TEST(dimensions_are_limited)
{
	struct strbuf file = {NULL, 0, 0}, header = {NULL, 0, 0};

	for (unsigned n = NPY_DIMENSIONS; n <= NPY_DIMENSIONS + 1; n++) {
		struct err err = ERR_INIT;
		struct npy npy;
		double *values;
		strbuf_clear(&header);
		strbuf_add_text(&header, "{'descr': '|u1', 'fortran_order': True, 'shape': (2,");
		for (unsigned i = 1; i < n; i++) {
			strbuf_add_text(&header, i + 1 < n ? "1," : "2)}");
		}
		make_file(&file, 1, header.data, "\1\2\3\4", 4);
		int result = read_bytes(strbuf_slice(&file), 0, &npy, &values, &err);
		ck_assert_int_eq(result, n > NPY_DIMENSIONS ? -1 : 0);
		if (result == 0) {
			ck_assert_uint_eq(npy.n_dimensions, NPY_DIMENSIONS);
			ck_assert(values[0] == 1 && values[1] == 3);
			ck_assert(values[2] == 2 && values[3] == 4);
			free(values);
		}
	}
	strbuf_free(&file);
	strbuf_free(&header);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("npy");
	TCase *cases = tcase_create("npy");

	tcase_add_test(cases, headers_that_are_read);
	tcase_add_test(cases, headers_that_are_refused);
	tcase_add_test(cases, every_character_of_a_header_counts);
	tcase_add_test(cases, every_cut_of_a_file);
	tcase_add_test(cases, data_begin_where_the_header_ends);
	tcase_add_test(cases, values_at_the_borders);
	tcase_add_test(cases, fortran_order);
	tcase_add_test(cases, dimensions_are_limited);
	suite_add_tcase(suite, cases);
	return unit_run(suite);
}
