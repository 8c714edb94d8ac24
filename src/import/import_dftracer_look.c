/*
 * What the first bytes of a trace tell: is it one of DFTracer, and of which job is it?
 *
 * A job is told by its processes (host and process id, and how each was started), by ranks (of a PR
 * record, of a name trace-RANK-of-RANKS; the old dialects wrote ranks as process ids), by the time
 * of its first records and by its command. The first records themselves tell apart what two
 * programs wrote under one process id: ids are given once by a process.
 */
#include "config.h"
#include "import/import_dftracer.h"

#include <stdlib.h>

#include "util/order.h"

#define SNIFF_LINES 40

struct sniff {
	struct dftracer_parser *parser;
	struct strbuf padded;
	unsigned records, marked, typical, others, commas;
	unsigned foreign; /* of phases that only Chrome traces have */
};

/* Has it what only DFTracer writes? */
static bool
is_marked(const struct dftracer_parser *parser)
{
	static const unsigned keys[] = {KEY_HHASH, KEY_FHASH, KEY_HOSTNAME,
	                                KEY_FNAME, KEY_P_IDX, KEY_RET};

	for (size_t i = 0; i < COUNT_OF(keys); i++) {
		if (dftracer_argument(parser, keys[i])) {
			return true;
		}
	}
	return parser->record.top[KEY_PH].type == DFTRACER_NUMBER;
}

/* A category that it has, and that others may have. */
static bool
is_typical(const struct dftracer_parser *parser)
{
	const struct dftracer_value *cat = &parser->record.top[KEY_CAT];
	struct slice category = {cat->ptr, cat->len};

	return cat->type == DFTRACER_STRING &&
	       (slice_is(category, "dftracer") || slice_is(category, "POSIX") ||
	        slice_is(category, "STDIO"));
}

static bool
is_foreign(const struct dftracer_parser *parser)
{
	const struct dftracer_value *ph = &parser->record.top[KEY_PH];

	return ph->type == DFTRACER_STRING && ph->len == 1 && ph->ptr[0] &&
	       strchr("BEiIRbneSTpFstfNODPcVv", ph->ptr[0]);
}

static bool
is_record(const struct dftracer_parser *parser)
{
	const struct dftracer_value *top = parser->record.top;
	const struct dftracer_value *ph = &top[KEY_PH];
	char kind = ph->type == DFTRACER_ABSENT ? 'X' : '?';

	if ((ph->type == DFTRACER_STRING || ph->type == DFTRACER_NUMBER) && ph->len == 1) {
		kind = ph->ptr[0];
	}
	if (top[KEY_NAME].type != DFTRACER_STRING || top[KEY_PID].type == DFTRACER_ABSENT) {
		return false;
	}
	if (kind == 'X' || kind == '1') {
		return top[KEY_TS].type != DFTRACER_ABSENT &&
		       top[KEY_DUR].type != DFTRACER_ABSENT && top[KEY_TID].type != DFTRACER_ABSENT;
	}
	return kind && strchr("MHCA234", kind);
}

static void
sniff_line(struct sniff *sniff, struct slice line, bool whole)
{
	static const char zeros[INPUT_PADDING];
	bool brackets = false;
	uint64_t column;

	struct slice trimmed = slice_trim(line, DFTRACER_BLANKS);
	struct slice record = dftracer_strip(line, &brackets);
	if (record.len == 0) {
		return;
	}
	if (record.ptr[0] != '{') {
		sniff->others += whole;
		return;
	}
	if (!sniff->parser) { /* it is large, and most files are of other formats */
		sniff->parser = dftracer_parser_new(true);
	}
	strbuf_clear(&sniff->padded);
	strbuf_add_slice(&sniff->padded, record);
	strbuf_add(&sniff->padded, zeros, sizeof zeros);
	record.ptr = sniff->padded.data;
	if (dftracer_parse(sniff->parser, record, &column)) {
		sniff->others += whole;
	} else if (is_record(sniff->parser)) {
		bool marked = is_marked(sniff->parser);
		sniff->records++;
		sniff->marked += marked;
		sniff->typical += marked || is_typical(sniff->parser);
		sniff->commas += trimmed.ptr[trimmed.len - 1] == ',';
	} else {
		sniff->others++;
		sniff->foreign += is_foreign(sniff->parser);
	}
}

