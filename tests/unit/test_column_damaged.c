/* Columns whose descriptions or bytes are not what was written. */
#include "config.h"

#include "column_fixture.h"

/* Reads everything of a column that may be damaged. */
static void
read_all(const struct column_info *info, const void *blob, uint32_t n)
{
	struct column_reader reader;
	struct err err = ERR_INIT;
	int64_t values[4096];
	uint64_t presence[64];
	struct slice text;
	static volatile char touched; /* makes the sanitizer look at the bytes */

	if (column_reader_init(&reader, info, blob, NULL, NULL, n, &err) < 0) {
		if (err.code != ERR_FORMAT) {
			ck_abort_msg("%s", err.message);
		}
		return;
	}
	for (uint32_t row = 0; row < n; row += 97) {
		if (column_text(&reader, row, &text) && text.len > 0) {
			touched ^= text.ptr[0] ^ text.ptr[text.len - 1];
		}
	}
	for (uint32_t row = 0; row < n; row += 4096) {
		column_read(&reader, n - row < 4096 ? n - row : 4096, values, presence);
	}
	(void)touched;
}

static void
damage(struct column_info *info, unsigned char *blob, struct prng *prng)
{
	switch (prng_below(prng, 9)) {
	case 0:
		info->flags ^= (uint8_t)(1u << prng_below(prng, 8));
		break;
	case 1:
		info->width = (uint8_t)prng_below(prng, 80);
		break;
	case 2:
		info->n_present = (uint32_t)prng_below(prng, 70000);
		break;
	case 3:
		info->type = (uint8_t)prng_below(prng, 6);
		break;
	case 4:
		info->base = (int64_t)prng_next(prng);
		info->scale = (int64_t)prng_next(prng);
		break;
	case 5:
		info->blob_bytes -= (uint32_t)prng_below(prng, info->blob_bytes + 1);
		break;
	default:
		if (info->blob_bytes) {
			uint64_t head =
			    prng_below(prng, info->blob_bytes < 24 ? info->blob_bytes : 24);
			blob[prng_below(prng, 2) ? head : prng_below(prng, info->blob_bytes)] ^=
			    (unsigned char)(1u << prng_below(prng, 8));
		}
	}
}

START_TEST(test_damaged)
{
	struct prng prng = {21};

	for (int round = 0; round < 60; round++) {
		uint32_t n = 1 + (uint32_t)prng_below(&prng, 3000);
		uint64_t *presence =
		    round % 3 ? make_presence(1 + (unsigned)round % 5, &prng, n) : NULL;
		int64_t *values = make_values((enum shape)(round % SHAPES), &prng, n);
		struct column_info info = {.type = COLUMN_INTEGER};
		struct strbuf out = {0};
		if (round % 4 == 3) {
			struct slice *texts = xcalloc(n, sizeof *texts);
			for (uint32_t row = 0; row < n; row++) {
				texts[row] = (struct slice){"some text", prng_below(&prng, 10)};
			}
			encode_texts(&info, texts, presence, n, &out);
			free(texts);
		} else if (round % 4 == 2) {
			double *reals = xcalloc(n, sizeof *reals);
			for (uint32_t row = 0; row < n; row++) {
				reals[row] = real_value(1 + round % 5, &prng);
			}
			info.type = COLUMN_REAL;
			encode_reals(&info, reals, presence, n, &out);
			free(reals);
		} else {
			column_encode_integers(&info, values, presence, n, &out);
		}
		for (int i = 0; i < 200; i++) {
			struct column_info broken = info;
			unsigned char *blob = blob_copy(&out);
			for (uint64_t times = 1 + prng_below(&prng, 3); times > 0; times--) {
				damage(&broken, blob, &prng);
			}
			read_all(&broken, blob,
			         prng_below(&prng, 8) ? n : (uint32_t)prng_below(&prng, 70000));
			free(blob);
		}
		strbuf_free(&out);
		free(values);
		free(presence);
	}
}
END_TEST

/* One column, damaged in one place: refused. */
struct specimen {
	struct column_info info;
	struct strbuf bytes;
};

