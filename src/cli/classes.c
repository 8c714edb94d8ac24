/*
 * Both texts are of the same language and are tried in turn, so they are put one behind the other;
 * each was checked by itself, so that an error names where it stands.
 */
#include "config.h"
#include "cli/classes.h"

#include <string.h>

#include "cli/user_settings.h"
#include "column/scan/path_classes.h"

int
classes_take(struct strbuf *text, const char *value, struct err *err)
{
	struct path_classes *classes = path_classes_new(value, err);

	if (!classes) {
		return err_wrap(err, "--class");
	}
	path_classes_free(classes);
	strbuf_printf(text, "%s%s", text->len > 0 ? ":" : "", value);
	return 0;
}

void
classes_set(struct cli *cli, struct strbuf *text)
{
	strbuf_free(&cli->class_text);
	cli->class_text = *text;
	*text = (struct strbuf){0};
}

void
classes_text(const struct cli *cli, struct strbuf *text)
{
	struct settings settings;

	user_settings_read(&settings);
	for (char *line = settings.problems.data, *end; line && *line; line = end + 1) {
		end = line + strcspn(line, "\n");
		cli_say("%.*s", (int)(end - line), line);
		if (!*end) {
			break;
		}
	}
	strbuf_add(text, cli->class_text.data, cli->class_text.len);
	if (settings.classes[0]) {
		strbuf_printf(text, "%s%s", text->len > 0 ? ":" : "", settings.classes);
	}
	settings_fini(&settings);
}

const struct path_classes *
classes_get(struct cli *cli)
{
	if (!cli->classes) {
		struct strbuf text = {0};
		struct err err = ERR_INIT;

		classes_text(cli, &text);
		cli->classes = path_classes_new(text.data, &err);
		if (!cli->classes) { /* too many of them together */
			cli_say("%s: classes are guessed", err.message);
			cli->classes = path_classes_new(NULL, &err);
		}
		strbuf_free(&text);
	}
	return cli->classes;
}

void
classes_release(struct cli *cli)
{
	path_classes_free(cli->classes);
	strbuf_free(&cli->class_text);
	cli->classes = NULL;
}
