/*
 * Replays files, and folders of files, through a fuzz target, with any compiler: the corpus then is
 * part of the ordinary tests. TAP, one line a file; a crash ends the program and so fails the test.
 *
 * Then, for FUZZ_SECONDS from the environment, inputs made of those by chance, from FUZZ_SEED (the
 * time): what finds faults where there is no libFuzzer, which knows better what to try. One that
 * ends the program, or takes too long, is written to the file FUZZ_LAST by a process that looks on.
 */
#include "config.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"
#include "util/slice.h"

#define INPUT_BYTES_MOST ((size_t)1 << 16)
#define INPUT_SECONDS_MOST 100

/* Shared with who looks on. */
struct last {
	size_t len;
	char bytes[INPUT_BYTES_MOST];
};

static unsigned n_done;
static struct strbuf *inputs;
static size_t n_inputs, inputs_capacity;

/* In an allocation of exactly this size, so that a sanitizer sees every byte too far. */
static void
run(const struct strbuf *bytes)
{
	uint8_t *exact = malloc(bytes->len ? bytes->len : 1);

	memcpy(exact, strbuf_slice(bytes).ptr, bytes->len);
	(void)alarm(INPUT_SECONDS_MOST);
	(void)LLVMFuzzerTestOneInput(exact, bytes->len);
	free(exact);
}

static int
replay(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct strbuf bytes = {NULL, 0, 0};
	char piece[4096];

	if (!file) {
		perror(path);
		return -1;
	}
	for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;) {
		strbuf_add(&bytes, piece, n);
	}
	fclose(file);
	run(&bytes);
	MEM_GROW(inputs, inputs_capacity, n_inputs + 1);
	inputs[n_inputs++] = bytes;
	printf("ok %u - %s\n", ++n_done, path);
	fflush(stdout);
	return 0;
}

static int
replay_folder(const char *path)
{
	struct dirent **entries = NULL;
	int n = scandir(path, &entries, NULL, alphasort);
	int result = n < 0 ? -1 : 0;

	for (int i = 0; i < n; i++) {
		struct strbuf name = {NULL, 0, 0};
		if (entries[i]->d_name[0] != '.') {
			strbuf_printf(&name, "%s/%s", path, entries[i]->d_name);
			result |= replay(name.data);
		}
		strbuf_free(&name);
		free(entries[i]);
	}
	free(entries);
	return result;
}

/* ---- inputs made by chance ---- */

/* Takes n bytes out at `at` and puts those of with there. */
static void
splice(struct strbuf *bytes, size_t at, size_t n, struct slice with)
{
	struct strbuf made = {0};
	struct slice whole = strbuf_slice(bytes);

	strbuf_add(&made, whole.ptr, at);
	strbuf_add_slice(&made, with);
	strbuf_add_slice(&made, slice_from(whole, at + n));
	made.len = LEAST(made.len, INPUT_BYTES_MOST);
	strbuf_free(bytes);
	*bytes = made;
}

static void
change(struct strbuf *bytes, struct prng *prng)
{
	static const char odd[][20] = {"\xff\xff\xff\xff\xff\xff\xff\xff",
	                               "\x7f\xff\xff\xff",
	                               "\x80",
	                               "-1",
	                               "9223372036854775808",
	                               "\"",
	                               "1e999",
	                               "{[",
	                               "}]",
	                               "\n",
	                               ",",
	                               "0"};
	const struct strbuf *other = &inputs[prng_below(prng, n_inputs)];
	size_t at = prng_below(prng, bytes->len + 1), n = prng_below(prng, 1 + bytes->len - at);

	switch (prng_below(prng, bytes->len && other->len ? 5 : 1)) {
	case 0:
		splice(bytes, at, 0, slice_of(odd[prng_below(prng, COUNT_OF(odd))]));
		break;
	case 1:
		bytes->data[at % bytes->len] ^= (char)(1 << prng_below(prng, 8));
		break;
	case 2:
		splice(bytes, at, LEAST(n, 1 + prng_below(prng, 16)), (struct slice){"", 0});
		break;
	case 3: { /* a piece of another input, or of itself */
		size_t from = prng_below(prng, other->len);
		splice(bytes, at, LEAST(n, prng_below(prng, 64)),
		       (struct slice){other->data + from,
		                      1 + prng_below(prng, LEAST(other->len - from, 200))});
		break;
	}
	default:
		bytes->len = at;
	}
}

static void
try_others(long seconds, struct prng *prng, struct last *last)
{
	time_t end = time(NULL) + seconds;
	unsigned long n = 0;

	for (; n_inputs > 0 && time(NULL) < end; n++) {
		struct strbuf bytes = {0};
		strbuf_add_slice(&bytes, strbuf_slice(&inputs[prng_below(prng, n_inputs)]));
		for (uint64_t i = 1 + prng_below(prng, 4); i > 0; i--) {
			change(&bytes, prng);
		}
		last->len = LEAST(bytes.len, INPUT_BYTES_MOST);
		memcpy(last->bytes, strbuf_slice(&bytes).ptr, last->len);
		run(&bytes);
		strbuf_free(&bytes);
	}
	printf("# %lu inputs made by chance\n", n);
}

static int
replay_all(int argc, char **argv, struct last *last)
{
	const char *seconds = getenv("FUZZ_SECONDS"), *seed = getenv("FUZZ_SEED");
	int result = 0;

	for (int i = 1; i < argc; i++) {
		struct stat status;
		bool is_folder = stat(argv[i], &status) == 0 && S_ISDIR(status.st_mode);
		result |= is_folder ? replay_folder(argv[i]) : replay(argv[i]);
	}
	if (last && seconds && result == 0) {
		struct prng prng = {seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL)};
		printf("# seed %llu\n", (unsigned long long)prng.state);
		fflush(stdout);
		try_others(strtol(seconds, NULL, 10), &prng, last);
	}
	printf("1..%u\n", n_done);
	for (size_t i = 0; i < n_inputs; i++) {
		strbuf_free(&inputs[i]);
	}
	free(inputs);
	return result ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Waits for who tries inputs; keeps the last one where that was the end of it. */
static int
look_on(pid_t child, const struct last *last, const char *path)
{
	int status;

	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("fork");
		return EXIT_FAILURE;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		return EXIT_SUCCESS;
	}
	FILE *file = last->len ? fopen(path, "wb") : NULL;
	if (file) {
		fwrite(last->bytes, 1, last->len, file);
		fclose(file);
		fprintf(stderr, "kept in %s\n", path);
	}
	return EXIT_FAILURE;
}

int
main(int argc, char **argv)
{
	const char *path = getenv("FUZZ_LAST");
	struct last *last = MAP_FAILED;

	if (path && *path) {
		last = mmap(NULL, sizeof *last, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		            -1, 0);
	}
	if (last == MAP_FAILED) {
		return replay_all(argc, argv, NULL);
	}
	pid_t child = fork();
	return child == 0 ? replay_all(argc, argv, last) : look_on(child, last, path);
}
