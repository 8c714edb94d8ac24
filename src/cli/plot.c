#include "config.h"
#include "cli/plot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>

#include "cli/colours.h"
#include "cli/user_settings.h"
#include "export/chart_svg.h"
#include "query/saved/target.h"
#include "ui/chart/chart_text.h"
#include "ui/term/canvas.h"
#include "ui/term/sgr.h"
#include "util/order.h"

#define WIDTH 80
#define HEIGHT 24

static int
take_kind(struct plot_choice *plot, const char *name, struct err *err)
{
	struct strbuf list = {0};

	if (chart_kind_find(slice_of(name), &plot->wish.kind)) {
		plot->wish.has_kind = true;
		return 1;
	}
	for (size_t i = 0; chart_kind_names[i]; i++) {
		strbuf_printf(&list, "%s%s", i > 0 ? ", " : "", chart_kind_names[i]);
	}
	err_set(err, ERR_USAGE, "--plot %s: one of %s", name, list.data);
	strbuf_free(&list);
	return -1;
}

int
plot_take(struct plot_choice *plot, int id, const char *value, struct err *err)
{
	switch (id) {
	case OPTION_PLOT:
		plot->is_asked = true;
		return value ? take_kind(plot, value, err) : 1;
	case OPTION_X:
		plot->wish.x = value;
		return 1;
	case OPTION_Y:
		plot->wish.y = value;
		return 1;
	case OPTION_SERIES:
		plot->wish.series = value;
		return 1;
	case OPTION_LOG_AXES:
		plot->wish.log = value;
		return 1;
	case OPTION_ASCII:
		plot->is_ascii = true;
		return 1;
	case OPTION_SIZE:
		return take_size(value, &plot->width, &plot->height, err) ? -1 : 1;
	case OPTION_FORMAT:
		plot->is_svg = strcmp(value, "svg") == 0;
		return plot->is_svg;
	default:
		return 0;
	}
}

static bool
ends_in_svg(const char *path)
{
	size_t n = path ? strlen(path) : 0;

	return n > 4 && strcasecmp(path + n - 4, ".svg") == 0;
}

/* Title, axes and a note take three lines. */
static size_t
most_bars(int height)
{
	return (size_t)MOST(height - 3, 1);
}

int
plot_settle(struct plot_choice *plot, struct output_choice *output, struct err *err)
{
	static const char *const written[] = {"svg", "txt", NULL};
	const struct chart_wish *wish = &plot->wish;

	if (!plot->is_asked) {
		return plot->is_svg || wish->x || wish->y || wish->series || wish->log ||
		               plot->width
		           ? err_set(err, ERR_USAGE, "%s of a chart: --plot is missing",
		                     plot->is_svg ? "--format svg is"
		                                  : "--x, --y, --series, --log, --size are")
		           : 0;
	}
	if (output->format && strcmp(output->format, "table") != 0) {
		return err_set(err, ERR_USAGE, "--plot draws text or svg, not %s", output->format);
	}
	if (output->path && !output->format && !plot->is_svg &&
	    target_check_ending(output->path, written,
	                        "a chart is written as NAME.svg or, as text, as NAME.txt", err)) {
		return -1;
	}
	plot->is_svg = plot->is_svg || ends_in_svg(output->path);
	plot->wish.most = output->limited                     ? MOST(output->limit, 1)
	                  : plot->height > 0 && !plot->is_svg ? most_bars(plot->height)
	                                                      : 0;
	output->format = "csv"; /* not used: no pager and no look at the file's ending */
	return 0;
}

static void
fit_paper(const struct plot_choice *plot, const struct output *output, struct chart_paper *paper)
{
	struct winsize size = {0};

	if (output->is_terminal) {
		(void)ioctl(fileno(output->file), TIOCGWINSZ, &size);
	}
	paper->ascii = plot->is_ascii || output->options.ascii;
	paper->width = plot->width ? plot->width : size.ws_col > 0 ? size.ws_col : WIDTH;
	paper->height = plot->height      ? plot->height
	                : size.ws_row > 2 ? size.ws_row - 2 /* the prompt before and behind */
	                                  : HEIGHT;
	paper->width = LEAST(paper->width, CANVAS_SIDE_LIMIT);
	paper->height = LEAST(paper->height, CANVAS_SIDE_LIMIT);
}

static int
write_text(const struct chart *chart, const struct plot_choice *plot, const struct output *output,
           struct err *err)
{
	struct settings settings;
	struct chart_paper paper = {.ascii = plot->is_ascii};
	struct strbuf text = {0};
	int rc = 0;

