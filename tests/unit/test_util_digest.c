/* The digest against figures of the reference implementation (libxxhash 0.8.1), whatever the
 * pieces. */
#include "config.h"

#include <stdlib.h>

#include "unit.h"
#include "util/digest.h"

/* Lengths on both sides of where the rules change; the bytes are 0, 1 ... 255, 0, 1 ... */
static const struct {
	size_t length;
	const char *text;
} figures[] = {
    {0, "99aa06d3014798d86001c324468d497f"},     {1, "a6cd5e9392000f6ac44bdff4074eecdb"},
    {2, "6a4a5274c1b0d3add6645fc3051a9457"},     {3, "e3b55f57945a17cf5f4299fc161c9cbb"},
    {4, "eb70bf5fc779e9e6a6111d53e80a3db5"},     {8, "e1e4432a62217fe4cfd50c61c8bb98c1"},
    {9, "16c769d83e4aebce907931979dca3746"},     {16, "72950631827607e2842812cc870dcae2"},
    {17, "685bc458b37d057fc06e233df7729217"},    {32, "25e7c9b3424ceed2457d9566b6fcd697"},
    {33, "02175c3aabb00637e08d84951339de86"},    {64, "9c6e140a465545e590c1971ddb04ce74"},
    {65, "ebedf05eeadc28f11aee64a1615de88f"},    {96, "c57556e9ccb97efa6e53ab55b4f5558b"},
    {97, "9b09227e063da5a25b3284a61f91e97d"},    {128, "14792fc3af88dc6c05321a0b64d67b41"},
    {129, "dd5e74ac6b45f54ebc30b63382b09a3b"},   {159, "e34482de7831e5f6aea9455053a8845b"},
    {160, "4e95c1cd6dc7bb85c67fcd13c31b09f4"},   {192, "10c987dc285c756b050f429c4f52b688"},
    {240, "65b5be86da5540e7c92b68e16f83bbb6"},   {241, "1da1cb61bcb8a2a102e8cd95421c6d02"},
    {256, "f1f8a93f50849ac39408a4433b952d71"},   {1023, "24a6b20b01d4b80026a0a01d1c925c06"},
    {1024, "83885e853bb6640ca870f92984398d22"},  {1025, "e1e508f110763b4678c86e91ee939852"},
    {1088, "03ecd3dcac9049e9280d4e7cb6579eb6"},  {1089, "cf5af7c44728c2d842f8401c93f322b4"},
    {2048, "df73e0768dd183fadd420471ff96bd00"},  {2049, "95f65d47a8aa231662dff343e7dbac9b"},
    {65537, "0ef6089befffac8e6f07daa721550bcb"}, {100000, "077f8d86a61f4d7439cf9d035d60ad58"},
};

static const unsigned char *
counting_bytes(size_t n)
{
	unsigned char *bytes = malloc(n);
	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < n; i++) {
		bytes[i] = (unsigned char)i;
	}
	return bytes;
}

static void
check_figures(size_t piece)
{
	const unsigned char *bytes = counting_bytes(100000);
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		char text[DIGEST_TEXT_BYTES];
		struct digest digest;
		digest_init(&digest);
		for (size_t at = 0; at < figures[i].length; at += piece) {
			size_t left = figures[i].length - at;
			digest_add(&digest, bytes + at, left < piece ? left : piece);
		}
		ck_assert_str_eq(digest_print(digest_end(&digest), text), figures[i].text);
	}
	free((void *)bytes);
}

START_TEST(figures_come_out_whole)
{
	check_figures(SIZE_MAX / 2);
}
END_TEST

START_TEST(figures_come_out_in_pieces)
{
	static const size_t pieces[] = {1, 7, 63, 64, 65, 1023, 1024, 1025, 4096};
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		check_figures(pieces[i]);
	}
}
END_TEST

START_TEST(going_on_after_an_end)
{
	char at_once[DIGEST_TEXT_BYTES], later[DIGEST_TEXT_BYTES];
	struct digest one, other;
	digest_init(&one);
	digest_init(&other);
	digest_add(&one, "some bytes and more", 19);
	digest_add(&other, "some bytes", 10);
	(void)digest_end(&other);
	digest_add(&other, " and more", 9);
	ck_assert_str_eq(digest_print(digest_end(&one), at_once),
	                 digest_print(digest_end(&other), later));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_digest");
	TCase *tests = tcase_create("digest");

	tcase_add_test(tests, figures_come_out_whole);
	tcase_add_test(tests, figures_come_out_in_pieces);
	tcase_add_test(tests, going_on_after_an_end);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
