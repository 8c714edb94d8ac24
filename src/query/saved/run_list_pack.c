/* What a list of runs says of them as bytes, from the process that opened them to the one that puts
 * them in a table. */
#include "config.h"
#include "query/saved/run_list.h"

static void
pack_text(struct pack *pack, struct arena *arena, const char **text)
{
	pack_kept_string(pack, arena, text);
	pack->failed |= !*text;
}

static void
pack_info(struct pack *pack, struct arena *arena, struct run_info *info)
{
	pack_text(pack, arena, &info->name);
	pack_text(pack, arena, &info->imported_as);
	pack_text(pack, arena, &info->format);
	pack_text(pack, arena, &info->dialect);
	pack_text(pack, arena, &info->clock);
	pack_text(pack, arena, &info->identity);
	PACK(pack, info->start_ns);
	PACK(pack, info->has_date);
	PACK(pack, info->date_ns);
	PACK(pack, info->duration_ns);
	PACK(pack, info->n_sources);
	PACK(pack, info->n_lanes);
	PACK(pack, info->n_spans);
	PACK(pack, info->n_events);
	PACK(pack, info->n_counters);
	PACK(pack, info->n_tasks);
	PACK(pack, info->n_transfers);
	PACK(pack, info->n_records);
	PACK(pack, info->n_problems);
}

struct tag_packing {
	struct pack *pack;
	struct arena *arena;
};

static void
pack_tag(const struct tag_packing *packing, struct run_tag *tag)
{
	uint32_t origin = tag->origin;

	pack_text(packing->pack, packing->arena, &tag->key);
	pack_text(packing->pack, packing->arena, &tag->value);
	pack_small(packing->pack, &origin);
	packing->pack->failed |= origin >= TAG_ORIGINS;
	tag->origin = packing->pack->failed ? TAG_OF_TRACE : origin;
}

static void
pack_tags(struct pack *pack, struct run_tags *tags)
{
	tags->arena = pack->is_reading ? arena_new() : tags->arena;
	const struct tag_packing packing = {pack, tags->arena};

	PACK_EACH(pack, &packing, tags->all, tags->n, tags->capacity, pack_tag);
	pack_kept_string(pack, tags->arena, &tags->trouble);
}

static void
pack_entry(struct pack *pack, struct arena *arena, struct run_entry *entry)
{
	pack_break(pack);
	pack_kept_string(pack, arena, &entry->error);
	if (entry->error) {
		return;
	}
	pack_info(pack, arena, &entry->info);
	PACK(pack, entry->lanes.n);
	pack_text(pack, arena, &entry->lanes.one);
	PACK(pack, entry->lanes.n_hosts);
	pack_tags(pack, &entry->tags);
	PACK(pack, entry->file_bytes);
}

void
run_list_pack(struct pack *pack, struct run_list *list, size_t first, size_t step)
{
	for (size_t i = first; i < list->n && !pack->failed; i += step) {
		struct run_entry *entry = &list->entries[i];
		const char *path = entry->path;
		pack_text(pack, list->arena, &path);
		if (pack->failed || strcmp(path, entry->path) != 0) {
			pack->failed = true;
			return;
		}
		pack_entry(pack, list->arena, entry);
		entry->is_known = !pack->failed;
		if (pack->failed) {
			run_tags_free(&entry->tags);
			*entry =
			    (struct run_entry){.path = entry->path, .is_named = entry->is_named};
		}
	}
}
