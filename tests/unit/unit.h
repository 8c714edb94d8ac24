/* What every Check program shares: TAP output, and where the samples are. */
#ifndef LANESCOPE_TESTS_UNIT_H
#define LANESCOPE_TESTS_UNIT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline int
unit_run(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Folder of the samples that are not part of the project (LANESCOPE_SHARED), or NULL: such tests
 * say so and pass as skipped. */
static inline const char *
unit_shared(void)
{
	const char *folder = getenv("LANESCOPE_SHARED");
	if (folder && access(folder, R_OK) == 0) {
		return folder;
	}
	printf("# skipped: LANESCOPE_SHARED does not name the folder of samples\n");
	return NULL;
}

#endif
