/*
 * What the parts of the DFTracer importer share. A line goes through them like this:
 *
 *   import_dftracer.c           the loop over lines, what is skipped, problems
 *   import_dftracer_look.c      recognition; of which job a file is
 *   import_dftracer_parse.c     line -> struct dftracer_record (raw values, nothing decided)
 *   import_dftracer_batch.c     the same of many lines at once, on other threads
 *   import_dftracer_emit.c      record -> span, counter; times, sizes, arguments
 *   import_dftracer_sums.c      what a record says of many calls
 *   import_dftracer_metadata.c  record -> definitions of hashes, tags; start and end
 *   import_dftracer_cache.c     keys, texts, hashes, lanes that repeat, without asking the sink
 *   import_dftracer_facts.c     what is known of a source's processes; conclude over all sources
 *   import_dftracer_ids.c       ids of records: which may stand twice
 *   import_dftracer_keys.c      keys of these, in a second reading
 * Used by its room alone.
 */
#ifndef LANESCOPE_IMPORT_IMPORT_DFTRACER_H
#define LANESCOPE_IMPORT_IMPORT_DFTRACER_H

#include "import/shared.h"
#include "input/json.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/mem.h"

/* A JSON value as it stands in the line. Texts are decoded; nested values are JSON text. */
enum dftracer_type {
	DFTRACER_ABSENT,
	DFTRACER_NUMBER,
	DFTRACER_STRING,
	DFTRACER_TRUE,
	DFTRACER_FALSE,
	DFTRACER_NULL,
	DFTRACER_NESTED
};
struct dftracer_value {
	const char *ptr;
	uint32_t len;
	uint8_t type;    /* enum dftracer_type */
	bool is_integer; /* NUMBER without fraction and exponent */
};

/* Keys that mean something, as ids of parser->keys; all others follow. */
/* clang-format off */
#define DFTRACER_KEYS(KEY) \
	/* columns of the record itself: value in record->top */ \
	KEY(NAME, "name") \
	KEY(CAT, "cat") \
	KEY(PH, "ph") \
	KEY(PID, "pid") \
	KEY(TID, "tid") \
	KEY(TS, "ts") \
	KEY(DUR, "dur") \
	KEY(ARGS, "args") \
	/* arguments that become fields of a span or lane */ \
	KEY(HOSTNAME, "hostname") \
	KEY(HHASH, "hhash") \
	KEY(FNAME, "fname") \
	KEY(FHASH, "fhash") \
	KEY(RET, "ret") \
	KEY(RET_SUM, "ret_sum") \
	KEY(IMAGE_SIZE, "image_size") \
	KEY(IMAGE_SIZE_SUM, "image_size_sum") \
	KEY(DFT_CNT, "dft_cnt") \
	KEY(DUR_SUM, "dur_sum") \
	KEY(DUR_MIN, "dur_min") \
	KEY(DUR_MAX, "dur_max") \
	KEY(RET_MIN, "ret_min") \
	KEY(RET_MAX, "ret_max") \
	KEY(IMAGE_SIZE_MIN, "image_size_min") \
	KEY(IMAGE_SIZE_MAX, "image_size_max") \
	KEY(VALUE, "value") \
	KEY(HASH, "hash") \
	KEY(ID, "id") \
	KEY(TYPE, "type") \
	KEY(P_IDX, "p_idx") \
	KEY(LEVEL, "level") \
	KEY(CFG, "cfg") \
	KEY(TIME_METRIC, "time_metric") \
	KEY(CMD_HASH, "cmd_hash") \
	KEY(EXEC_HASH, "exec_hash")
/* clang-format on */

#define DFTRACER_KEY_ID(id, name) KEY_##id,
enum dftracer_key_id { DFTRACER_KEYS(DFTRACER_KEY_ID) KEYS_KNOWN };
#define DFTRACER_NO_KEY UINT32_MAX
#define DFTRACER_TOPS (KEY_ARGS + 1)
#define DFTRACER_PAIRS_LIMIT 4096u /* arguments of one record */

#define DFTRACER_QUOTES 1024u
#define DFTRACER_KEY_SLOTS 512

