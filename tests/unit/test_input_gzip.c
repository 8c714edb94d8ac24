/* Gzip as a byte source: whole, in members, cut and corrupt, by both inflaters. */
#include "config.h"

#include "input_gzip.h"

START_TEST(gzip_of_any_shape)
{
	static const size_t sizes[] = {0, 1, 1000, 40000, 300000};

	for (size_t i = 0; i < 5 * 10; i++) {
		struct strbuf text = {NULL, 0, 0}, zipped = {NULL, 0, 0}, out = {NULL, 0, 0};
		size_t size = sizes[i / 10];
		unsigned n_members = 1 + (unsigned)(i % 10) / 3;
		make_text(&text, size, i);
		for (unsigned m = 0; m < n_members; m++) {
			size_t from = size * m / n_members, to = size * (m + 1) / n_members;
			add_member(&zipped,
			           (struct slice){strbuf_slice(&text).ptr + from, to - from},
			           (int)(i % 10));
		}
		if (i % 2) {
			strbuf_add(&zipped, "\0\0\0\0\0\0\0\0", i % 7); /* tape padding */
		}
		for (size_t e = 0; e < 2; e++) {
			for (size_t chunk = 0; chunk < 3000; chunk = chunk * 11 + 1) {
				if (chunk && size > 100000 && chunk < 100) {
					continue; /* slow */
				}
				struct input *input = input_from_memory_engine(
				    strbuf_slice(&zipped), chunk, engines[e]);
				strbuf_clear(&out);
				drain(input, &out);
				ck_assert_uint_eq(out.len, size);
				ck_assert(size == 0 || memcmp(out.data, text.data, size) == 0);
				ck_assert(input_compressed(input));
				ck_assert_uint_eq(input_members(input), n_members);
				ck_assert_ptr_null(input_truncation(input));
				ck_assert_uint_eq(input_raw_offset(input), zipped.len);
				input_close(input);
			}
		}
		strbuf_free(&text);
		strbuf_free(&zipped);
		strbuf_free(&out);
	}
}
END_TEST

/* Cut after every byte: what comes out is a prefix, both inflaters give the same, and say so. */
START_TEST(gzip_cut_anywhere)
{
	struct strbuf text = {NULL, 0, 0}, zipped = {NULL, 0, 0};
	struct strbuf out[2] = {{NULL, 0, 0}, {NULL, 0, 0}};

	make_text(&text, 1500, 6);
	add_member(&zipped, (struct slice){text.data, 1000}, 6);
	size_t first_member = zipped.len;
	add_member(&zipped, (struct slice){text.data + 1000, 500}, 9);
	for (size_t cut = 3; cut < zipped.len; cut++) {
		for (size_t e = 0; e < 2; e++) {
			struct input *input = input_from_memory_engine(
			    (struct slice){zipped.data, cut}, cut % 3 ? 0 : 7, engines[e]);
			strbuf_clear(&out[e]);
			drain(input, &out[e]);
			ck_assert_uint_le(out[e].len, text.len);
			ck_assert_int_eq(memcmp(strbuf_slice(&out[e]).ptr, text.data, out[e].len),
			                 0);
			if (cut == first_member) {
				ck_assert_ptr_null(input_truncation(input));
			} else {
				ck_assert_str_eq(input_truncation(input),
				                 cut < first_member ? "gzip member 1 ends early"
				                                    : "gzip member 2 ends early");
			}
			input_close(input);
		}
		ck_assert_uint_eq(out[0].len, out[1].len);
	}
	ck_assert_uint_gt(out[0].len, 1450);
	strbuf_free(&text);
	strbuf_free(&zipped);
	strbuf_free(&out[0]);
	strbuf_free(&out[1]);
}
END_TEST

/* Any byte changed: never a crash, never an unmarked difference. As much is kept, and the same,
 * whatever the size of the pieces that come in (a pipe's) and go out (read ahead or not). */
