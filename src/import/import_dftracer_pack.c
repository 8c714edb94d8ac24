/* What is known of a source's processes and ids, as bytes: for parts of a run. What serves only
 * while the source is read (by which key a process is found, which ids ended last) is left out. */
#include "config.h"
#include "import/import_dftracer.h"

#include "util/pack.h"

static void
pack_process(struct pack *pack, struct dftracer_process *process)
{
	PACK(pack, process->pid);
	PACK(pack, process->host);
	PACK(pack, process->host_is_hash);
	PACK(pack, process->started);
	PACK(pack, process->ended);
	PACK(pack, process->has_grid);
	PACK(pack, process->sums_start_ns);
	PACK(pack, process->n_sums);
}

static void
pack_ids(struct pack *pack, struct dftracer_ids *ids)
{
	bool is_suspect = ids->is_suspect;

	PACK(pack, ids->key);
	PACK(pack, is_suspect);
	ids->is_suspect = is_suspect;
	PACK(pack, ids->first);
	PACK(pack, ids->last);
	PACK(pack, ids->start_first);
	PACK(pack, ids->start_last);
	PACK(pack, ids->end_last);
}

/* Do the codes in it stand for texts that are there? */
static bool
is_sound(const struct dftracer_facts *facts)
{
	uint32_t n_texts = intern_count(facts->texts);

	for (size_t i = 0; i < facts->n_processes; i++) {
		uint32_t host = facts->processes[i].host;
		if (host != INTERN_NONE && host >= n_texts) {
			return false;
		}
	}
	for (size_t i = 0; i < facts->n_host_names; i++) {
		if (facts->host_names[i] != INTERN_NONE && facts->host_names[i] >= n_texts) {
			return false;
		}
	}
	return true;
}

void
dftracer_facts_pack(struct pack *pack, void **all)
{
	struct dftracer_facts *facts = *all = *all ? *all : dftracer_facts_new("");

	pack_intern(pack, facts->texts);
	PACK_ARRAY(pack, facts->processes, facts->n_processes, facts->processes_capacity,
	           pack_process);
	PACK_ARRAY(pack, facts->host_names, facts->n_host_names, facts->host_names_capacity,
	           pack_small);
	PACK_ARRAY(pack, facts->ranks, facts->n_ranks, facts->ranks_capacity, pack_signed);
	PACK(pack, facts->file_rank);
	PACK(pack, facts->file_ranks);
	PACK(pack, facts->marks);
	PACK_ARRAY(pack, facts->ids, facts->n_ids, facts->ids_capacity, pack_ids);
	PACK(pack, facts->n_restarts);
	PACK(pack, facts->restart_line);
	PACK(pack, facts->restart_offset);
	PACK(pack, facts->closed);
	PACK(pack, facts->any_record);
	pack->failed |= pack->is_reading && !is_sound(facts);
}