/* Chrome traces have events of the same shape, often one a line, but then with commas between them,
 * and of any category; and they have phases of their own.
 */
static int
score_of(const struct sniff *sniff, const char *file_name)
{
	bool named = file_name && strstr(file_name, ".pfw");

	if (sniff->records == 0 || sniff->others > sniff->records) {
		return 0;
	}
	if (sniff->commas && !named && (sniff->foreign || sniff->marked * 2 < sniff->records)) {
		return 0;
	}
	if (sniff->typical * 2 >= sniff->records) {
		return sniff->commas ? 75 + 10 * named : 95 + 5 * named;
	}
	if (sniff->commas) {
		return named ? 40 : 0;
	}
	return sniff->typical || named ? 85 : 60;
}

/* The next line of head, *whole: with its end. False: there is none. */
static bool
next_line(struct slice *head, struct slice *line, bool *whole)
{
	const char *newline = head->len ? memchr(head->ptr, '\n', head->len) : NULL;
	size_t len = newline ? (size_t)(newline - head->ptr) : head->len;

	*line = (struct slice){head->ptr, len};
	*whole = newline != NULL;
	len += newline != NULL;
	*head = slice_from(*head, len);
	return len > 0;
}

int
dftracer_sniff(struct slice head, const char *file_name)
{
	struct sniff sniff = {.parser = NULL};
	struct slice line;
	bool whole;

	head = slice_behind_mark(head);
	for (unsigned n = 0; (n < SNIFF_LINES || (sniff.commas && !sniff.foreign)) &&
	                     next_line(&head, &line, &whole);
	     n++) {
		sniff_line(&sniff, line, whole);
	}
	dftracer_parser_free(sniff.parser);
	strbuf_free(&sniff.padded);
	return score_of(&sniff, file_name);
}

/* ---- of which job ---- */

#define LOOK_LINES 1000u
#define LOOK_PROCESSES 64u
#define LOOK_RECORDS 64u
#define WALL_CLOCK_MIN_US INT64_C(100000000000000)

struct looking {
	struct dftracer_parser *parser;
	struct import_look *look;
	struct intern *texts; /* hashes of HH and SH records */
	uint64_t *meanings;   /* by id in texts: of what a hash stands for */
	size_t meanings_capacity;
	struct look_process processes[LOOK_PROCESSES];
	struct look_record records[LOOK_RECORDS], bare[LOOK_RECORDS]; /* bare: without ids */
	unsigned n_processes, n_records, n_bare;
};

static uint64_t
hash_text(struct slice text, uint64_t seed)
{
	uint64_t hash = hash_bytes(text.ptr, text.len, seed);

	return hash ? hash : 1;
}

static uint64_t
hash_value(const struct dftracer_value *value, uint64_t seed)
{
	return value && value->type != DFTRACER_ABSENT ? hash_text(dftracer_slice(value), seed)
	                                               : seed;
}

/* What the hash of a host or string stands for, if that was said before; else itself. */
static uint64_t
meaning_of(const struct looking *looking, const struct dftracer_value *hash)
{
	uint32_t id = intern_find(looking->texts, dftracer_slice(hash));

	return id != INTERN_NONE ? looking->meanings[id] : hash_value(hash, 0);
}

