/*
 * Processes and threads of a Chrome trace, and the lanes made of them.
 *
 * Names come as metadata events anywhere in the file, repeatedly, the last one counting; a lane is
 * declared when it is first used. So a lane's name is told later, when the whole file was read.
 * Metadata of threads that never do anything makes no lane: some traces name thousands of
 * those.
 *
 * A lane is called by its thread. Where several processes have lanes, the process stands before it.
 * A device's process says what it is in its labels ("GPU 0"), as its name is that of the program.
 * What the program calls the work of a device's queue is projected onto it, and its waits for
 * others are recorded there: neither is work, so these have a lane beside it, "stream 7
 * annotations". What wraps the recording (PyTorch's category "Trace", and all of its processes
 * "Spans" and "Traces") and what repeats the sums of others (clang's "Total ...") is no work
 * either, and has lanes of its own.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdio.h>
#include <stdlib.h>

#define EXTRAS_MASK ((1u << 30) - 1)

void
chrome_lanes_init(struct chrome_reader *reader)
{
	reader->words = intern_new();
	reader->process_keys = intern_new();
	reader->thread_keys = intern_new();
	reader->async_keys = intern_new();
}

void
chrome_lanes_fini(struct chrome_reader *reader)
{
	intern_free(reader->words);
	intern_free(reader->process_keys);
	intern_free(reader->thread_keys);
	intern_free(reader->async_keys);
	free(reader->processes);
	free(reader->threads);
	free(reader->extras);
	free(reader->lanes);
	free(reader->threadless);
	free(reader->async_lanes);
}

/* ---- who ---- */

/* A key that no id is. */
#define NO_IDENT ((struct slice){"\0none", 5})

static struct slice
key_of(struct slice text)
{
	return text.ptr ? text : NO_IDENT;
}

/* The id as the text it is compared by; 1 and "1" are the same, and nothing is none. */
static struct slice
ident_text(const struct chrome_value *value)
{
	return chrome_is_word(value) ? chrome_text(value) : (struct slice){0};
}

/* The one that a key says, see key_of. */
static struct ident
ident_of(struct chrome_reader *reader, struct slice text)
{
	struct ident ident = {.type = IDENT_NONE};

	if (slice_equal(text, NO_IDENT)) {
		return ident;
	}
	if (slice_int64(text, &ident.integer)) {
		ident.type = IDENT_INTEGER;
	} else {
		ident.type = IDENT_TEXT;
		ident.text = sink_text(reader->sink, text);
	}
	return ident;
}

uint32_t
chrome_process_of(struct chrome_reader *reader, const struct chrome_value *pid)
{
	uint32_t n = intern_count(reader->process_keys);
	struct slice key = key_of(ident_text(pid));
	uint32_t id = intern_id(reader->process_keys, key);

	if (id == n) {
		MEM_GROW(reader->processes, reader->processes_capacity, (size_t)n + 1);
		bool is_recording = slice_is(key, "Spans") || slice_is(key, "Traces");
		reader->processes[id] = (struct chrome_process){.id = ident_of(reader, key),
		                                                .is_recording = is_recording,
		                                                .name = INTERN_NONE,
		                                                .labels = INTERN_NONE,
		                                                .counters = LANE_NONE,
		                                                .totals = LANE_NONE};
	}
	return id;
}

static uint32_t
find_thread(struct chrome_reader *reader)
{
	const struct chrome_value *tid = &reader->record->fields[CHROME_TID];
	uint32_t process = chrome_process_of(reader, &reader->record->fields[CHROME_PID]);
	struct slice text = key_of(ident_text(tid));
	char buffer[128];
	struct strbuf longer = {0};
	struct slice key = {buffer, sizeof process + text.len};

	if (key.len <= sizeof buffer) {
		memcpy(buffer, &process, sizeof process);
		memcpy(buffer + sizeof process, text.ptr, text.len);
	} else {
		strbuf_add(&longer, &process, sizeof process);
		strbuf_add_slice(&longer, text);
		key = strbuf_slice(&longer);
	}
	uint32_t n = intern_count(reader->thread_keys);
	uint32_t id = intern_id(reader->thread_keys, key);
	strbuf_free(&longer);
	if (id == n) {
		MEM_GROW(reader->threads, reader->threads_capacity, (size_t)n + 1);
		reader->threads[id] =
		    (struct chrome_thread){.name = INTERN_NONE, .lane = LANE_NONE};
	}
	return id;
}

