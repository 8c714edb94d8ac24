#include "config.h"

#include "tests/pty/explore.h"

#include <sys/wait.h>

#include "tests/unit/unit.h"
#include "util/slice.h"

static char folder[] = "/tmp/lanescope-pty-XXXXXX";
static char runs[256];

void
explore_set_up(void)
{
	char command[1024];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(runs, sizeof(runs), "%s/runs", folder);
	snprintf(command, sizeof(command),
	         "XDG_CACHE_HOME=%s XDG_CONFIG_HOME=%s '%s' demo >%s/log 2>&1 && mkdir %s && "
	         "cd %s/lanescope/demo && cp one-worker.lanes four-workers.lanes training.lanes %s",
	         folder, folder, getenv("LANESCOPE"), folder, runs, folder, runs);
	ck_assert_msg(system(command) == 0, "%s failed", command);
}

void
explore_tear_down(void)
{
	char command[300];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	ck_assert_int_eq(system(command), 0);
}

const char *
explore_folder(void)
{
	return folder;
}

const char *
explore_runs(void)
{
	return runs;
}

static char *
output_of(const char *arguments, int status)
{
	char command[1024];
	struct strbuf text = {0};
	FILE *pipe;
	int c;

	snprintf(command, sizeof(command), "XDG_CONFIG_HOME=%s XDG_CACHE_HOME=%s '%s' %s", folder,
	         folder, getenv("LANESCOPE"), arguments);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	while ((c = getc(pipe)) != EOF) {
		strbuf_add_char(&text, (char)c);
	}
	int ended = pclose(pipe);
	ck_assert_msg(WIFEXITED(ended) && WEXITSTATUS(ended) == status, "%s: not status %d",
	              command, status);
	return strbuf_take(&text);
}

char *
explore_output(const char *arguments)
{
	return output_of(arguments, 0);
}

static char *
play(const char *keys, int status)
{
	char path[300], arguments[800];
	FILE *file;

	snprintf(path, sizeof(path), "%s/keys", folder);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(keys, file);
	ck_assert_int_eq(fclose(file), 0);
	snprintf(arguments, sizeof(arguments), "--keys %s %s", path, runs);
	return output_of(arguments, status);
}

char *
explore_play(const char *keys)
{
	return play(keys, 0);
}

char *
explore_play_refused(const char *keys)
{
	return play(keys, 2);
}

#define ARGUMENTS 16

struct pty *
explore_with(int columns, int rows, const char *const *arguments, const char *variable)
{
	const char *argv[ARGUMENTS] = {getenv("LANESCOPE")};
	char config[300], state[300], cache[300];
	const char *environment[] = {config, state, cache, variable, NULL};

	for (size_t i = 0; arguments[i] && i + 2 < ARGUMENTS; i++) {
		argv[i + 1] = arguments[i];
	}
	snprintf(config, sizeof(config), "XDG_CONFIG_HOME=%s", folder);
	snprintf(state, sizeof(state), "XDG_STATE_HOME=%s/state", folder);
	snprintf(cache, sizeof(cache), "XDG_CACHE_HOME=%s/cache", folder);
	return pty_start(columns, rows, argv, environment);
}

struct pty *
explore(int columns, int rows, const char *path, const char *variable)
{
	const char *arguments[] = {"--no-session", path ? path : runs, NULL};

	return explore_with(columns, rows, arguments, variable);
}

void
explore_end(struct pty *pty, int status)
{
	ck_assert_int_eq(pty_end(pty), status);
	ck_assert(pty_is_given_back(pty));
	pty_free(pty);
}

void
explore_press(struct pty *pty, const char *keys, const char *text)
{
	pty_send(pty, keys);
	ck_assert_msg(pty_wait(pty, text), "\"%s\" is not shown after \"%s\"", text, keys);
}

void
explore_quit(struct pty *pty)
{
	pty_send(pty, "Q");
	explore_end(pty, 0);
}

int
explore_main(const char *name, void (*add)(void *tests))
{
	Suite *suite;
	TCase *tests;

	if (!getenv("LANESCOPE") || access(getenv("LANESCOPE"), X_OK) != 0) {
		printf("1..0 # SKIP LANESCOPE does not name the program\n");
		return 0;
	}
	suite = suite_create(name);
	tests = tcase_create(name);
	tcase_add_unchecked_fixture(tests, explore_set_up, explore_tear_down);
	tcase_set_timeout(tests, 60);
	add(tests);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
