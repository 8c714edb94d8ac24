/*
 * Short files that hold the beginning of another beside them: what was cut, or copied while it
 * grew. Files of 64 KiB and more have their first 64 KiB in common with it, by which plan_copies.c
 * suspects them; shorter ones are looked for here.
 *
 * A ladder of hashes of each file's first 64 bytes, 256 and so on says which files could be: a
 * short file's topmost rung stands in the other's ladder. Their heads are read again, in the order
 * of their lengths, for hashes at all lengths that short ones among them have, and so each
 * beginning is found in the longer ones with a look-up for each length. What is found is compared.
 * Less than 64 bytes begin nothing.
 */
#include "config.h"
#include "ingest/plan.h"

#include <stdlib.h>
#include <string.h>

#include "util/order.h"

/* Files whose ladders have a rung in common that is the topmost of some of them. */
struct suspects {
	size_t *files;
	size_t n, capacity;
};

struct begins {
	struct planning *planning;
	struct intern *keys;
	struct suspects *suspects; /* by id in keys */
	size_t capacity;
};

static bool
can_be_suspected(const struct plan_file *file)
{
	return file->format && file->copy_of == FILE_NONE && file->head_length >= RUNG_BYTES(0);
}

static unsigned
topmost(const struct plan_file *file)
{
	unsigned rung = 0;

	while (rung + 1 < RUNGS && RUNG_BYTES(rung + 1) <= file->head_length) {
		rung++;
	}
	return rung;
}

/* Only files of one key may begin alike; is_new: adds it. */
static uint32_t
key_of(struct begins *begins, const struct plan_file *file, unsigned rung, bool is_new)
{
	struct strbuf key = {0};
	bool is_tree = file->grouping == GROUP_TREE && file->format->copies == COPIES_ANYWHERE;
	uint64_t words[] = {is_tree ? 0 : (uint64_t)file->folder + 1, rung,
	                    file->rung_hashes[rung]};
	struct slice name = plain_name(file->path);

	strbuf_add(&key, words, sizeof words);
	strbuf_add_text(&key, file->format->name);
	if (file->format->copies == COPIES_NAME) {
		strbuf_add_char(&key, '/');
		strbuf_add_slice(&key, name);
	}
	uint32_t id = is_new ? intern_id(begins->keys, strbuf_slice(&key))
	                     : intern_find(begins->keys, strbuf_slice(&key));
	strbuf_free(&key);
	return id;
}

static void
suspect(struct begins *begins)
{
	const struct planning *planning = begins->planning;

	for (size_t i = 0; i < planning->n_files; i++) {
		const struct plan_file *file = &planning->files[i];
		if (can_be_suspected(file) && file->head_length < HEAD_BYTES) {
			key_of(begins, file, topmost(file), true);
		}
	}
	begins->suspects =
	    xcalloc((size_t)intern_count(begins->keys) + 1, sizeof *begins->suspects);
	for (size_t i = 0; i < planning->n_files; i++) {
		const struct plan_file *file = &planning->files[i];
		for (unsigned rung = 0; can_be_suspected(file) && rung <= topmost(file); rung++) {
			uint32_t id = key_of(begins, file, rung, false);
			if (id == INTERN_NONE) {
				continue;
			}
			struct suspects *suspects = &begins->suspects[id];
			MEM_GROW(suspects->files, suspects->capacity, suspects->n + 1);
			suspects->files[suspects->n++] = i;
		}
	}
}

/* ---- hashes at the lengths of short files ---- */

struct length {
	size_t bytes, file;
};

static int
compare_lengths(const void *a, const void *b)
{
	const struct length *x = a, *y = b;

	ORDER_BY(x->bytes, y->bytes);

	return ORDER(x->file, y->file);
}

/* The hash of a file's first bytes, given that of a shorter beginning. */
struct chain {
	size_t bytes;
	uint64_t hash;
};

static void
note_beginning(struct planning *planning, const struct intern *chains, const size_t *files,
               const struct chain *chain, size_t whole)
{
	uint32_t id = intern_find(chains, (struct slice){(const char *)chain, sizeof *chain});

	if (id != INTERN_NONE && files[id] != whole &&
	    planning->files[files[id]].copy_of == FILE_NONE) {
		plan_settle_beginning(planning, files[id], whole);
	}
}

/* Looks for those before it, which are no longer, in the i-th of the files, and adds it to them. */
static void
look_into(struct planning *planning, const struct length *lengths, size_t i, struct intern *chains,
          size_t *files)
{
	const struct plan_file *file = &planning->files[lengths[i].file];
	struct err err = ERR_INIT;
	struct input *input = input_open(file->path, &err);
	struct chain chain;
	struct slice head;

	memset(&chain, 0, sizeof chain); /* compared as bytes */
	if (!input || input_peek(input, HEAD_BYTES, &head, &err)) {
		head.len = 0; /* reading it later tells why */
	}
	for (size_t k = 0; k <= i && lengths[k].bytes <= head.len; k++) {
		size_t bytes = lengths[k].bytes;
		if (bytes == chain.bytes || bytes == HEAD_BYTES) {
			continue;
		}
		chain.hash = hash_bytes(head.ptr + chain.bytes, bytes - chain.bytes, chain.hash);
		chain.bytes = bytes;
		if (bytes < file->head_length) {
			note_beginning(planning, chains, files, &chain, lengths[i].file);
		}
	}
	if (chain.bytes == file->head_length) {
		uint32_t n = intern_count(chains);
		uint32_t id = intern_id(chains, (struct slice){(const char *)&chain, sizeof chain});
		files[n] = id == n ? lengths[i].file : files[n];
	}
	input_close(input);
}

static void
compare_suspects(struct planning *planning, const struct suspects *suspects)
{
	struct length *lengths = xcalloc(suspects->n + 1, sizeof *lengths);
	struct intern *chains = intern_new();
	size_t *files = xcalloc(suspects->n + 1, sizeof *files); /* by id in chains */

	for (size_t i = 0; i < suspects->n; i++) {
		size_t file = suspects->files[i];
		lengths[i] = (struct length){planning->files[file].head_length, file};
	}
	SORT(lengths, suspects->n, compare_lengths);
	bool is_alike = suspects->n == 0 || lengths[0].bytes == lengths[suspects->n - 1].bytes;
	for (size_t i = 0; i < suspects->n && !is_alike; i++) {
		if (!cancel_requested(planning->options->cancel)) {
			look_into(planning, lengths, i, chains, files);
		}
	}
	intern_free(chains);
	free(files);
	free(lengths);
}

int
plan_begins(struct planning *planning, struct err *err)
{
	struct begins begins = {.planning = planning, .keys = intern_new()};

	if (!planning->options->each) {
		suspect(&begins);
	}
	for (uint32_t i = 0; begins.suspects && i < intern_count(begins.keys); i++) {
		compare_suspects(planning, &begins.suspects[i]);
		free(begins.suspects[i].files);
	}
	free(begins.suspects);
	intern_free(begins.keys);
	return cancel_requested(planning->options->cancel)
	           ? err_set(err, ERR_CANCELLED, "cancelled")
	           : 0;
}