uint32_t
chrome_thread_of(struct chrome_reader *reader)
{
	const struct chrome_value *fields = reader->record->fields;
	uint32_t *known = chrome_known_thread(reader, &fields[CHROME_PID], &fields[CHROME_TID]);

	if (!known) {
		return find_thread(reader);
	}
	if (*known == INTERN_NONE) {
		*known = find_thread(reader);
	}
	return *known;
}

/* What a thread has, made if it is not there; until the next call. */
static struct chrome_extras *
extras_of(struct chrome_reader *reader, uint32_t thread)
{
	struct chrome_thread *entry = &reader->threads[thread];

	if (entry->extras == 0) {
		MEM_GROW(reader->extras, reader->extras_capacity, reader->n_extras + 1);
		reader->extras[reader->n_extras++] = (struct chrome_extras){
		    .device = LANE_NONE, .annotations = LANE_NONE, .summary = LANE_NONE};
		entry->extras = (uint32_t)reader->n_extras & EXTRAS_MASK;
	}
	return &reader->extras[entry->extras - 1];
}

/* The number of a thread's process, which its key begins with. */
uint32_t
chrome_process_of_thread(const struct chrome_reader *reader, uint32_t thread)
{
	uint32_t process;

	memcpy(&process, intern_text(reader->thread_keys, thread).ptr, sizeof process);
	return process;
}

/* The id of a thread, as it is compared. */
static struct slice
thread_key(const struct chrome_reader *reader, uint32_t thread)
{
	struct slice key = intern_text(reader->thread_keys, thread);

	return slice_from(key, sizeof(uint32_t)); /* behind its process */
}

/* ---- lanes ---- */

/* Its thread; INTERN_NONE: none. */
static uint32_t
thread_of(const struct chrome_lane *lane)
{
	return lane->is_threadless ? INTERN_NONE : lane->of;
}

static uint32_t
process_of_lane(const struct chrome_reader *reader, const struct chrome_lane *lane)
{
	return lane->is_threadless ? reader->threadless[lane->of].process
	                           : chrome_process_of_thread(reader, lane->of);
}

static uint32_t
declare_lane(struct chrome_reader *reader, struct chrome_lane lane)
{
	struct sink *sink = reader->sink;
	struct chrome_process *process = &reader->processes[process_of_lane(reader, &lane)];
	uint32_t thread = thread_of(&lane);

	lane.name = sink->later(sink->user);
	struct lane declared = {
	    .host = TEXT_NONE, .process = process->id, .name = lane.name, .kind = lane.kind};
	if (thread != INTERN_NONE) {
		declared.thread = ident_of(reader, thread_key(reader, thread));
	}
	process->is_used = true;
	MEM_GROW(reader->lanes, reader->lanes_capacity, reader->n_lanes + 1);
	reader->lanes[reader->n_lanes++] = lane;
	return sink_lane(sink, &declared);
}

static uint32_t
declare_threadless(struct chrome_reader *reader, struct chrome_threadless of, enum lane_kind kind)
{
	MEM_GROW(reader->threadless, reader->threadless_capacity, reader->n_threadless + 1);
	reader->threadless[reader->n_threadless++] = of;
	return declare_lane(reader, (struct chrome_lane){.of = (uint32_t)reader->n_threadless - 1,
	                                                 .kind = (unsigned char)(kind & 127u),
	                                                 .is_threadless = 1});
}

uint32_t
chrome_thread_lane(struct chrome_reader *reader, uint32_t thread, enum lane_kind kind)
{
	struct chrome_thread *entry = &reader->threads[thread];
	bool is_extra = kind == LANE_DEVICE || kind == LANE_ANNOTATION || kind == LANE_SUMMARY;
	struct chrome_extras *extras =
	    is_extra && !entry->is_own ? extras_of(reader, thread) : NULL;
	uint32_t *lane = !extras                   ? &entry->lane
	                 : kind == LANE_DEVICE     ? &extras->device
	                 : kind == LANE_ANNOTATION ? &extras->annotations
	                                           : &extras->summary;

	if (*lane == LANE_NONE) {
		*lane = declare_lane(
		    reader,
		    (struct chrome_lane){.of = thread, .kind = (unsigned char)(kind & 127u)});
	}
	return *lane;
}

