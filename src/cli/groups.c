#include "config.h"
#include "cli/groups.h"

#include <string.h>

#include "util/mem.h"

char **
groups_spread(int *argc, char **argv)
{
	char **spread = xcalloc((size_t)*argc * 2 + 1, sizeof *spread);
	const char *group = NULL; /* whose words these are */
	bool is_value = false, is_over = false;
	int n = 0;
	for (int i = 0; i < *argc; i++) {
		bool is_word = argv[i][0] != '-' || argv[i][1] == 0 || is_value || is_over;
		if (is_word && !is_value && !is_over && group) {
			spread[n++] = (char *)group;
		} else if (!is_word) {
			bool a = strcmp(argv[i], "--a") == 0 || strncmp(argv[i], "--a=", 4) == 0;
			bool b = strcmp(argv[i], "--b") == 0 || strncmp(argv[i], "--b=", 4) == 0;
			is_over = strcmp(argv[i], "--") == 0;
			group = a ? "--a" : b ? "--b" : NULL;
			is_value = (a || b) && argv[i][3] == 0;
			spread[n++] = argv[i];
			continue;
		}
		is_value = false;
		spread[n++] = argv[i];
	}
	*argc = n;
	return spread;
}

int
groups_find(struct cli *cli, const struct path_list groups[2], struct path_list *files, size_t *n_a,
            struct err *err)
{
	if (!groups[0].n || !groups[1].n) {
		return err_set(err, ERR_USAGE, "--%s is missing: %s needs runs on both sides",
		               groups[0].n ? "b" : "a", cli->command->name);
	}
	if (find_run_files(cli, groups[0].paths, groups[0].n, true, files, NULL, err)) {
		return -1;
	}
	*n_a = files->n;
	return find_run_files(cli, groups[1].paths, groups[1].n, true, files, NULL, err);
}
