/* A value as it is written where nothing is added to it. */
#include "config.h"
#include "export/export.h"

#include "util/format.h"

struct slice
export_raw(const struct value *value, struct strbuf *scratch)
{
	char buffer[FORMAT_BYTES];
	strbuf_clear(scratch);
	switch (value->type) {
	case VALUE_NULL:
		return (struct slice){"", 0};
	case VALUE_INTEGER:
		strbuf_add_integer(scratch, value->integer);
		break;
	case VALUE_REAL:
		strbuf_add_text(scratch, format_real(buffer, value->real));
		break;
	case VALUE_TEXT:
		return value->text;
	case VALUE_BLOB:
		for (size_t i = 0; i < value->text.len; i++) {
			strbuf_printf(scratch, "%02x", (unsigned char)value->text.ptr[i]);
		}
		break;
	}
	return scratch->data ? strbuf_slice(scratch) : (struct slice){"", 0};
}
