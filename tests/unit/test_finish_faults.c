/*
 * The finishing pass where its temporary file fails: no room for more, or bytes that are gone or
 * others when they are read back. It says so; and where it does not need the bytes, the result is
 * the same.
 */
#include "config.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "unit/finish_fixture.h"
#include "unit/folder.h"
#include "util/intern.h"

/* When the harm is done: once all blocks are there, when the pass begins to tell what it found, and
 * at its first tile. */
enum stage { STAGE_ADDED, STAGE_BASE, STAGE_TILE, STAGES };

static struct {
	enum stage stage;
	rlim_t room;   /* no file may be longer then */
	double keep;   /* that part of the file stays; below 0: all */
	bool is_noise; /* the rest becomes nonsense instead */
} harm;

static const char *folder;
static struct fixture *fixture;

static void
set_up(void)
{
	folder = folder_new();
	fixture = fixture_new(SHAPE_NESTED, 2500, 3, 4, 100, 200000, 31);
	fixture_tell_orders(fixture, 5);
	harm.room = RLIM_INFINITY;
	harm.keep = -1;
	(void)signal(SIGXFSZ, SIG_IGN);
}

static void
tear_down(void)
{
	fixture_free(fixture);
	folder_remove(folder);
}

static void
set_room(rlim_t bytes)
{
	struct rlimit limit;

	(void)getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
	(void)setrlimit(RLIMIT_FSIZE, &limit);
}

/* Cuts or overwrites the pass's file, which has no name: the descriptor that is in our folder. */
static void
harm_file(void)
{
	char link[64], target[256];

	for (int fd = 3; harm.keep >= 0 && fd < 64; fd++) {
		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		ssize_t n = readlink(link, target, sizeof target - 1);
		target[n > 0 ? n : 0] = '\0';
		if (strncmp(target, folder, strlen(folder)) != 0) {
			continue;
		}
		off_t end = lseek(fd, 0, SEEK_END), kept = (off_t)((double)end * harm.keep);
		if (!harm.is_noise) {
			ck_assert_int_eq(ftruncate(fd, kept), 0);
		}
		for (; harm.is_noise && kept < end; kept++) {
			ck_assert_int_eq(pwrite(fd, "\xff", 1, kept), 1);
		}
	}
}

/* All that came out, as one number. Nothing is asserted while there is no room: Check writes files,
 * too. */
struct digest {
	uint64_t hash;
	bool is_harmed;
	int n_tiles;
};

static void
do_harm(struct digest *digest, enum stage stage)
{
	if (digest->is_harmed && stage == harm.stage) {
		harm_file();
		set_room(harm.room);
	}
}

static void
digest_add(struct digest *digest, const void *bytes, size_t n)
{
	digest->hash = hash_bytes(bytes, n, digest->hash);
}

static int
digest_base(void *user, int64_t tile_base_ns, unsigned n_levels)
{
	do_harm(user, STAGE_BASE);
	digest_add(user, &tile_base_ns, sizeof tile_base_ns);
	digest_add(user, &n_levels, sizeof n_levels);
	return 0;
}

static int
digest_tile(void *user, const struct tile_chunk *chunk)
{
	const uint64_t place[] = {chunk->subject, chunk->id, chunk->level, chunk->chunk};

	if (((struct digest *)user)->n_tiles++ == 0) {
		do_harm(user, STAGE_TILE);
	}
	digest_add(user, place, sizeof place);
	digest_add(user, chunk->bytes.ptr, chunk->bytes.len);
	return 0;
}

static int
digest_columns(void *user, uint32_t source, uint32_t sequence, struct column_info *columns,
               const size_t *offsets, uint32_t n, struct slice bytes)
{
	digest_add(user, &source, sizeof source);
	digest_add(user, &sequence, sizeof sequence);
	for (uint32_t i = 0; i < n; i++) {
		digest_add(user, &columns[i].n_present, sizeof columns[i].n_present);
		digest_add(user, &offsets[i], sizeof offsets[i]);
	}
	digest_add(user, bytes.ptr, bytes.len);
	return 0;
}