uint32_t
chrome_process_lane(struct chrome_reader *reader, uint32_t process, enum lane_kind kind)
{
	struct chrome_process *entry = &reader->processes[process];
	uint32_t *lane = kind == LANE_COUNTER ? &entry->counters : &entry->totals;

	if (*lane == LANE_NONE) {
		*lane = declare_threadless(reader, (struct chrome_threadless){.process = process},
		                           kind);
	}
	return *lane;
}

uint32_t
chrome_async_lane(struct chrome_reader *reader, uint32_t process, struct slice category)
{
	uint32_t pair[2] = {process, intern_id(reader->words, category)};
	uint32_t n = intern_count(reader->async_keys);
	uint32_t id =
	    intern_id(reader->async_keys, (struct slice){(const char *)pair, sizeof pair});

	if (id == n) {
		MEM_GROW(reader->async_lanes, reader->async_capacity, (size_t)n + 1);
		reader->async_lanes[id] = declare_threadless(
		    reader, (struct chrome_threadless){process, pair[1]}, LANE_ASYNC);
	}
	return reader->async_lanes[id];
}

static bool
says_device(const struct chrome_reader *reader, uint32_t word)
{
	static const char *const signs[] = {"GPU", "gpu:", "MTIA", "XPU", "HPU", "/stream:"};

	for (size_t i = 0; word != INTERN_NONE && i < COUNT_OF(signs); i++) {
		if (slice_contains(intern_text(reader->words, word), slice_of(signs[i]))) {
			return true;
		}
	}
	return false;
}

void
chrome_name_process(struct chrome_reader *reader, uint32_t process, uint32_t word)
{
	reader->processes[process].name = word;
	reader->processes[process].has_device_name = says_device(reader, word);
}

static bool
has_device_lanes(const struct chrome_reader *reader, uint32_t thread)
{
	uint32_t extras = reader->threads[thread].extras;

	return extras != 0 && (reader->extras[extras - 1].device != LANE_NONE ||
	                       reader->extras[extras - 1].annotations != LANE_NONE);
}

static bool
has_lane(const struct chrome_reader *reader, uint32_t thread)
{
	return reader->threads[thread].lane != LANE_NONE || has_device_lanes(reader, thread);
}

/* Is it the queue of a device, as far as is known by now? */
bool
chrome_is_device(const struct chrome_reader *reader, uint32_t thread)
{
	const struct chrome_thread *entry = &reader->threads[thread];
	const struct chrome_process *process =
	    &reader->processes[chrome_process_of_thread(reader, thread)];

	if (entry->is_own || has_device_lanes(reader, thread) || process->has_device_labels) {
		return true;
	}
	return reader->marks & CHROME_MARK_TENSORFLOW && process->has_device_name;
}

bool
chrome_is_recording(const struct chrome_reader *reader, uint32_t thread)
{
	const struct chrome_thread *entry = &reader->threads[thread];
	const struct chrome_process *process =
	    &reader->processes[chrome_process_of_thread(reader, thread)];

	return !entry->is_own && process->is_recording;
}

/* ---- metadata ---- */

static bool
is_name(const struct chrome_reader *reader, const char *name)
{
	return slice_is(chrome_text(&reader->record->fields[CHROME_NAME]), name);
}

static void
put_ident(struct chrome_reader *reader, struct strbuf *out, enum chrome_field field)
{
	struct slice text = ident_text(&reader->record->fields[field]);

	strbuf_add_char(out, ' ');
	strbuf_add_text(out, text.ptr ? "" : "-");
	strbuf_add_slice(out, text);
}

/* Whatever else is told of a process or thread. */
static int
tag_metadata(struct chrome_reader *reader, bool of_thread)
{
	const struct chrome_record *record = reader->record;
	struct strbuf scope = {0}, key = {0};
	int stop = 0;

	strbuf_add_text(&scope, of_thread ? "thread" : "process");
	put_ident(reader, &scope, CHROME_PID);
	if (of_thread) {
		put_ident(reader, &scope, CHROME_TID);
	}
	for (size_t i = 0; i < record->n_pairs && stop == 0; i++) {
		const struct chrome_pair *pair = &record->pairs[i];
		struct slice name = chrome_text(&record->fields[CHROME_NAME]);
		struct slice member = chrome_text(&pair->key);
		static const char *const words[] = {
		    [CHROME_TRUE] = "true", [CHROME_FALSE] = "false"};
		if (pair->is_member || pair->value.type == CHROME_NULL) {
			continue;
		}
		strbuf_clear(&key);
		strbuf_add_slice(&key, name);
		if (!slice_is(member, "name") && !slice_is(member, "labels") &&
		    !slice_contains(name, member)) {
			strbuf_add_char(&key, '.');
			strbuf_add_slice(&key, member);
		}
		bool is_bool = pair->value.type == CHROME_TRUE || pair->value.type == CHROME_FALSE;
		stop = chrome_tag(reader, scope.data, strbuf_slice(&key),
		                  is_bool ? slice_of(words[pair->value.type])
		                          : chrome_text(&pair->value));
	}
	strbuf_free(&scope);
	strbuf_free(&key);
	return stop;
}

