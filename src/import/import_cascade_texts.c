/* Texts of a trace as codes of the sink. */
#include "config.h"
#include "import/import_cascade.h"

text_code
cascade_code(struct cascade_emitter *emitter, uint32_t id)
{
	if (id == INTERN_NONE) {
		return TEXT_NONE;
	}
	if (emitter->codes[id] == TEXT_NONE) {
		emitter->codes[id] =
		    sink_text(emitter->sink, intern_text(emitter->trace->texts, id));
	}
	return emitter->codes[id];
}

text_code
cascade_word(struct cascade_emitter *emitter, const char *text)
{
	return sink_text(emitter->sink, slice_of(text));
}