#define DFTRACER_UNASKED UINT32_MAX
struct dftracer_key {
	uint32_t sink_key;  /* what sink->key said, or DFTRACER_UNASKED */
	uint32_t args_twin; /* key "args.KEY": for an argument that a column's name stands beside */
	/* Last record that had it as a column (0) or in args (1), and where in record->pairs. */
	uint64_t seen[2];
	uint32_t pair[2];
};

/* The cache in front of key_names holds keys of up to 16 bytes. */
struct dftracer_key_slot {
	uint64_t words[2]; /* the key, zero-padded */
	uint32_t len, id;  /* len UINT32_MAX: free */
};

struct dftracer_pair {
	uint32_t key;
	uint32_t level; /* 0 column of the record, 1 argument */
	struct dftracer_value value;
};

struct dftracer_record {
	uint64_t number; /* from 1; marks the keys seen in it */
	struct dftracer_value top[DFTRACER_TOPS];
	const struct dftracer_pair *pairs;
	size_t n_pairs;
};

/* What takes lines apart, one after the other. */
struct dftracer_parser {
	bool lenient, keeps_texts; /* of all lines, until dftracer_parser_clear */
	struct dftracer_record record;
	struct dftracer_pair *pairs; /* of the line that was parsed last */
	size_t pairs_capacity;
	struct json json;
	struct arena *arena; /* decoded texts */
	bool arena_used;

	struct intern *key_names;
	struct dftracer_key *keys; /* by id of key_names */
	size_t keys_capacity;
	uint16_t quotes[DFTRACER_QUOTES +
	                10]; /* of the line: offsets of its quotes, then two of 65535 */
	struct dftracer_key_slot key_slots[DFTRACER_KEY_SLOTS + 1];
};

/* What a name or category means, worked out once per text. */
enum dftracer_text_flags {
	MEANS_WRITE = 1, /* its return value is a number of bytes */
	MEANS_READ = 2,
	MEANS_POSIX = 4,
	MEANS_DFTRACER = 8,
	MEANS_START = 16,
	MEANS_END = 32,
	MEANS_UNASKED = 64 /* nobody wanted to know yet */
};

struct dftracer_text {
	char *bytes;
	uint64_t hash;
	uint32_t len, capacity;
	text_code code;
	uint32_t flags;
};

struct dftracer_symbol {
	uint64_t words[3]; /* up to 24 bytes of the hash, zero-padded */
	int64_t pid;
	uint32_t len;
	char class; /* 'F' file, 'H' host, 'S' string; 0: free */
	text_code code;
};

/* A lane by what the record says of it, as written. */
struct dftracer_lane {
	uint64_t words[7]; /* process (16 bytes), thread (16), host (24), zero-padded */
	uint32_t shape;    /* their lengths, which host it is, the lane's kind; 0: free */
	uint32_t lane;
};

#define DFTRACER_CANCEL_EVERY 1024u /* lines */
#define DFTRACER_EXCERPT 512u       /* bytes of a line that a problem shows */
#define DFTRACER_TEXT_SLOTS 1024
#define DFTRACER_SYMBOL_SLOTS 1024
#define DFTRACER_LANE_SLOTS 1024

/* Things seen in a source that tell its dialect. */
enum dftracer_marks {
	MARK_NUMERIC_PH = 1,
	MARK_PH_H = 2,
	MARK_HEX_HASH = 4,
	MARK_WIDE_HASH = 8,
	MARK_SHORT_HASH = 16,
	MARK_QUOTED_PID = 32,
	MARK_ID = 64
};

/* A process that wrote events. */
struct dftracer_process {
	int64_t pid;
	uint32_t host; /* name or hash in facts->texts, INTERN_NONE unknown */
	bool host_is_hash;
	bool started, ended;
	/* Records for many calls: whether they begin at more than one time; when the last one
	 * does. */
	bool has_grid;
	int64_t sums_start_ns;
	uint64_t n_sums;
};

/* Records that tell less of their calls than they should: how many, of how many calls; the
 * first. */