static uint32_t
word_of(struct chrome_reader *reader, const char *argument)
{
	const struct chrome_value *value = chrome_argument(reader->record, argument);

	return value && chrome_is_word(value) && value->len
	           ? intern_id(reader->words, chrome_text(value))
	           : INTERN_NONE;
}

/* The order in which lanes are to be shown; int or numeric text. */
static void
read_sort_index(const struct chrome_reader *reader, bool *is_sorted, int64_t *sort_index)
{
	const struct chrome_value *value = chrome_argument(reader->record, "sort_index");

	*is_sorted = value && chrome_is_word(value) && slice_int64(chrome_text(value), sort_index);
}

int
chrome_metadata(struct chrome_reader *reader)
{
	uint32_t thread = chrome_thread_of(reader);
	uint32_t id = chrome_process_of_thread(reader, thread);
	struct chrome_process *process = &reader->processes[id];

	if (!chrome_is_word(&reader->record->fields[CHROME_NAME])) {
		return 0;
	}
	if (is_name(reader, "process_name")) {
		chrome_name_process(reader, id, word_of(reader, "name"));
		if (process->name != INTERN_NONE) {
			struct slice name = intern_text(reader->words, process->name);
			bool is_tensorflow = slice_contains(name, slice_of("/job:")) ||
			                     slice_contains(name, slice_of("/device:"));
			reader->marks |= is_tensorflow ? CHROME_MARK_TENSORFLOW : 0;
		}
		return tag_metadata(reader, false);
	}
	if (is_name(reader, "process_labels")) {
		process->labels = word_of(reader, "labels");
		process->has_device_labels = says_device(reader, process->labels);
		return tag_metadata(reader, false);
	}
	if (is_name(reader, "lanescope.lane")) {
		uint32_t lane = has_lane(reader, thread) ? LANE_NONE : chrome_own_lane(reader);
		if (lane != LANE_NONE) {
			reader->threads[thread].lane = lane;
			reader->threads[thread].is_own = true;
		}
		return 0;
	}
	if (is_name(reader, "thread_name")) {
		reader->threads[thread].name = word_of(reader, "name");
		return 0; /* shows as the name of the lane, if it has one */
	}
	if (is_name(reader, "thread_sort_index")) {
		struct chrome_extras *extras = extras_of(reader, thread);
		read_sort_index(reader, &extras->is_sorted, &extras->sort_index);
		return 0; /* shows as the place of the lane */
	}
	if (is_name(reader, "process_sort_index")) {
		read_sort_index(reader, &process->is_sorted, &process->sort_index);
		return 0;
	}
	return tag_metadata(reader,
	                    !slice_contains(chrome_text(&reader->record->fields[CHROME_NAME]),
	                                    slice_of("process")));
}

/* ---- names ---- */

static void
put_word(const struct chrome_reader *reader, struct strbuf *out, uint32_t word)
{
	struct slice text = intern_text(reader->words, word);

	while (text.len && text.ptr[text.len - 1] == ' ') { /* "stream 7 " */
		text.len--;
	}
	strbuf_add_slice(out, text);
}

static void
put_process(const struct chrome_reader *reader, struct strbuf *out, uint32_t id, bool is_device)
{
	const struct chrome_process *process = &reader->processes[id];
	struct slice key = intern_text(reader->process_keys, id);

	if (is_device && process->labels != INTERN_NONE) {
		put_word(reader, out, process->labels);
	} else if (process->name != INTERN_NONE) {
		put_word(reader, out, process->name);
	} else if (process->id.type != IDENT_NONE && key.len) {
		strbuf_add_slice(out, key);
	} else {
		strbuf_add_text(out, "no process");
	}
}

static bool
has_process(const struct chrome_reader *reader, uint32_t id)
{
	const struct chrome_process *process = &reader->processes[id];

	return process->name != INTERN_NONE ||
	       (process->id.type != IDENT_NONE && intern_text(reader->process_keys, id).len > 0);
}

