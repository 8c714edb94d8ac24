#include "config.h"
#include "ingest/lane_list.h"

#include <stdlib.h>
#include <string.h>

#include "util/intern.h"
#include "util/mem.h"

/* 25 bytes, where struct lane has 48. */
struct kept_lane {
	int64_t process, thread; /* integers, or codes of texts; 0 where there is none */
	text_code host, name;
	unsigned char kind : 4, process_type : 2, thread_type : 2;
} __attribute__((packed));

static int64_t
ident_value(struct ident ident)
{
	return ident.type == IDENT_INTEGER ? ident.integer
	       : ident.type == IDENT_TEXT  ? (int64_t)ident.text
	                                   : 0;
}

static struct ident
make_ident(unsigned type, int64_t value)
{
	struct ident ident = {.type = type};

	if (type == IDENT_INTEGER) {
		ident.integer = value;
	} else if (type == IDENT_TEXT) {
		ident.text = (text_code)value;
	}
	return ident;
}

static struct kept_lane
pack(const struct lane *lane)
{
	return (struct kept_lane){.process = ident_value(lane->process),
	                          .thread = ident_value(lane->thread),
	                          .host = lane->host,
	                          .name = lane->name,
	                          .kind = (unsigned char)(lane->kind & 15u),
	                          .process_type = (unsigned char)(lane->process.type & 3u),
	                          .thread_type = (unsigned char)(lane->thread.type & 3u)};
}

static uint32_t
append(struct lane_list *list, const struct kept_lane *kept)
{
	MEM_GROW(list->lanes, list->capacity, list->n + 1);
	list->lanes[list->n] = *kept;
	return (uint32_t)list->n++;
}

uint32_t
lane_list_id(struct lane_list *list, const struct lane *lane)
{
	struct kept_lane kept = pack(lane);
	uint64_t hash = hash_bytes(&kept, sizeof kept, hash_secret());
	uint32_t id;

	INDEX_FIND(id, &list->index, hash, memcmp(&list->lanes[id], &kept, sizeof kept) == 0);
	if (id == INDEX_NONE) {
		id = append(list, &kept);
		index_add(&list->index, hash, id);
	}
	return id;
}

uint32_t
lane_list_add(struct lane_list *list, const struct lane *lane)
{
	struct kept_lane kept = pack(lane);

	return append(list, &kept);
}

struct lane
lane_list_at(const struct lane_list *list, size_t i)
{
	const struct kept_lane *kept = &list->lanes[i];

	return (struct lane){.host = kept->host,
	                     .process = make_ident(kept->process_type, kept->process),
	                     .thread = make_ident(kept->thread_type, kept->thread),
	                     .name = kept->name,
	                     .kind = kept->kind};
}

void
lane_list_rename(struct lane_list *list, size_t i, text_code name)
{
	list->lanes[i].name = name;
}

void
lane_list_free(struct lane_list *list)
{
	free(list->lanes);
	index_free(&list->index);
	*list = (struct lane_list){0};
}
