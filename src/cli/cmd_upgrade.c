/* lanescope upgrade OLD -o NEW: a run file of this version from one of an older version. */
#include "config.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <stdlib.h>

#include "store/store.h"
#include "store/upgrade.h"

static int
take(void *user, int id, const char *value, struct err *err)
{
	(void)id;
	(void)err;
	*(const char **)user = value;
	return 0;
}

int
command_upgrade(struct cli *cli)
{
	const char *to = NULL;
	struct err err = ERR_INIT;
	int version;
	if (options_parse(cli, take, &to, &err) ||
	    (cli->n_words != 1 && err_set(&err, ERR_USAGE, "give one run file")) ||
	    (!to && err_set(&err, ERR_USAGE, "what is the new run file called? give -o NEW"))) {
		return cli_usage(cli, &err);
	}
	if (upgrade_run(&upgrade_history, cli->words[0], to, &version, &cli->cancel, &err)) {
		return cli_fail(&err);
	}
	cli_say("%s: version %d; %s was version %d", to, STORE_VERSION, cli->words[0], version);
	return CLI_DONE;
}
