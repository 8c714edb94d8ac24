/*
 * The .npy container of numpy, versions 1 to 3: a header that says what the array is, then its
 * bytes. Numbers become doubles in C order (integers beyond 2^53 lose digits); what an object array
 * holds is for input/pickle.h to read.
 *
 * Nothing is allocated because a header says so: values are taken as bytes arrive.
 * Used by import.
 */
#ifndef LANESCOPE_INPUT_NPY_H
#define LANESCOPE_INPUT_NPY_H

#include <stdbool.h>
#include <stdint.h>
#include "input/input.h"
#include "util/err.h"

#define NPY_DIMENSIONS 32
#define NPY_VALUES_LIMIT (UINT64_C(1) << 26) /* of one array */

enum npy_kind { NPY_FLOAT, NPY_SIGNED, NPY_UNSIGNED, NPY_BOOLEAN, NPY_OBJECT };

struct npy {
	unsigned major; /* version 1, 2 or 3 */
	char descr[4];  /* "<f8", "|O", as it stands there */
	enum npy_kind kind;
	unsigned item_bytes; /* 1, 2, 4 or 8; 0 for objects */
	bool is_big_endian, is_fortran;
	unsigned n_dimensions; /* 0: a single value */
	uint64_t shape[NPY_DIMENSIONS];
	uint64_t n_values; /* product of shape */
};

/* Does this look like the beginning of one? */
bool npy_recognise(struct slice head);
/* Takes the header off the input, which then stands at the data. ERR_FORMAT, ERR_LIMIT: why it is
 * none. */
int npy_read_header(struct input *input, struct npy *npy, struct err *err);
/* Takes the data of an array of numbers: n_values doubles (new; the caller frees them). */
int npy_read_values(struct input *input, const struct npy *npy, double **values, struct err *err);
/* "float64", "int32", "bool", "object": numpy's name of the type. */
const char *npy_type_name(const struct npy *npy);

#endif
