#include "config.h"
#include "fuzz/commands.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "fuzz/fuzz.h"
#include "util/mem.h"

#define WORDS_MOST 16

static char folder[] = "/tmp/lanescope-fuzz-XXXXXX";

static int
remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static void
remove_folder(void)
{
	(void)nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

const char *
fuzz_folder(void)
{
	static const char *const homes[] = {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
	                                    "XDG_DATA_HOME", "XDG_STATE_HOME"};
	static bool is_made;

	if (!is_made) {
		FUZZ_CHECK(mkdtemp(folder) != NULL);
		atexit(remove_folder);
		for (size_t i = 0; i < COUNT_OF(homes); i++) {
			FUZZ_CHECK(setenv(homes[i], folder, 1) == 0);
		}
		is_made = true;
	}
	return folder;
}

/* In place of the program's: signals are the fuzzer's, whose limit of time is one of them. */
void
interrupt_watch(void)
{
}

int
interrupt_status(void)
{
	return CLI_CANCELLED;
}

int
fuzz_command(const char *const *words)
{
	char *argv[WORDS_MOST + 2] = {xstrdup("lanescope")}, *kept[WORDS_MOST];
	int argc = 1;

	for (; words[argc - 1]; argc++) {
		FUZZ_CHECK(argc <= WORDS_MOST);
		argv[argc] = kept[argc - 1] = xstrdup(words[argc - 1]);
	}
	char *name = argv[0];
	fflush(stdout);
	int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	FUZZ_CHECK(out >= 0 && nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) == STDOUT_FILENO);
	FUZZ_CHECK(here >= 0 && chdir(fuzz_folder()) == 0);
	int status = cli_main(argc, argv); /* which reorders argv */
	fflush(stdout);
	FUZZ_CHECK(fchdir(here) == 0);
	FUZZ_CHECK(dup2(out, STDOUT_FILENO) == STDOUT_FILENO);
	close(here);
	close(out);
	close(nowhere);
	for (int i = 0; i < argc - 1; i++) {
		free(kept[i]);
	}
	free(name);
	return status;
}

char *
fuzz_trace(const char *trace)
{
	const char *root = getenv("LANESCOPE_SRCDIR");
	struct strbuf path = {0};

	strbuf_printf(&path, "%s/tests/data/%s", root ? root : ".", trace);
	char *absolute = xrealpath(path.data); /* the program is in the folder */
	FUZZ_CHECK(absolute != NULL);
	strbuf_free(&path);
	return absolute;
}

/* part: which of how many; NULL: a run is made. */
static char *
import_trace(const char *trace, const char *name, const char *part)
{
	struct strbuf path = {0};
	char *source = fuzz_trace(trace);

	strbuf_printf(&path, "%s/%s%s", fuzz_folder(), name, part ? ".part" : ".lanes");
	const char *const words[] = {
	    "import", "--quiet", "-o", path.data, source, part ? "--part" : NULL, part, NULL};
	FUZZ_CHECK(fuzz_command(words) == CLI_DONE);
	free(source);
	return strbuf_take(&path);
}

char *
fuzz_run(const char *trace, const char *name)
{
	return import_trace(trace, name, NULL);
}

char *
fuzz_part(const char *trace, const char *name)
{
	return import_trace(trace, name, "1/1");
}