struct dftracer_doubt {
	uint64_t n_records, line, offset;
	int64_t n_calls;
};

/* Ids of the records of one thread: calls, or what is none. There may be millions of them. */
struct dftracer_ids {
	uint64_t key;        /* see dftracer_ids_key */
	int64_t first, last; /* the least and the greatest */
	int64_t start_first, start_last, end_last;
	int64_t tie;      /* of the first record that ends at end_last */
	uint32_t process; /* in reader->process_ids */
	uint32_t is_suspect : 1, is_restart : 1;
	uint32_t more : 30; /* in facts->more, + 1; 0: none */
};
/* What few threads have. */
struct dftracer_ids_more {
	int64_t *ties; /* of further records that end at end_last */
	size_t n_ties, ties_capacity;
	/* Records that began later than all before them and have a lesser id than one of these; the
	 * first. */
	uint64_t n_back, back_line, back_offset;
};

struct dftracer_facts {
	struct intern *texts;
	struct intern *process_keys; /* (host, pid) as bytes -> index in processes */
	struct dftracer_process *processes;
	size_t n_processes, processes_capacity;
	uint32_t *host_names; /* by id of the hash in texts: id of the name */
	size_t n_host_names, host_names_capacity;
	int64_t *ranks; /* as the processes said, unsorted */
	size_t n_ranks, ranks_capacity;
	int64_t file_rank, file_ranks; /* trace-RANK-of-RANKS; -1 if the name says nothing */
	uint32_t marks;
	struct dftracer_ids *ids; /* sorted by their keys once the source is read */
	size_t n_ids, ids_capacity;
	struct dftracer_ids_more *more;
	size_t n_more, more_capacity;
	size_t n_begun_again; /* of the threads: ids that begin again where another source ended */
	uint64_t n_restarts, restart_line, restart_offset;
	bool closed; /* the file has its [ or ], so the tracer finished it */
	bool any_record;
};

struct dftracer_line {
	uint64_t number, offset; /* from 1; of its first byte */
	struct slice text;       /* all of it */
	struct slice record;     /* without what surrounds it */
	const char *reason;      /* why it is no record, static text; NULL: it is one */
	uint64_t column;         /* where, from 1 */
};

struct dftracer_reader {
	struct input *input;
	struct sink *sink;
	struct dftracer_parser *parser; /* that has the record at hand: own, or of a batch */
	struct dftracer_parser *own;
	struct batches *batches;              /* NULL: none yet */
	struct err *err;                      /* of these */
	const struct import_options *options; /* NULL: none */

	struct dftracer_text texts[DFTRACER_TEXT_SLOTS];
	struct dftracer_symbol symbols[DFTRACER_SYMBOL_SLOTS];
	struct dftracer_lane lanes[DFTRACER_LANE_SLOTS];

	uint32_t *lane_ids;    /* by lane: index in facts->ids + 1, 0: none yet */
	struct index laneless; /* of those in facts->ids that are of no lane */
	size_t lane_ids_capacity;
	struct intern *process_names;    /* as written -> index in process_ids */
	struct number_set **process_ids; /* what ids of it were read */
	size_t n_processes, processes_capacity;
	uint64_t n_ids;
	struct arg *args; /* of the record, reused */
	size_t args_capacity;

	struct intern *strings; /* hashes of SH records and their texts, for start records */
	uint32_t *string_texts; /* by id of the hash: id of the text, or INTERN_NONE */
	size_t string_texts_capacity;

	struct source_facts counts;
	struct dftracer_facts *facts;
	struct dftracer_doubt untold, contradictory;
	uint32_t sums_lane;  /* of the last record for many calls */
	size_t sums_process; /* in facts->processes */
	int64_t time_max;
	struct dftracer_line at; /* hand */
	/* A last line that broke off with the gzip stream: told together with that. */
	char tail[DFTRACER_EXCERPT];
	size_t tail_len;
	uint64_t tail_offset;
};

static inline size_t
dftracer_key_hash(uint64_t first, uint64_t second, size_t len)
{
	return (size_t)((first + second * 3 + len) * UINT64_C(0x9e3779b97f4a7c15) >> 55) %
	       DFTRACER_KEY_SLOTS;
}