/* By its name, its number, or what it is a thread of; false if none of these is told. */
static bool
put_thread(const struct chrome_reader *reader, struct strbuf *out, uint32_t id)
{
	const struct chrome_thread *thread = &reader->threads[id];
	struct slice key = thread_key(reader, id);
	uint32_t process = chrome_process_of_thread(reader, id);

	if (thread->name != INTERN_NONE) {
		put_word(reader, out, thread->name);
	} else if (!slice_equal(key, NO_IDENT) && key.len > 0) {
		strbuf_add_slice(out, key);
	} else if (has_process(reader, process)) {
		put_process(reader, out, process, false);
	} else {
		return false;
	}
	return true;
}

static void
make_name(const struct chrome_reader *reader, const struct chrome_lane *lane, bool several,
          struct strbuf *name)
{
	uint32_t thread = thread_of(lane);

	strbuf_clear(name);
	if (several) {
		put_process(reader, name, process_of_lane(reader, lane),
		            lane->kind == LANE_DEVICE || lane->kind == LANE_ANNOTATION);
		strbuf_add_char(name, '/');
	}
	if (lane->kind == LANE_ASYNC) {
		struct slice category =
		    intern_text(reader->words, reader->threadless[lane->of].category);
		strbuf_add_text(name, category.len ? "" : "async");
		strbuf_add_slice(name, category);
		return;
	}
	if (thread == INTERN_NONE) {
		strbuf_add_text(name, lane->kind == LANE_COUNTER ? "counters" : "totals");
		return;
	}
	if (!put_thread(reader, name, thread)) {
		strbuf_clear(name);
		strbuf_add_text(name, "no thread");
	}
	if (lane->kind == LANE_ANNOTATION) {
		strbuf_add_text(name, " annotations");
	} else if (lane->kind == LANE_SUMMARY && has_lane(reader, thread)) {
		strbuf_add_text(name, " summary");
	}
}

static int
tag_sort_index(struct chrome_reader *reader, struct strbuf *scope, const char *key,
               int64_t sort_index)
{
	char number[32];

	snprintf(number, sizeof number, "%lld", (long long)sort_index);
	return chrome_tag(reader, scope->data, slice_of(key), slice_of(number));
}

/* Sort indices of what has a lane, as tags of the process or thread. */
static int
tag_order(struct chrome_reader *reader, const struct chrome_lane *lane)
{
	uint32_t id = process_of_lane(reader, lane);
	struct chrome_process *process = &reader->processes[id];
	struct slice pid = intern_text(reader->process_keys, id);
	uint32_t thread = thread_of(lane);
	uint32_t at = thread == INTERN_NONE ? 0 : reader->threads[thread].extras;
	struct strbuf scope = {0};
	int stop = 0;

	if (process->is_sorted) {
		strbuf_add_text(&scope, "process ");
		strbuf_add_slice(&scope, pid);
		stop = tag_sort_index(reader, &scope, "process_sort_index", process->sort_index);
		process->is_sorted = false; /* once is enough */
	}
	if (at != 0 && reader->extras[at - 1].is_sorted && stop == 0) {
		struct chrome_extras *extras = &reader->extras[at - 1];
		struct slice key = thread_key(reader, thread);
		strbuf_clear(&scope);
		strbuf_add_text(&scope, "thread ");
		strbuf_add_slice(&scope, pid);
		strbuf_add_char(&scope, ' ');
		strbuf_add_slice(&scope, key);
		stop = tag_sort_index(reader, &scope, "thread_sort_index", extras->sort_index);
		extras->is_sorted = false;
	}
	strbuf_free(&scope);
	return stop;
}

int
chrome_name_lanes(struct chrome_reader *reader)
{
	struct strbuf name = {0};
	uint32_t used = 0;
	int stop = 0;

	intern_end_finding(reader->thread_keys);
	for (uint32_t i = 0; i < intern_count(reader->process_keys); i++) {
		used += reader->processes[i].is_used;
	}
	for (size_t i = 0; i < reader->n_lanes && stop == 0; i++) {
		make_name(reader, &reader->lanes[i], used > 1, &name);
		reader->sink->tell(reader->sink->user, reader->lanes[i].name, strbuf_slice(&name));
		stop = tag_order(reader, &reader->lanes[i]);
	}
	strbuf_free(&name);
	return stop;
}
