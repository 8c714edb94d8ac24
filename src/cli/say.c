/* What all commands say to whom sits at the terminal. */
#include "config.h"
#include "cli/cli.h"

#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "util/utf8.h"

static bool is_silent;

void
cli_say_errors_only(void)
{
	is_silent = true;
}

static void say(const char *format, va_list list) __attribute__((format(printf, 1, 0)));

static void
say(const char *format, va_list list)
{
	char text[ERR_MESSAGE_BYTES * 2];
	struct strbuf shown = {0};
	(void)vsnprintf(text, sizeof text, format, list);
	utf8_escape(&shown, slice_of(text));
	fprintf(stderr, "lanescope: %s\n", shown.data ? shown.data : "");
	strbuf_free(&shown);
}

void
cli_say(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	if (!is_silent) {
		say(format, list);
	}
	va_end(list);
}

/* What ends the program is said in any case. */
__attribute__((format(printf, 1, 2))) static void
say_error(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	say(format, list);
	va_end(list);
}

int
cli_fail(const struct err *err)
{
	if (err->code == ERR_CANCELLED) {
		say_error("stopped");
		return interrupt_status();
	}
	say_error("%s", err->message);
	return CLI_FAILED;
}

int
cli_usage(const struct cli *cli, const struct err *err)
{
	const struct cli_command *command = cli->command;
	bool named = command->name[0] != 0;
	if (err->code != ERR_USAGE) {
		return err->code ? cli_fail(err) : CLI_DONE;
	}
	say_error("%s%s%s (see lanescope %s%s--help)", named ? command->name : "",
	          named ? ": " : "", err->message, named ? command->name : "", named ? " " : "");
	return CLI_FAILED;
}

size_t
cli_width(FILE *stream)
{
	struct winsize size;
	int64_t columns;
	const char *text = getenv("COLUMNS");
	if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
		return size.ws_col;
	}
	return text && slice_int64(slice_of(text), &columns) && columns > 0 && columns < 100000
	           ? (size_t)columns
	           : 0;
}