	user_settings_read(&settings);
	fit_paper(plot, output, &paper);
	struct sgr_ink ink = {&settings.term, colours_of(COLOUR_AUTO, output, &settings.term)};
	paper.ink = ink.n_colours > 0 ? &ink : NULL;
	chart_text(chart, &paper, &text);
	if (fwrite(text.data, 1, text.len, output->file) != text.len) {
		rc = err_set_errno(err, errno, "chart");
	}
	strbuf_free(&text);
	settings_fini(&settings);
	return rc;
}

/* Names that have a colour in the runs' timelines have it here. */
static int
colour(struct chart *chart, const struct run_set *runs, struct err *err)
{
	struct colours **colours;
	enum colour_mode mode;

	if (!chart_colour_mode(chart, &mode) || runs->n == 0) {
		return 0;
	}
	colours = xcalloc(runs->n, sizeof(*colours));
	int rc = colours_new_shared(runs->stores, NULL, runs->n, mode, colours, err);
	if (rc == 0) {
		chart_set_colours(chart, colours[0]);
	}
	for (size_t i = 0; i < runs->n; i++) {
		colours_release(colours[i]);
	}
	free(colours);
	return rc;
}

/* NULL on error. */
static struct chart *
make_chart(const struct result *result, const char *line, struct chart_wish wish,
           const struct run_set *runs, struct err *err)
{
	struct arena *arena = arena_new();

	chart_wish_suggest(&wish, line, result, arena);
	struct chart *chart = chart_new(result, &wish, err);
	arena_free(arena);
	if (chart && runs->n == 1) {
		bool has_title = chart->title.len > 0;
		chart->title = slice_of(arena_printf(chart->arena, "%s%s%.*s", runs->names[0],
		                                     has_title ? ": " : "", (int)chart->title.len,
		                                     has_title ? chart->title.ptr : ""));
	}
	if (chart && colour(chart, runs, err)) {
		chart_free(chart);
		chart = NULL;
	}
	return chart;
}

static int
write_chart(const struct chart *chart, const struct plot_choice *plot,
            const struct output_choice *choice, struct err *err)
{
	struct output output;

	if (output_open(&output, choice, err)) {
		return -1;
	}
	int rc = plot->is_svg ? export_chart_svg(chart, output.file, err)
	                      : write_text(chart, plot, &output, err);
	return output_close(&output, rc, err);
}

int
plot_or_print(struct result *result, const char *line, const struct plot_choice *plot,
              const struct output_choice *output, const struct run_set *runs, struct err *err)
{
	if (!plot || !plot->is_asked) {
		return output_result(result, output, err);
	}
	struct output_choice choice = *output;
	choice.sums = SUMS_NEVER;
	output_note_scope(result, output);
	if (output_arrange(result, &choice, err)) {
		return -1;
	}
	struct chart *chart = make_chart(result, line, plot->wish, runs, err);
	int rc = chart ? write_chart(chart, plot, output, err) : -1;
	chart_free(chart);
	return rc;
}

int
plot_or_print_stacked(struct result *const *results, const struct plot_choice *plot,
                      struct run_set *runs, const struct output_choice *output, struct err *err)
{
	bool is_stacked = run_set_is_many(runs) || output->has_path;
	struct result *table = is_stacked ? output_stack(results, runs, output, err) : results[0];
	int rc = table ? plot_or_print(table, NULL, plot, output, runs, err) : -1;

	if (is_stacked) {
		result_free(table);
	}
	return rc;
}

static int
add_svg(const struct chart *chart, struct strbuf *picture, struct err *err)
{
	char *bytes = NULL;
	size_t n = 0;
	FILE *file = open_memstream(&bytes, &n);
	int rc = file ? export_chart_svg(chart, file, err) : -1;

	if (!file || fclose(file) != 0) {
		rc = err_set(err, ERR_SYSTEM, "no memory for a picture");
	}
	strbuf_add_slice(picture, (struct slice){bytes, rc == 0 ? n : 0});
	free(bytes);
	return rc;
}

static bool
says_nothing(const struct chart *chart)
{
	size_t n = 0;

	for (size_t i = 0; i < chart->n_series; i++) {
		n += chart->series[i].n;
	}
	return n < 2;
}

int
plot_picture(const struct result *result, const char *line, bool is_svg, const struct run_set *runs,
             struct strbuf *picture, struct err *err)
{
	const struct chart_wish wish = {.most = is_svg ? 0 : most_bars(PLOT_TEXT_HEIGHT)};
	const struct chart_paper paper = {.width = PLOT_TEXT_WIDTH, .height = PLOT_TEXT_HEIGHT};
	struct chart *chart = make_chart(result, line, wish, runs, err);
	int rc = chart ? 0 : -1;

	if (chart && !says_nothing(chart)) {
		if (is_svg) {
			rc = add_svg(chart, picture, err);
		} else {
			chart_text(chart, &paper, picture);
		}
	}
	chart_free(chart);
	return rc;
}
