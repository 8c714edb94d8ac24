/* older RUN OLD: the run as the oldest version wrote it that `lanescope upgrade` takes. */
#include "config.h"

#include <stdio.h>

#include "store/store.h"
#include "store/upgrade.h"
#include "tests/unit/old_run.h"

int
main(int argc, char **argv)
{
	if (argc != 3) {
		fputs("usage: older RUN OLD\n", stderr);
		return 2;
	}
	old_run_write(argv[1], argv[2], STORE_VERSION_OLDEST,
	              (const char *)upgrade_history.versions[0].sql, 32768);
	return 0;
}