static struct specimen
specimen_of(enum shape shape, unsigned presence_kind, uint32_t n)
{
	struct prng prng = {31};
	struct specimen specimen = {.info = {.type = COLUMN_INTEGER}};
	int64_t *values = make_values(shape, &prng, n);
	uint64_t *presence = presence_kind ? make_presence(presence_kind, &prng, n) : NULL;

	column_encode_integers(&specimen.info, values, presence, n, &specimen.bytes);
	free(values);
	free(presence);
	return specimen;
}

/* Changes the description, or XORs a byte counted from the start (or the end if negative). */
static void
check_refused(const struct specimen *specimen, struct column_info info, uint32_t n, long at,
              unsigned char change)
{
	struct column_reader reader;
	struct err err = ERR_INIT;
	unsigned char *blob = blob_copy(&specimen->bytes);

	if (change) {
		blob[at < 0 ? (size_t)((long)specimen->bytes.len + at) : (size_t)at] ^= change;
	}
	ck_assert_int_eq(column_reader_init(&reader, &info, blob, NULL, NULL, n, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	free(blob);
}

/* How many patches a dense column has: their count stands behind the numbers. */
static uint32_t
patches_of(const struct specimen *specimen)
{
	uint32_t count;
	size_t at = ((size_t)specimen->info.n_present * specimen->info.width + 7) / 8;

	memcpy(&count, specimen->bytes.data + at, sizeof count);
	return count;
}

START_TEST(test_refused)
{
	enum { N = 4000 };
	struct specimen plain = specimen_of(SHAPE_SMALL, 0, N),
			sparse = specimen_of(SHAPE_SMALL, 2, N);
	struct specimen list = specimen_of(SHAPE_SMALL, 3, N),
			table = specimen_of(SHAPE_FEW_WIDE, 0, N);
	struct specimen patches = specimen_of(SHAPE_OUTLIERS, 0, N);
	struct column_info info = plain.info;

	ck_assert(list.info.flags & COLUMN_LIST && table.info.flags & COLUMN_TABLE &&
	          patches.info.flags & COLUMN_PATCH);
	info.blob_bytes--;
	check_refused(&plain, info, N, 0, 0);
	info.blob_bytes += 2; /* one byte too many, of those that may be read beyond */
	check_refused(&plain, info, N, 0, 0);
	check_refused(&plain, plain.info, N - 1, 0, 0);
	check_refused(&plain, plain.info, BLOCK_ROWS + 1, 0, 0);
	static const uint8_t flags[] = {COLUMN_LIST,
	                                COLUMN_SPARSE | COLUMN_FILL,
	                                COLUMN_TABLE | COLUMN_DELTA,
	                                COLUMN_TABLE | COLUMN_PATCH,
	                                COLUMN_DECIMAL,
	                                COLUMN_COPY | COLUMN_DELTA,
	                                COLUMN_COPY};
	for (size_t i = 0; i < sizeof flags; i++) {
		info = plain.info;
		info.flags = flags[i];
		check_refused(&plain, info, N, 0, 0);
	}
	info = plain.info;
	info.width = 58;
	check_refused(&plain, info, N, 0, 0);
	info = plain.info;
	info.type = COLUMN_LOCAL_TEXT + 1;
	check_refused(&plain, info, N, 0, 0);
	check_refused(&sparse, sparse.info, N, 17, 4); /* a bit of the bitmap */
	check_refused(&list, list.info, N, 1, 0x80);   /* a row beyond the last */
	const char *rows = list.bytes.data;
	ck_assert(rows[1] == rows[3] && rows[0] != rows[2]);
	check_refused(&list, list.info, N, 2, (unsigned char)(rows[0] ^ rows[2])); /* a row twice */
	check_refused(&table, table.info, N, 0, 1);    /* one entry more or less */
	check_refused(&table, table.info, N, 2, 0xff); /* bytes an entry */
	check_refused(&patches, patches.info, N, -1 - 8 * (long)patches_of(&patches), 0x80);
	struct specimen *all[] = {&plain, &sparse, &list, &table, &patches};
	for (int i = 0; i < 5; i++) {
		strbuf_free(&all[i]->bytes);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("column_damaged");
	TCase *tests = tcase_create("damaged");

	tcase_add_test(tests, test_damaged);
	tcase_add_test(tests, test_refused);
	tcase_set_timeout(tests, 60);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