static void
corrupt(struct strbuf *zipped, struct slice text, size_t at, int by, size_t piece)
{
	struct strbuf out = {NULL, 0, 0}, pieces = {NULL, 0, 0};

	zipped->data[at] = (char)(zipped->data[at] ^ by);
	for (size_t e = 0; e < 2; e++) {
		struct input *input = input_from_memory_engine(strbuf_slice(zipped), 0, engines[e]);
		struct input *in_pieces =
		    input_from_memory_engine(strbuf_slice(zipped), piece, engines[e]);
		if (at % 2) {
			input_read_ahead(in_pieces);
		}
		strbuf_clear(&out);
		strbuf_clear(&pieces);
		drain(input, &out);
		drain(in_pieces, &pieces);
		bool is_same = out.len == text.len && memcmp(out.data, text.ptr, out.len) == 0;
		ck_assert_msg(is_same || input_truncated(input), "byte %zu, engine %zu", at, e);
		ck_assert_msg(out.len == pieces.len &&
		                  (!out.len || memcmp(out.data, pieces.data, out.len) == 0),
		              "byte %zu, engine %zu, pieces of %zu: %zu and %zu", at, e, piece,
		              out.len, pieces.len);
		ck_assert_int_eq(input_truncated(input), input_truncated(in_pieces));
		input_close(input);
		input_close(in_pieces);
	}
	zipped->data[at] = (char)(zipped->data[at] ^ by);
	strbuf_free(&out);
	strbuf_free(&pieces);
}

START_TEST(gzip_corrupt_anywhere)
{
	static const size_t sizes[] = {700, 4096, 50000};
	struct strbuf text = {NULL, 0, 0}, zipped = {NULL, 0, 0};
	struct prng prng = {13};

	make_text(&text, 1000, 7);
	add_member(&zipped, strbuf_slice(&text), 6);
	for (size_t at = 3; at < zipped.len; at++) {
		corrupt(&zipped, strbuf_slice(&text), at, 1 + (int)prng_below(&prng, 255),
		        1 + at % 7);
	}
	strbuf_clear(&text);
	strbuf_clear(&zipped);
	make_text(&text, 700000, 8);
	add_member(&zipped, strbuf_slice(&text), 6);
	for (unsigned i = 0; i < 24; i++) {
		size_t at = 10 + prng_below(&prng, zipped.len - 10);
		corrupt(&zipped, strbuf_slice(&text), at, 1 + (int)prng_below(&prng, 255),
		        sizes[i % 3]);
	}
	strbuf_free(&text);
	strbuf_free(&zipped);
}
END_TEST