/* 0 and the digest of what comes out, or -1. */
static int
run(size_t memory_bytes, unsigned n_threads, bool is_harmed, uint64_t *hash, struct err *err)
{
	static const uint32_t group[4] = {0, 1, 0, TEXT_NONE};
	static const bool is_dense[4] = {false, false, true, false};
	struct finish *finish = finish_new(folder, memory_bytes);
	struct finish_source sources[3] = {{0}};
	struct digest digest = {.is_harmed = is_harmed};
	struct finish_receiver receiver = {&digest, digest_base, digest_tile, digest_columns};

	for (size_t i = 0; i < fixture->n_blocks; i++) {
		add_block(finish, fixture, &fixture->blocks[i]);
	}
	for (uint32_t s = 0; s < 3; s++) {
		sources[s].lanes = fixture->lane_maps + (size_t)s * fixture->n_lanes;
		sources[s].texts = fixture->text_maps + (size_t)s * (FIXTURE_CATEGORIES + 1);
	}
	struct finish_plan plan = {.sources = sources,
	                           .n_sources = 3,
	                           .n_lanes = fixture->n_lanes,
	                           .is_dense = is_dense,
	                           .group = group,
	                           .n_groups = 2,
	                           .origin_ns = fixture->origin_ns,
	                           .duration_ns = fixture->duration_ns,
	                           .n_threads = n_threads};
	do_harm(&digest, STAGE_ADDED);
	int status = finish_run(finish, &plan, &receiver, err);
	set_room(RLIM_INFINITY);
	finish_free(finish);
	*hash = digest.hash;
	return status;
}

/* Runs with the harm; the same as without, or an error of the system. Whether it failed. */
static bool
fails(size_t memory_bytes, unsigned n_threads, uint64_t right)
{
	struct err err = ERR_INIT;
	uint64_t hash;

	if (run(memory_bytes, n_threads, true, &hash, &err) == 0) {
		ck_assert_uint_eq(hash, right);
		return false;
	}
	ck_assert_msg(err.code == ERR_SYSTEM && err.message[0], "%d: %s", err.code, err.message);
	return true;
}

START_TEST(no_room_anywhere)
{
	size_t memory_bytes = _i ? 0 : 20000;
	unsigned n_threads = 1 + (unsigned)_i;
	struct err err = ERR_INIT;
	uint64_t right;
	int n_failed = 0;
	bool has_failed = true;

	ck_assert_int_eq(run(memory_bytes, n_threads, false, &right, &err), 0);
	for (harm.room = 0; harm.room < 1 << 20; harm.room += 1 + harm.room / 16) {
		has_failed = fails(memory_bytes, n_threads, right);
		n_failed += has_failed;
	}
	ck_assert(!has_failed);
	ck_assert_int_gt(n_failed, 30);
}
END_TEST

START_TEST(what_was_written_is_gone)
{
	struct err err = ERR_INIT;
	uint64_t right;

	ck_assert_int_eq(run(0, 2, false, &right, &err), 0);
	harm.stage = (enum stage)_i;
	for (int part = 0; part < 40; part++) {
		harm.keep = part / 40.0;
		bool has_failed = fails(0, 2, right);
		ck_assert_msg(has_failed || (_i > 0 && part > 0), "%d", part);
	}
}
END_TEST

/* Results that came back as others are noticed, or at least do no harm. */
START_TEST(what_was_written_is_nonsense)
{
	int n_damaged = 0;

	harm.stage = STAGE_TILE;
	harm.is_noise = true;
	for (int part = 0; part < 40; part++) {
		struct err err = ERR_INIT;
		uint64_t hash;

		harm.keep = part / 40.0;
		if (run(0, 1, true, &hash, &err)) {
			ck_assert_int_ne(err.code, ERR_NONE);
			n_damaged += strstr(err.message, "came back damaged") != NULL;
		}
	}
	ck_assert_int_gt(n_damaged, 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("finish_faults");
	TCase *tcase = tcase_create("faults");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, no_room_anywhere, 0, 2);
	tcase_add_loop_test(tcase, what_was_written_is_gone, 0, STAGES);
	tcase_add_test(tcase, what_was_written_is_nonsense);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
