/* Records of DASF, as its profiler appends them: the length, then a map in MessagePack. */
#ifndef LANESCOPE_TESTS_DASF_RECORDS_H
#define LANESCOPE_TESTS_DASF_RECORDS_H

#include "input/msgpack_encoder.h"

/* Takes the record. */
static inline void
end_record(struct strbuf *out, struct strbuf *record)
{
	pack_bytes(out, record->len, 8);
	strbuf_add(out, record->data, record->len);
	strbuf_free(record);
}

static inline void
add_time(struct strbuf *record, const char *name, double timestamp)
{
	pack_text(record, "name");
	pack_text(record, name);
	pack_text(record, "timestamp");
	pack_real(record, timestamp);
}

static inline void
add_place(struct strbuf *record, const char *phase, const char *host, const char *worker)
{
	pack_text(record, "phase");
	pack_text(record, phase);
	pack_text(record, "process_id");
	pack_text(record, host);
	pack_text(record, "thread_id");
	pack_text(record, worker);
}

static inline void
add_instant(struct strbuf *out, const char *name, double timestamp, const char *host)
{
	struct strbuf record = {NULL, 0, 0};

	pack_map(&record, 5);
	add_time(&record, name, timestamp);
	add_place(&record, "I", host, "worker-x-0");
	end_record(out, &record);
}

/* A call of a worker for a task. */
static inline void
add_call(struct strbuf *out, const char *name, double timestamp, double duration, const char *host,
         const char *worker, const char *key)
{
	struct strbuf record = {NULL, 0, 0};

	pack_map(&record, 7);
	add_time(&record, name, timestamp);
	pack_text(&record, "duration");
	pack_real(&record, duration);
	add_place(&record, "X", host, worker);
	pack_text(&record, "args");
	pack_map(&record, 1);
	pack_text(&record, "key");
	pack_text(&record, key);
	end_record(out, &record);
}

#endif
