/* A command that is printed must work when it is pasted into the shell that this one came from:
 * from the PATH, by a path, or by bootstrap, which builds the program and says by
 * $LANESCOPE_BOOTSTRAP what it was called itself. */
#include "config.h"
#include "cli/called_as.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
is_plain(const char *text)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,:@%-";

	return *text && !text[strspn(text, plain)];
}

void
shell_word_add(struct strbuf *out, const char *text)
{
	if (is_plain(text)) {
		strbuf_add_text(out, text);
		return;
	}
	strbuf_add_char(out, '\'');
	for (; *text; text++) {
		if (*text == '\'') {
			strbuf_add_text(out, "'\\''");
		} else {
			strbuf_add_char(out, *text);
		}
	}
	strbuf_add_char(out, '\'');
}

void
shell_option_add(struct strbuf *out, const char *option, const char *value)
{
	if (value) {
		strbuf_printf(out, " %s ", option);
		shell_word_add(out, value);
	}
}

void
shell_scope_add(struct strbuf *out, const struct cli *cli)
{
	struct strbuf scope = {0};

	scope_write(&cli->scope, &scope);
	shell_option_add(out, "--class", cli->class_text.data);
	shell_option_add(out, "--scope", scope.len > 0 ? scope.data : NULL);
	strbuf_free(&scope);
}

void
called_as_add(struct strbuf *out, const struct cli *cli)
{
	const char *bootstrap = getenv("LANESCOPE_BOOTSTRAP");

	if (!bootstrap || !*bootstrap) {
		shell_word_add(out, cli->program);
		return;
	}
	/* sh bootstrap: the name alone would be looked for in the PATH. */
	strbuf_add_text(out, access(bootstrap, X_OK) == 0 ? "" : "sh ");
	strbuf_add_text(out, strchr(bootstrap, '/') ? "" : "./");
	shell_word_add(out, bootstrap);
	strbuf_add_text(out, " run");
}

void
shell_path_add(struct strbuf *out, const char *path)
{
	const char *home = getenv("HOME");
	size_t n = home ? strlen(home) : 0;

	if (n > 1 && strncmp(path, home, n) == 0 && path[n] == '/' && is_plain(path + n)) {
		strbuf_add_text(out, "~");
		strbuf_add_text(out, path + n);
	} else {
		shell_word_add(out, path);
	}
}