/* ---- eight bytes at a time; 8 bytes from `at` must be readable, as behind all values they are
 * ---- */

#define DFTRACER_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

static inline uint64_t
dftracer_load(const char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof word);
	return word;
}

/* The first `len` (0 to 8, or more) bytes, zero-padded. */
static inline uint64_t
dftracer_load_part(const char *at, size_t len)
{
	uint64_t word = dftracer_load(at);

	return len >= 8 ? word : word & ((UINT64_C(1) << (8 * len)) - 1);
}

/* The top bit of bytes that are no decimal digits; right up to the first of them. */
static inline uint64_t
dftracer_not_digits(uint64_t word)
{
	word ^= DFTRACER_EACH_BYTE('0');
	return ((word + DFTRACER_EACH_BYTE(0x76)) | word) & DFTRACER_EACH_BYTE(0x80);
}

/* Eight decimal digits, the first in the lowest byte. */
static inline uint64_t
dftracer_eight_digits(uint64_t word)
{
	word = (word & DFTRACER_EACH_BYTE(0x0f)) * 2561 >> 8;
	word = (word & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;
	return (word & UINT64_C(0x0000ffff0000ffff)) * UINT64_C(42949672960001) >> 32;
}

/* Up to eight digits, read as eight with zeros in front; *others collects what is no digit. */
static inline uint64_t
dftracer_few_digits(const char *at, size_t len, uint64_t *others)
{
	uint64_t word = dftracer_load(at);

	if (len < 8) {
		word = word << (8 * (8 - len)) | DFTRACER_EACH_BYTE('0') >> (8 * len);
	}
	*others |= dftracer_not_digits(word);
	return dftracer_eight_digits(word);
}

/* Decimal integer of 1 to 16 digits. False: not that, or longer. */
static inline bool
dftracer_short_integer(const char *at, size_t len, int64_t *integer)
{
	bool negative = len && *at == '-';
	uint64_t others = 0, value;

	at += negative;
	len -= negative;
	if (len - 1 < 8) {
		value = dftracer_few_digits(at, len, &others);
	} else if (len - 1 < 16) {
		value = dftracer_few_digits(at, len - 8, &others) * 100000000 +
		        dftracer_few_digits(at + len - 8, 8, &others);
	} else {
		return false;
	}
	*integer = negative ? -(int64_t)value : (int64_t)value;
	return others == 0;
}

static inline bool
dftracer_is_text(const struct dftracer_value *value)
{
	return value && (value->type == DFTRACER_STRING || value->type == DFTRACER_NUMBER);
}

static inline struct slice
dftracer_slice(const struct dftracer_value *value)
{
	return (struct slice){value->ptr, value->len};
}

/* Whole decimal number, bare or quoted. */
static inline bool
dftracer_integer(const struct dftracer_value *value, int64_t *integer)
{
	return dftracer_is_text(value) &&
	       (dftracer_short_integer(value->ptr, value->len, integer) ||
	        slice_int64(dftracer_slice(value), integer));
}

/* Microseconds, bare or quoted, to ns. */
static inline bool
dftracer_time(const struct dftracer_value *value, int64_t *ns)
{
	const int64_t ns_per_us = 1000;
	int64_t us;

	if (value->type != DFTRACER_NUMBER && value->type != DFTRACER_STRING) {
		return false;
	}
	if (dftracer_short_integer(value->ptr, value->len, &us)) {
		return !__builtin_mul_overflow(us, ns_per_us, ns);
	}
	return decimal_to_ns(dftracer_slice(value), ns_per_us, ns);
}

/* import_dftracer.c */
/* The line at hand, whose record is the parser's. 0, 1 the sink stopped. */
int dftracer_take_line(struct dftracer_reader *reader);
bool dftracer_is_omitted(const struct dftracer_reader *reader);
/* 0, -1 cancelled. */
int dftracer_check_cancel(const struct dftracer_reader *reader, struct err *err);

/* import_dftracer_batch.c: reads what it can of the lines that the input stands before. 0, 1 the
 * sink stopped, -1 err. */
int dftracer_read_batches(struct dftracer_reader *reader, struct err *err);

/* import_dftracer_line.c */
/* Takes off what may stand around a record: array brackets, one comma behind, blanks. *brackets:
 * any seen. */
struct slice dftracer_strip(struct slice text, bool *brackets);
#define DFTRACER_BLANKS " \t\r\n"

/* import_dftracer_look.c */
int dftracer_sniff(struct slice head, const char *file_name);
void dftracer_look(struct slice head, const char *file_name, struct arena *arena,
                   struct import_look *look);

/* import_dftracer_parse.c. line: without blanks around it, INPUT_PADDING readable bytes after it.
 */
struct dftracer_parser *dftracer_parser_new(bool lenient);
void dftracer_parser_free(struct dftracer_parser *parser); /* takes NULL */
/* Forgets the texts that were decoded. */
void dftracer_parser_clear(struct dftracer_parser *parser);
/* NULL, or why the line is no record (static text), with *column from 1. */
const char *dftracer_parse(struct dftracer_parser *parser, struct slice line, uint64_t *column);
/* The two ways to read a line, alike in result; the first gives up (false) on whatever is not
 * plain. */
bool dftracer_parse_plain(struct dftracer_parser *parser, struct slice line);
const char *dftracer_parse_json(struct dftracer_parser *parser, struct slice line,
                                uint64_t *column);
/* NULL if the record has no such argument. */
static inline const struct dftracer_value *
dftracer_argument(const struct dftracer_parser *parser, unsigned key)
{
	const struct dftracer_key *entry = &parser->keys[key];

	return entry->seen[1] == parser->record.number ? &parser->record.pairs[entry->pair[1]].value
	                                               : NULL;
}

/* import_dftracer_cache.c */
void dftracer_cache_fini(struct dftracer_reader *reader);
/* The keys that mean something get their ids. */
void dftracer_keys_init(struct dftracer_parser *parser);
uint32_t dftracer_key_intern(struct dftracer_parser *parser, const char *key, size_t len);
/* The id of a key; 16 bytes from key must be readable. */
static inline uint32_t
dftracer_key_find(struct dftracer_parser *parser, const char *key, size_t len)
{
	uint64_t first = dftracer_load_part(key, len);
	uint64_t second = len > 8 ? dftracer_load_part(key + 8, len - 8) : 0;
	const struct dftracer_key_slot *slot =
	    &parser->key_slots[dftracer_key_hash(first, second, len)];

	if (slot->words[0] == first && slot->words[1] == second && slot->len == len) {
		return slot->id;
	}
	slot++; /* a second place for keys that meet */
	if (slot->words[0] == first && slot->words[1] == second && slot->len == len) {
		return slot->id;
	}
	return dftracer_key_intern(parser, key, len);
}
uint32_t dftracer_ask_key(struct dftracer_reader *reader, uint32_t key);
static inline uint32_t
dftracer_sink_key(struct dftracer_reader *reader, uint32_t key)
{
	uint32_t known = reader->parser->keys[key].sink_key;

	return known != DFTRACER_UNASKED ? known : dftracer_ask_key(reader, key);
}
uint32_t dftracer_args_twin(struct dftracer_reader *reader, uint32_t key);
/* flags may be NULL. */
text_code dftracer_text(struct dftracer_reader *reader, struct slice text, uint32_t *flags);
text_code dftracer_symbol(struct dftracer_reader *reader, char class,
                          const struct dftracer_value *hash);
void dftracer_define(struct dftracer_reader *reader, char class, struct slice hash,
                     struct slice text);
/* The lane of the record at hand. */
uint32_t dftracer_lane(struct dftracer_reader *reader, enum lane_kind kind);
/* "process 12" */
struct slice dftracer_process_scope(struct dftracer_reader *reader, struct strbuf *out);

/* import_dftracer_emit.c, import_dftracer_metadata.c: 0, or what a sink callback returned, or -1
 * with *reason set (static text): the record's values make no sense. */
int dftracer_emit(struct dftracer_reader *reader, const char **reason);
/* Has the record a name and times, as calls must? */
bool dftracer_is_valid(const struct dftracer_reader *reader);
int dftracer_metadata(struct dftracer_reader *reader, bool name_is_text, const char **reason);
/* Start and end records besides their span. */
int dftracer_lifecycle(struct dftracer_reader *reader, uint32_t name_flags);
/* Where the size of a record stands: KEY_RET, KEY_IMAGE_SIZE or DFTRACER_NO_KEY. */
uint32_t dftracer_size_key(uint32_t name_flags, uint32_t category_flags, bool has_ret);
/* A positive size, SIZE_TOO_LARGE, or SIZE_NONE; value may be NULL. */
int64_t dftracer_size(const struct dftracer_value *value);
int dftracer_problem(struct dftracer_reader *reader, enum problem_kind kind, const char *reason);

/* import_dftracer_sums.c */
/* How many calls it stands for; if it does not tell: what varied was of two at least. False: it
 * tells none. */
bool dftracer_sum_calls(struct dftracer_reader *reader, int64_t *calls);
/* What they took together, each and at least the longest; NULL, or why that makes no sense. */
const char *dftracer_sum_durations(struct dftracer_reader *reader, struct span *span,
                                   struct call_totals *totals);
void dftracer_sum_sizes(struct dftracer_reader *reader, uint32_t name_flags,
                        uint32_t category_flags, struct span *span, struct call_totals *totals);
/* The record at hand begins an interval there. */
void dftracer_sum_start(struct dftracer_reader *reader, uint32_t lane, int64_t start_ns);
/* At the end of the source: what records left open. */
int dftracer_report_sums(struct dftracer_reader *reader);

/* import_dftracer_ids.c */
/* The record at hand has times, and is of that lane of a thread (LANE_NONE: of another kind): notes
 * its id, if it has one. */
void dftracer_note_id(struct dftracer_reader *reader, uint32_t lane, int64_t start_ns,
                      int64_t end_ns);
void dftracer_note_metadata_id(struct dftracer_reader *reader);
void dftracer_ids_fini(struct dftracer_reader *reader);
/* Ids that begin again within the source. */
int dftracer_report_ids(struct dftracer_reader *reader);
bool dftracer_id(const struct dftracer_reader *reader, int64_t *id);
/* What its ids are kept under: a hash of host, process and thread of the record at hand, as
 * written. */
uint64_t dftracer_ids_key(const struct dftracer_reader *reader);
/* After dftracer_repeats: may records of that key stand twice? */
bool dftracer_is_suspect(const struct dftracer_facts *facts, uint64_t key);
void dftracer_forget_ids(struct dftracer_facts *facts);
bool dftracer_repeats(void *const *facts, size_t n_facts, bool *is_suspect);
/* After dftracer_repeats: sources whose ids begin again where others of the process have ended. */
int dftracer_report_restarts(void *const *facts, size_t n_facts, struct sink *sink);

/* import_dftracer_keys.c: the key of the record at hand; false: it is of no thread that is
 * suspect. */
bool dftracer_key_of(const struct dftracer_reader *reader, const struct dftracer_facts *facts,
                     struct import_key *key);

/* import_dftracer_facts.c */
/* Of "trace-3-of-16.pfw.gz"; -1 if the name says nothing. */
void dftracer_ranks_of_name(const char *path, int64_t *rank, int64_t *ranks);
struct dftracer_facts *dftracer_facts_new(const char *path);
void dftracer_facts_free(void *facts);
struct dftracer_process *dftracer_facts_process(struct dftracer_facts *facts, struct slice host,
                                                bool host_is_hash, int64_t pid);
void dftracer_facts_host_name(struct dftracer_facts *facts, struct slice hash, struct slice name);
void dftracer_facts_rank(struct dftracer_facts *facts, int64_t rank);
const char *dftracer_facts_dialect(const struct dftracer_facts *facts);
/* import_dftracer_pack.c: import_format.pack_facts */
void dftracer_facts_pack(struct pack *pack, void **facts);
void dftracer_conclude(void *const *facts, size_t n_facts, struct sink *sink);

#endif
