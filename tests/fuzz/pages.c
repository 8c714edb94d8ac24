#include "config.h"
#include "fuzz/pages.h"

#include <stdio.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "store/page.h"
#include "util/order.h"

void
fuzz_read_file(const char *path, struct strbuf *bytes)
{
	char buffer[65536];
	FILE *file = fopen(path, "rb");

	FUZZ_CHECK(file != NULL);
	for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;) {
		strbuf_add(bytes, buffer, n);
	}
	fclose(file);
}

uint32_t
fuzz_number(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

void
fuzz_change_bytes(struct strbuf *bytes, const uint8_t *change)
{
	size_t at = fuzz_number(change + 2) % bytes->len;
	size_t left = bytes->len - at;

	switch (change[0] % 8) {
	case 0:
		bytes->data[at] = (char)change[1];
		break;
	case 1:
		bytes->data[at] ^= (char)(1 << change[1] % 8);
		break;
	case 2:
		memset(bytes->data + at, change[1], LEAST(change[6] % 8 + 1u, left));
		break;
	case 3: /* what stands elsewhere, as of another page */
		memmove(bytes->data + at, bytes->data + at / 2,
		        LEAST((size_t)512 << change[6] % 4, left));
		break;
	default: /* it breaks off */
		bytes->len -= LEAST(bytes->len - 1, (size_t)fuzz_number(change + 2) % 70000);
	}
}

void
fuzz_write_file(const char *path, const struct strbuf *bytes)
{
	FILE *file = fopen(path, "wb");

	FUZZ_CHECK(file && fwrite(bytes->data, 1, bytes->len, file) == bytes->len &&
	           fclose(file) == 0);
}

void
fuzz_seal(struct strbuf *bytes)
{
	unsigned char *pages = (unsigned char *)bytes->data;
	size_t n = bytes->len >= PAGE_HEADER_BYTES ? page_header_bytes(pages) : 0;

	for (size_t at = 0; n && bytes->len - at >= n; at += n) {
		page_seal(pages + at, n);
	}
}