static void
define(struct looking *looking, const struct dftracer_value *hash,
       const struct dftracer_value *text)
{
	if (!dftracer_is_text(hash) || !dftracer_is_text(text)) {
		return;
	}
	uint32_t id = intern_id(looking->texts, dftracer_slice(hash));
	MEM_GROW(looking->meanings, looking->meanings_capacity, (size_t)id + 1);
	looking->meanings[id] = hash_value(text, 0);
}

static uint64_t
host_of(const struct looking *looking)
{
	const struct dftracer_value *host = dftracer_argument(looking->parser, KEY_HOSTNAME);

	if (host && host->type == DFTRACER_STRING) {
		return hash_value(host, 0);
	}
	host = dftracer_argument(looking->parser, KEY_HHASH);
	return dftracer_is_text(host) ? meaning_of(looking, host) : 0;
}

/* The process of the record at hand; NULL: there are too many, or it names none. */
static struct look_process *
process_of(struct looking *looking)
{
	uint64_t host = host_of(looking);
	int64_t pid;

	if (!dftracer_integer(&looking->parser->record.top[KEY_PID], &pid) || pid < 0) {
		return NULL;
	}
	for (unsigned i = 0; i < looking->n_processes; i++) {
		struct look_process *process = &looking->processes[i];
		if (process->pid == pid &&
		    (process->host == host || host == 0 || process->host == 0)) {
			process->host = host ? host : process->host;
			return process;
		}
	}
	if (looking->n_processes == LOOK_PROCESSES) {
		return NULL;
	}
	struct look_process *process = &looking->processes[looking->n_processes++];
	*process = (struct look_process){host, pid, -1, 0};
	return process;
}

/* The facts of a start record: who, by whom, what, when. */
static void
note_start(struct looking *looking, struct look_process *process)
{
	const struct dftracer_record *record = &looking->parser->record;
	uint64_t start = hash_value(&record->top[KEY_TS], 1), command = 0;

	for (size_t i = 0; i < record->n_pairs; i++) {
		const struct dftracer_pair *pair = &record->pairs[i];
		struct slice key = intern_text(looking->parser->key_names, pair->key);
		if (pair->level != 1 || pair->value.type == DFTRACER_NESTED) {
			continue;
		}
		if (slice_is(key, "ppid") && !dftracer_integer(&pair->value, &process->parent)) {
			process->parent = -1;
		}
		bool is_command =
		    pair->key == KEY_CMD_HASH || pair->key == KEY_EXEC_HASH || slice_is(key, "cwd");
		uint64_t value =
		    is_command ? meaning_of(looking, &pair->value) : hash_value(&pair->value, 0);
		value = hash_mix(hash_text(key, value));
		start += value; /* keys have no order */
		command += is_command ? value : 0;
	}
	process->start = start ? start : 1;
	looking->look->command = looking->look->command ? looking->look->command : command;
}

static void
note_metadata(struct looking *looking, struct slice kind)
{
	struct dftracer_parser *parser = looking->parser;
	const struct dftracer_value *name = dftracer_argument(parser, KEY_NAME);
	const struct dftracer_value *value = dftracer_argument(parser, KEY_VALUE);
	int64_t rank;

	if (slice_is(kind, "HH") || slice_is(kind, "SH")) {
		define(looking, value, name);
	} else if (slice_is(kind, "PR") && dftracer_is_text(name) &&
	           slice_is(dftracer_slice(name), "rank") && dftracer_integer(value, &rank) &&
	           rank >= 0) {
		looking->look->rank = rank;
	}
}

static void
note_record(struct looking *looking, const struct look_process *process, struct slice name)
{
	const struct dftracer_parser *parser = looking->parser;
	const struct dftracer_key *id = &parser->keys[KEY_ID];
	const struct dftracer_value *top = parser->record.top;
	uint64_t content = hash_value(&top[KEY_DUR], hash_text(name, hash_value(&top[KEY_TS], 0)));
	uint64_t identity = (uint64_t)process->pid + 1;

	if (id->seen[0] != parser->record.number) {
		content = hash_value(&top[KEY_TID], content + identity);
		if (looking->n_bare < LOOK_RECORDS) {
			looking->bare[looking->n_bare++] = (struct look_record){content, content};
		}
	} else if (looking->n_records < LOOK_RECORDS) {
		const struct dftracer_pair *pair = &parser->record.pairs[id->pair[0]];
		looking->records[looking->n_records++] =
		    (struct look_record){hash_value(&pair->value, identity), content};
	}
}

