/* lanescope python: the module for notebooks, which is in the program as the manual is. */
#include "config.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>

#include "cli/lanescope_py.h"

int
command_python(struct cli *cli)
{
	struct err err = ERR_INIT;
	if (options_parse(cli, NULL, NULL, &err)) {
		return cli_usage(cli, &err);
	}
	if (cli->n_words) {
		err_set(&err, ERR_USAGE, "it takes nothing: `lanescope python >lanescope.py`");
		return cli_usage(cli, &err);
	}
	errno = 0;
	if (fwrite(lanescope_py, 1, lanescope_py_length, stdout) < lanescope_py_length ||
	    fflush(stdout) != 0) {
		err_set_errno(&err, errno ? errno : EIO, "can't write the output");
		return cli_fail(&err);
	}
	return CLI_DONE;
}
