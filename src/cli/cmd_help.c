/*
 * lanescope help WORD...: the manual, without man(1). On a terminal what stands out is bold or
 * underlined: for a pager as man(1) gives it, by typing over, since any pager knows that; elsewhere
 * text is plain.
 */
#include "config.h"
#include "cli/help.h"
#include "cli/output.h"

#include "manual/manual.h"

#define COLUMNS 78 /* of text that goes nowhere, and at most: longer lines are hard to read */
#define COLUMNS_MIN 20

struct help_choice {
	struct output_choice output;
	const char *queries_dir;
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct help_choice *choice = user;

	if (id == OPTION_QUERIES) {
		choice->queries_dir = value;
		return 0;
	}
	return output_take(&choice->output, id, value, err);
}

static void
put_marked(char c, char mark, bool is_typed_over, FILE *file)
{
	if (is_typed_over && mark == MANUAL_BOLD) {
		fprintf(file, "%c\b%c", c, c);
	} else if (is_typed_over && mark == MANUAL_UNDERLINED) {
		fprintf(file, "_\b%c", c);
	} else {
		putc(c, file);
	}
}

static void
put_text(struct slice text, const struct output *output)
{
	char mark = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		if (c != MANUAL_BOLD && c != MANUAL_UNDERLINED && c != MANUAL_PLAIN) {
			put_marked(c, mark, output->pager != 0, output->file);
			continue;
		}
		mark = c;
		if (output->is_terminal && !output->pager) {
			fputs(c == MANUAL_BOLD         ? "\033[1m"
			      : c == MANUAL_UNDERLINED ? "\033[4m"
			                               : "\033[m",
			      output->file);
		}
	}
}

static size_t
text_columns(void)
{
	size_t columns = cli_width(stdout);

	return columns == 0 || columns > COLUMNS ? COLUMNS
	       : columns < COLUMNS_MIN           ? COLUMNS_MIN
	                                         : columns;
}

/* For people whatever it goes to. */
static int
write_text(const struct strbuf *text, struct output_choice *choice, struct err *err)
{
	struct output output;

	choice->format = "table";
	if (output_open(&output, choice, err)) {
		return -1;
	}
	put_text(strbuf_slice(text), &output);
	return output_close(&output, 0, err);
}

int
help_query(const struct saved_query *query, struct err *err)
{
	struct output_choice choice = {0};
	struct strbuf text = {0};

	manual_query(query, text_columns(), &text);
	int rc = write_text(&text, &choice, err);
	strbuf_free(&text);
	return rc;
}

static int
answer(const struct cli *cli, struct help_choice *choice, struct err *err)
{
	struct query_library *library = query_library_open(choice->queries_dir);
	struct manual *manual = manual_open(library);
	struct strbuf words = {0}, text = {0};

	for (size_t i = 0; i < cli->n_words; i++) {
		strbuf_printf(&words, "%s%s", i ? " " : "", cli->words[i]);
	}
	int rc = manual_answer(manual, slice_of(words.data ? words.data : ""), text_columns(),
	                       &text, err);
	rc = rc ? rc : write_text(&text, &choice->output, err);
	strbuf_free(&words);
	strbuf_free(&text);
	manual_close(manual);
	query_library_close(library);
	return rc;
}

int
command_help(struct cli *cli)
{
	struct help_choice choice = {0};
	struct err err = ERR_INIT;

	if (options_parse(cli, take, &choice, &err)) {
		return cli_usage(cli, &err);
	}
	return answer(cli, &choice, &err) ? cli_fail(&err) : CLI_DONE;
}
