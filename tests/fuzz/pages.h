/* Files of pages with checksums (runs, parts of runs) as an attacker makes them. */
#ifndef LANESCOPE_TESTS_FUZZ_PAGES_H
#define LANESCOPE_TESTS_FUZZ_PAGES_H

#include <stdint.h>
#include "util/slice.h"

void fuzz_read_file(const char *path, struct strbuf *bytes); /* appends */
void fuzz_write_file(const char *path, const struct strbuf *bytes);
/* Of four bytes, the highest first. */
uint32_t fuzz_number(const uint8_t *at);
/* One change of 7 bytes: what to do, a value, where (4 bytes), a small number. */
void fuzz_change_bytes(struct strbuf *bytes, const uint8_t *change);
/* Every checksum is right again. */
void fuzz_seal(struct strbuf *bytes);

#endif