static void
note_event(struct looking *looking, struct slice name)
{
	const struct dftracer_value *top = looking->parser->record.top;
	struct look_process *process = process_of(looking);
	struct slice category = dftracer_slice(&top[KEY_CAT]);
	bool is_own = slice_is(category, "dftracer");
	int64_t time_us;

	if (dftracer_integer(&top[KEY_TS], &time_us) && time_us >= WALL_CLOCK_MIN_US &&
	    time_us < INT64_MAX / 1000 &&
	    (looking->look->begin_ns == TIME_NONE || time_us * 1000 < looking->look->begin_ns)) {
		looking->look->begin_ns = time_us * 1000;
	}
	looking->look->pids_may_be_ranks |= top[KEY_PID].type == DFTRACER_STRING;
	looking->look->kinds |= is_own ? 0 : UINT64_C(1) << (hash_text(category, 0) & 63);
	if (process && is_own && slice_is(name, "start")) {
		note_start(looking, process);
	}
	if (process && !is_own) {
		note_record(looking, process, name);
	}
}

static void
note_line(struct looking *looking, struct slice line, struct strbuf *padded)
{
	static const char zeros[INPUT_PADDING];
	bool brackets = false;
	uint64_t column;
	struct slice record = dftracer_strip(line, &brackets);

	if (record.len == 0) {
		return;
	}
	strbuf_clear(padded);
	strbuf_add_slice(padded, record);
	strbuf_add(padded, zeros, sizeof zeros);
	record.ptr = padded->data;
	if (dftracer_parse(looking->parser, record, &column) || !is_record(looking->parser)) {
		return;
	}
	const struct dftracer_value *ph = &looking->parser->record.top[KEY_PH];
	struct slice name = dftracer_slice(&looking->parser->record.top[KEY_NAME]);
	char kind = ph->type == DFTRACER_ABSENT ? 'X' : ph->ptr[0];
	if (kind == 'M' || kind == '4' || kind == 'H') {
		note_metadata(looking, name);
	} else {
		note_event(looking, name);
	}
}

static int
compare_records(const void *a, const void *b)
{
	const struct look_record *x = a, *y = b;

	return ORDER(x->identity, y->identity);
}

void
dftracer_look(struct slice head, const char *file_name, struct arena *arena,
              struct import_look *look)
{
	struct looking *looking = xcalloc(1, sizeof *looking);
	struct strbuf padded = {0};
	struct slice line;
	bool whole;

	looking->look = look;
	looking->parser = dftracer_parser_new(true);
	looking->texts = intern_new();
	dftracer_ranks_of_name(file_name, &look->rank, &look->ranks);
	head = slice_behind_mark(head);
	for (unsigned n = 0; n < LOOK_LINES && next_line(&head, &line, &whole); n++) {
		note_line(looking, line, &padded);
	}
	look->records_lack_ids = looking->n_records == 0;
	look->n_records = looking->n_records ? looking->n_records : looking->n_bare;
	look->records = arena_copy(arena, looking->n_records ? looking->records : looking->bare,
	                           look->n_records * sizeof *look->records);
	SORT(look->records, look->n_records, compare_records);
	look->n_processes = looking->n_processes;
	look->processes = arena_copy(arena, looking->processes,
	                             looking->n_processes * sizeof *looking->processes);
	strbuf_free(&padded);
	free(looking->meanings);
	intern_free(looking->texts);
	dftracer_parser_free(looking->parser);
	free(looking);
}
