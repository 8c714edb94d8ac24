/* What a fuzz target offers; standalone.c or libFuzzer calls it. */
#ifndef LANESCOPE_TESTS_FUZZ_H
#define LANESCOPE_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* assert that is never compiled out. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : __builtin_trap())

#endif
