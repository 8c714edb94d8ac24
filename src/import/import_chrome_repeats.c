/*
 * Texts that come again and again: names, categories, keys of arguments, processes and threads.
 *
 * Looking each of them up among all texts of the trace would be most of what is left to do for a
 * record, on the one thread that gives records to the sink. So whoever parses a batch numbers the
 * short texts of that batch, in a table that stays in the nearest cache, and the sink is asked once
 * a batch for each of them; then the number leads to what it said. Texts are asked for when their
 * first record is given, as without all this, so that codes do not depend on it.
 */
#include "config.h"
#include "import/import_chrome.h"

#define SLOTS (CHROME_REPEATS * 2)
#define TRIES 8u /* more texts of one place go without a number */
#define LENGTH_LIMIT 64u
#define SPREAD UINT64_C(0x9e3779b97f4a7c15)

/* ---- numbering, on any thread ---- */

static inline uint64_t
load(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

void
chrome_repeats_clear(struct chrome_repeats *repeats)
{
	memset(repeats->slots, 0, sizeof repeats->slots);
	repeats->n = 0;
}

uint16_t
chrome_repeat_of(struct chrome_repeats *repeats, const char *text, size_t length)
{
	struct chrome_repeat wanted = {.text = text, .length = (uint32_t)length};

	if (length > LENGTH_LIMIT) {
		return 0;
	}
	wanted.first = load(text);
	if (length < sizeof wanted.first) {
		wanted.first &= (UINT64_C(1) << 8 * length) - 1;
	} else {
		wanted.last = load(text + length - sizeof wanted.last);
	}
	uint64_t hash = (wanted.first * SPREAD ^ wanted.last) * SPREAD + length;
	hash ^= hash >> 32;
	for (unsigned i = 0; i < TRIES; i++) {
		uint16_t *slot = &repeats->slots[(hash + i) % SLOTS];
		const struct chrome_repeat *known = &repeats->texts[*slot];
		if (*slot == 0) {
			if (repeats->n == CHROME_REPEATS) {
				return 0;
			}
			repeats->texts[++repeats->n] = wanted;
			*slot = (uint16_t)repeats->n;
			return *slot;
		}
		if (known->length == length && known->first == wanted.first &&
		    known->last == wanted.last &&
		    (length <= 16 || memcmp(known->text, text, length) == 0)) {
			return *slot;
		}
	}
	return 0;
}

/* ---- what they lead to ---- */

void
chrome_known_clear(struct chrome_known *known)
{
	memset(known, 0xff, sizeof *known);
}

text_code
chrome_code(struct chrome_reader *reader, const struct chrome_value *value)
{
	text_code *code = &reader->known.codes[value->repeat];

	if (!chrome_is_word(value)) {
		return TEXT_NONE;
	}
	if (value->repeat == 0) {
		return sink_text(reader->sink, chrome_text(value));
	}
	if (*code == TEXT_NONE) {
		*code = sink_text(reader->sink, chrome_text(value));
	}
	return *code;
}

uint32_t
chrome_key(struct chrome_reader *reader, const struct chrome_value *name)
{
	uint32_t *key = &reader->known.keys[name->repeat];

	if (name->repeat == 0) {
		return sink_key(reader->sink, chrome_text(name));
	}
	if (*key == INTERN_NONE) {
		*key = sink_key(reader->sink, chrome_text(name));
	}
	return *key;
}

uint32_t *
chrome_known_thread(struct chrome_reader *reader, const struct chrome_value *pid,
                    const struct chrome_value *tid)
{
	uint32_t pair = (uint32_t)pid->repeat << 16 | tid->repeat;
	struct chrome_known_thread *known =
	    &reader->known.threads[hash_mix(pair) % COUNT_OF(reader->known.threads)];

	if (pid->repeat == 0 || tid->repeat == 0) {
		return NULL;
	}
	if (known->pair != pair) {
		*known = (struct chrome_known_thread){pair, INTERN_NONE};
	}
	return &known->thread;
}