START_TEST(what_follows_gzip_is_named)
{
	static const struct {
		const char *tail;
		size_t length;
		const char *truncation;
	} cases[] = {
	    {"\0\0\0", 3, NULL},
	    {"garbage", 7,
	     "gzip member 1 is followed by bytes that are not gzip, which were ignored"},
	    {"\0\0x", 3,
	     "gzip member 1 is followed by bytes that are not gzip, which were ignored"},
	    {"\x1f", 1, "gzip member 2 ends early"},
	    {"\x1f\x8b\x08\0\0\0", 6, "gzip member 2 ends early"},
	    {"\x1fgarbage that is long enough", 28, "gzip member 2 has no valid header"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases * 2; i++) {
		struct strbuf zipped = {NULL, 0, 0}, out = {NULL, 0, 0};
		add_member(&zipped, slice_of("hello\n"), 6);
		strbuf_add(&zipped, cases[i / 2].tail, cases[i / 2].length);
		struct input *input =
		    input_from_memory_engine(strbuf_slice(&zipped), 0, engines[i % 2]);
		drain(input, &out);
		ck_assert_str_eq(out.data, "hello\n");
		if (cases[i / 2].truncation) {
			ck_assert_str_eq(input_truncation(input), cases[i / 2].truncation);
		} else {
			ck_assert_ptr_null(input_truncation(input));
		}
		input_close(input);
		strbuf_free(&zipped);
		strbuf_free(&out);
	}
}
END_TEST

START_TEST(wrong_checksum_keeps_everything)
{
	for (size_t e = 0; e < 2; e++) {
		for (size_t back = 1; back <= 8; back++) {
			struct strbuf zipped = {NULL, 0, 0}, out = {NULL, 0, 0};
			add_member(&zipped, slice_of("hello\n"), 6);
			zipped.data[zipped.len - back] ^= 1;
			struct input *input =
			    input_from_memory_engine(strbuf_slice(&zipped), 0, engines[e]);
			drain(input, &out);
			ck_assert_str_eq(out.data, "hello\n");
			ck_assert_str_eq(input_truncation(input),
			                 "gzip member 1 has a wrong checksum");
			input_close(input);
			strbuf_free(&zipped);
			strbuf_free(&out);
		}
	}
}
END_TEST

/* What a damaged member leaves, a new line, and the members after it; told, and no break-off. */
START_TEST(members_after_a_damaged_one_are_read)
{
	struct strbuf texts[3] = {{NULL, 0, 0}, {NULL, 0, 0}, {NULL, 0, 0}};
	struct strbuf zipped = {NULL, 0, 0}, out = {NULL, 0, 0};
	size_t begins[4] = {0};
	uint64_t offset;

	for (size_t i = 0; i < 3; i++) {
		make_text(&texts[i], 3000, i);
		add_member(&zipped, strbuf_slice(&texts[i]), 6);
		begins[i + 1] = zipped.len;
	}
	for (size_t at = begins[1]; at < begins[2]; at++) {
		bool hides_next = at + 32 >= begins[2] && at + 8 < begins[2];
		if (at == begins[1] + 3 || hides_next) {
			continue; /* flags and ends: they may claim what follows for their member */
		}
		for (size_t e = 0; e < 2; e++) {
			zipped.data[at] ^= (char)(1 + at % 255);
			struct input *input = input_from_memory_engine(
			    strbuf_slice(&zipped), at % 3 ? 0 : 1 + at % 50, engines[e]);
			strbuf_clear(&out);
			drain(input, &out);
			const char *damage = input_damage(input, &offset);
			bool is_same =
			    out.len == 9000 && memcmp(out.data + 3000, texts[1].data, 3000) == 0;
			ck_assert_msg(is_same || damage, "byte %zu, engine %zu: %zu %s", at, e,
			              out.len, input_truncation(input));
			ck_assert_msg(
			    out.len >= 6000 && memcmp(out.data, texts[0].data, 3000) == 0 &&
				memcmp(out.data + out.len - 3000, texts[2].data, 3000) == 0,
			    "byte %zu, engine %zu: %s", at, e, damage ? damage : "no damage");
			ck_assert(!damage || out.data[out.len - 3001] == '\n');
			ck_assert_msg(!input_truncated(input), "byte %zu, engine %zu: %s, %s", at,
			              e, input_truncation(input), damage ? damage : "no damage");
			ck_assert(!damage || (offset >= 3000 && offset <= out.len - 3000));
			input_close(input);
			zipped.data[at] ^= (char)(1 + at % 255);
		}
	}
	for (size_t i = 0; i < 3; i++) {
		strbuf_free(&texts[i]);
	}
	strbuf_free(&zipped);
	strbuf_free(&out);
}
END_TEST

START_TEST(damage_is_told_with_its_places)
{
	static const char *const texts[] = {"one\n", "two\n", "three\n", "four\n"};
	struct strbuf zipped = {NULL, 0, 0}, out = {NULL, 0, 0};
	char expected[300];
	size_t end[4];
	uint64_t offset;

	for (size_t i = 0; i < 4; i++) {
		add_member(&zipped, slice_of(texts[i]), 6);
		end[i] = zipped.len;
		if (i == 0) {
			strbuf_add_text(&zipped, "what is no gzip \x1f\x8b and \x1f\x8b\x08\xff");
		}
	}
	zipped.data[end[2] - 1] ^= 1;
	struct input *input = input_from_memory(strbuf_slice(&zipped), 0);
	drain(input, &out);
	ck_assert_str_eq(out.data, "one\ntwo\nthree\nfour\n");
	ck_assert_uint_eq(input_members(input), 4);
	snprintf(
	    expected, sizeof expected,
	    "gzip member 1 is followed by bytes that are not gzip (byte %zu of the file); reading "
	    "went on with the next member at byte %zu, what the 27 bytes between held is lost "
	    "(the first of 2 such places)",
	    end[0], end[0] + 27);
	ck_assert_str_eq(input_damage(input, &offset), expected);
	ck_assert_uint_eq(offset, 4);
	input_close(input);
	strbuf_free(&zipped);
	strbuf_free(&out);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("input_gzip");
	TCase *tests = tcase_create("input_gzip");

	tcase_set_timeout(tests, 20);
	tcase_add_test(tests, gzip_of_any_shape);
	tcase_add_test(tests, gzip_cut_anywhere);
	tcase_add_test(tests, gzip_corrupt_anywhere);
	tcase_add_test(tests, what_follows_gzip_is_named);
	tcase_add_test(tests, wrong_checksum_keeps_everything);
	tcase_add_test(tests, members_after_a_damaged_one_are_read);
	tcase_add_test(tests, damage_is_told_with_its_places);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
