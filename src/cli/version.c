/* What a report of a bug should say of the program: its version, what it was built with, and the
 * libraries that run, which need not be those that it was compiled for. */
#include "config.h"
#include "cli/version.h"

#include <langinfo.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "input/input.h"
#include "store/store.h"
#include "ui/term/term.h"
#include "util/json_document.h"
#include "util/utf8.h"
#include "util/workers.h"

static const char *
libc_name(void)
{
#ifdef __GLIBC__
	return "glibc ";
#else
	return "a libc that does not tell its version";
#endif
}

static const char *
libc_version(void)
{
#ifdef __GLIBC__
	return gnu_get_libc_version();
#else
	return "";
#endif
}

/* What configure may leave out, or adds. */
static const char options[] =
#ifdef HAVE_ISAL
    "with ISA-L, "
#else
    "without ISA-L, "
#endif
#ifdef HAVE_EXTENSION
    "with the SQLite extension"
#else
    "without the SQLite extension"
#endif
#ifdef SANITIZED
    ", with sanitizers"
#endif
    ;

void
version_print(void)
{
	struct strbuf libraries = {0};
	struct utsname machine;
	bool has_machine = uname(&machine) == 0;
	bool is_static = getauxval(AT_BASE) == 0; /* no interpreter has loaded it */

	store_library(&libraries);
	input_libraries(&libraries);
	json_document_library(&libraries);
	term_library(&libraries);
	printf("lanescope %s\n", PACKAGE_VERSION);
	printf("run files   version %d, from version %d on after lanescope upgrade\n",
	       STORE_VERSION, STORE_VERSION_OLDEST);
	printf("libraries   %s\n", libraries.data);
	printf("options     %s\n", options);
	printf("characters  %s, widths of Unicode %d\n", nl_langinfo(CODESET), UTF8_UNICODE);
	printf("threads     %u\n", workers_count());
#ifdef __clang__
	printf("built       clang %s", __clang_version__);
#else
	printf("built       gcc %s", __VERSION__);
#endif
	printf(", %s%s, linked %s, on %s\n", libc_name(), libc_version(),
	       is_static ? "statically" : "dynamically", has_machine ? machine.machine : "?");
	strbuf_free(&libraries);
}
