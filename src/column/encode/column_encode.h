/* What the encoders of one type share with each other; for src/column alone.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_ENCODE_COLUMN_ENCODE_H
#define LANESCOPE_COLUMN_ENCODE_COLUMN_ENCODE_H

#include "column/encode/column.h"

#define COLUMN_NO_DIGITS (-1)

/* As column_encode_packed_integers; digits: the values are decimals with so many digits after
 * the point. */
void column_encode_numbers(struct column_info *info, const int64_t *values,
                           const uint64_t *presence, uint32_t n_rows, int digits,
                           struct strbuf *out);
/* Sets info up for an encoding and appends who is present. */
void column_encode_presence(struct column_info *info, const uint64_t *presence, uint32_t n_rows,
                            struct strbuf *out);

#endif
