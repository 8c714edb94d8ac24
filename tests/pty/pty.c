/* forkpty for the line discipline, libvterm for the screen. */
#include "config.h"

#include "tests/pty/pty.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>

#define TIMEOUT_MS 20000 /* PTY_TIMEOUT_MS in the environment: another */

struct pty {
	int file, slave;
	pid_t child;
	int status;
	bool has_ended, alternate, is_cursor_hidden;
	int noises, mouse;
	VTerm *terminal;
	VTermScreen *screen;
	int columns, rows;
	char *output;
	size_t bytes, capacity;
	struct termios before;
	char line[4096];
};

static int
on_property(VTermProp property, VTermValue *value, void *user)
{
	struct pty *pty = user;

	if (property == VTERM_PROP_ALTSCREEN) {
		pty->alternate = value->boolean;
	}
	if (property == VTERM_PROP_CURSORVISIBLE) {
		pty->is_cursor_hidden = !value->boolean;
	}
	if (property == VTERM_PROP_MOUSE) {
		pty->mouse = value->number;
	}
	pty->noises += property == VTERM_PROP_TITLE || property == VTERM_PROP_ICONNAME ||
	               property == VTERM_PROP_REVERSE || property == VTERM_PROP_MOUSE;
	return 1;
}

static int
on_bell(void *user)
{
	struct pty *pty = user;

	pty->noises++;
	return 1;
}

static const VTermScreenCallbacks callbacks = {.settermprop = on_property, .bell = on_bell};

static void
on_output(const char *bytes, size_t length, void *user)
{
	struct pty *pty = user;
	ssize_t ignored = write(pty->file, bytes, length);

	(void)ignored; /* the program may be gone */
}

static void
run_child(const char *const *argv, const char *const *environment)
{
	/* whoever runs the tests by nohup, or in the background of a script */
	signal(SIGHUP, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("LINES");
	unsetenv("COLUMNS");
	unsetenv("NO_COLOR");
	for (size_t i = 0; environment && environment[i]; i++) {
		const char *equals = strchr(environment[i], '=');

		if (equals) {
			char name[64];

			snprintf(name, sizeof(name), "%.*s", (int)(equals - environment[i]),
			         environment[i]);
			setenv(name, equals + 1, 1);
		} else {
			unsetenv(environment[i]);
		}
	}
	execv(argv[0], (char *const *)argv);
	_exit(127);
}

struct pty *
pty_start(int columns, int rows, const char *const *argv, const char *const *environment)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
	struct pty *pty = calloc(1, sizeof(*pty));

	if (openpty(&pty->file, &pty->slave, NULL, NULL, &size) != 0) {
		free(pty);
		return NULL;
	}
	tcgetattr(pty->slave, &pty->before);
	pty->columns = columns;
	pty->rows = rows;
	pty->child = fork();
	if (pty->child == 0) {
		close(pty->file);
		login_tty(pty->slave);
		run_child(argv, environment);
	}
	pty->terminal = vterm_new(rows, columns);
	vterm_set_utf8(pty->terminal, 1);
	vterm_output_set_callback(pty->terminal, on_output, pty);
	pty->screen = vterm_obtain_screen(pty->terminal);
	vterm_screen_set_callbacks(pty->screen, &callbacks, pty);
	vterm_screen_enable_altscreen(pty->screen, 1);
	vterm_screen_reset(pty->screen, 1);
	pty->noises = 0; /* the reset's own */
	return pty;
}

static long
now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static long
deadline_from_now(void)
{
	const char *wanted = getenv("PTY_TIMEOUT_MS");

	return now_ms() + (wanted ? atol(wanted) : TIMEOUT_MS);
}

static void
keep(struct pty *pty, const char *bytes, size_t length)
{
	if (pty->bytes + length >= pty->capacity) {
		pty->capacity = (pty->bytes + length + 1) * 2;
		pty->output = realloc(pty->output, pty->capacity);
		if (!pty->output) {
			abort();
		}
	}
	memcpy(pty->output + pty->bytes, bytes, length);
	pty->bytes += length;
	pty->output[pty->bytes] = 0;
}

/* Takes in what the program wrote; waits at most until the deadline for something. False when
 * nothing more can come. */
static bool
pump(struct pty *pty, long deadline)
{
	struct pollfd file = {pty->file, POLLIN, 0};
	char bytes[65536];
	ssize_t got;
	long left = deadline - now_ms();

	if (left <= 0) {
		return false;
	}
	if (poll(&file, 1, left < 50 ? (int)left : 50) > 0) {
		got = read(pty->file, bytes, sizeof(bytes));
		if (got > 0) {
			keep(pty, bytes, (size_t)got);
			vterm_input_write(pty->terminal, bytes, (size_t)got);
			return true;
		}
	}
	if (!pty->has_ended && waitpid(pty->child, &pty->status, WNOHANG) == pty->child) {
		pty->has_ended = true;
		return true; /* what it wrote last may still come */
	}
	return !pty->has_ended || file.revents & POLLIN;
}

const char *
pty_row(struct pty *pty, int row)
{
	size_t n = 0, last = 0;

	for (int column = 0; column < pty->columns && n + 64 < sizeof(pty->line); column++) {
		VTermScreenCell cell;

		if (!vterm_screen_get_cell(pty->screen, (VTermPos){row, column}, &cell)) {
			break;
		}
		for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++) {
			uint32_t code = cell.chars[i];

			if (code == (uint32_t)-1) {
				break; /* right half of a wide character */
			}
			if (code < 0x80) {
				pty->line[n++] = (char)code;
			} else if (code < 0x800) {
				pty->line[n++] = (char)(0xc0 | code >> 6);
				pty->line[n++] = (char)(0x80 | (code & 63));
			} else if (code < 0x10000) {
				pty->line[n++] = (char)(0xe0 | code >> 12);
				pty->line[n++] = (char)(0x80 | (code >> 6 & 63));
				pty->line[n++] = (char)(0x80 | (code & 63));
			} else {
				pty->line[n++] = (char)(0xf0 | code >> 18);
				pty->line[n++] = (char)(0x80 | (code >> 12 & 63));
				pty->line[n++] = (char)(0x80 | (code >> 6 & 63));
				pty->line[n++] = (char)(0x80 | (code & 63));
			}
		}
		if (!cell.chars[0]) {
			pty->line[n++] = ' ';
		}
		if (n > 0 && pty->line[n - 1] != ' ') {
			last = n;
		}
	}
	pty->line[last] = '\0';
	return pty->line;
}

bool
pty_shows(struct pty *pty, const char *text)
{
	for (int row = 0; row < pty->rows; row++) {
		if (strstr(pty_row(pty, row), text)) {
			return true;
		}
	}
	return false;
}

bool
pty_wait_until(struct pty *pty, pty_condition *is_met, const void *user)
{
	long deadline = deadline_from_now();

	while (!is_met(pty, user)) {
		if (!pump(pty, deadline)) {
			return is_met(pty, user);
		}
	}
	return true;
}

static bool
shows(struct pty *pty, const void *text)
{
	return pty_shows(pty, text);
}

static bool
lacks(struct pty *pty, const void *text)
{
	return !pty_shows(pty, text);
}

static bool
complain(struct pty *pty, bool was_met, const char *text, const char *what)
{
	if (!was_met) {
		printf("# waited in vain for '%s' to be %s\n", text, what);
		pty_dump(pty);
	}
	return was_met;
}

bool
pty_wait(struct pty *pty, const char *text)
{
	return complain(pty, pty_wait_until(pty, shows, text), text, "shown");
}

bool
pty_wait_gone(struct pty *pty, const char *text)
{
	return complain(pty, pty_wait_until(pty, lacks, text), text, "gone");
}

struct sent {
	size_t from;
	const char *text;
};

static bool
is_sent(struct pty *pty, const void *user)
{
	const struct sent *sent = user;

	return pty->bytes > sent->from && memmem(pty->output + sent->from, pty->bytes - sent->from,
	                                         sent->text, strlen(sent->text));
}

bool
pty_wait_sent(struct pty *pty, size_t from, const char *text)
{
	const struct sent sent = {from, text};

	return complain(pty, pty_wait_until(pty, is_sent, &sent), text, "sent");
}

/* The next line of a text, without its end and trailing blanks. */
static size_t
line_length(const char *text, const char **next)
{
	size_t length = strcspn(text, "\n");

	*next = text + length + (text[length] == '\n');
	while (length > 0 && text[length - 1] == ' ') {
		length--;
	}
	return length;
}

/* The first row that is another than in a screen as text, -1 if none. */
static int
row_that_differs(struct pty *pty, const char *screen)
{
	for (int row = 0; row < pty->rows; row++) {
		const char *next, *shown = pty_row(pty, row);
		size_t length = line_length(screen, &next);

		if (strlen(shown) != length || memcmp(shown, screen, length) != 0) {
			return row;
		}
		screen = next;
	}
	return -1;
}

static bool
is_screen(struct pty *pty, const void *screen)
{
	return row_that_differs(pty, screen) < 0;
}

bool
pty_wait_screen(struct pty *pty, const char *screen)
{
	if (pty_wait_until(pty, is_screen, screen)) {
		return true;
	}
	printf("# waited in vain for another row %d, in\n", row_that_differs(pty, screen));
	for (int row = 0; row < pty->rows; row++) {
		const char *next;
		int length = (int)line_length(screen, &next);

		printf("# |%.*s\n", length, screen);
		screen = next;
	}
	printf("# not\n");
	pty_dump(pty);
	return false;
}

char *
pty_screen(struct pty *pty)
{
	char *screen = NULL;
	size_t length;
	FILE *out = open_memstream(&screen, &length);

	for (int row = 0; out && row < pty->rows; row++) {
		fprintf(out, "%s\n", pty_row(pty, row));
	}
	if (!out || fclose(out) != 0) {
		abort();
	}
	return screen;
}

bool
pty_reversed(struct pty *pty, int row, int column)
{
	VTermScreenCell cell;

	return vterm_screen_get_cell(pty->screen, (VTermPos){row, column}, &cell) &&
	       cell.attrs.reverse;
}

void
pty_send(struct pty *pty, const char *keys)
{
	on_output(keys, strlen(keys), pty);
}

void
pty_resize(struct pty *pty, int columns, int rows)
{
	struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};

	pty->columns = columns;
	pty->rows = rows;
	vterm_set_size(pty->terminal, rows, columns);
	ioctl(pty->file, TIOCSWINSZ, &size);
}

void
pty_signal(struct pty *pty, int signal)
{
	kill(pty->child, signal);
}

int
pty_end(struct pty *pty)
{
	long deadline = deadline_from_now();

	while (pump(pty, deadline)) {
	}
	if (!pty->has_ended) {
		pty_dump(pty);
		kill(pty->child, SIGKILL);
		waitpid(pty->child, &pty->status, 0);
		pty->has_ended = true;
		return -1;
	}
	return WIFSIGNALED(pty->status) ? 128 + WTERMSIG(pty->status) : WEXITSTATUS(pty->status);
}

void
pty_signal_foreground(struct pty *pty, int signal)
{
	pid_t group = tcgetpgrp(pty->file);

	if (group > 1) {
		kill(-group, signal);
	}
}

void
pty_hang_up(struct pty *pty)
{
	close(pty->slave);
	close(pty->file);
	pty->slave = pty->file = -1;
}

bool
pty_on_main_screen(const struct pty *pty)
{
	return !pty->alternate;
}

bool
pty_is_given_back(const struct pty *pty)
{
	bool is_cooked = pty_cooked(pty);

	if (pty->alternate || pty->is_cursor_hidden || pty->mouse || !is_cooked) {
		printf("# not given back:%s%s%s%s\n", pty->alternate ? " alternate screen" : "",
		       pty->is_cursor_hidden ? " hidden cursor" : "", pty->mouse ? " mouse" : "",
		       is_cooked ? "" : " modes of the line");
		fflush(stdout);
		return false;
	}
	return true;
}

bool
pty_cooked(const struct pty *pty)
{
	struct termios after;

	return tcgetattr(pty->slave, &after) == 0 && after.c_lflag == pty->before.c_lflag &&
	       after.c_iflag == pty->before.c_iflag && after.c_oflag == pty->before.c_oflag;
}

int
pty_noises(const struct pty *pty)
{
	return pty->noises;
}

size_t
pty_bytes(const struct pty *pty)
{
	return pty->bytes;
}

const char *
pty_output(const struct pty *pty)
{
	return pty->output ? pty->output : "";
}

void
pty_dump(struct pty *pty)
{
	for (int row = 0; row < pty->rows; row++) {
		printf("# |%s\n", pty_row(pty, row));
	}
	fflush(stdout); /* a failing test ends without */
}

void
pty_free(struct pty *pty)
{
	if (!pty) {
		return;
	}
	if (!pty->has_ended) {
		kill(pty->child, SIGKILL);
		waitpid(pty->child, &pty->status, 0);
	}
	if (pty->file >= 0) {
		close(pty->file);
		close(pty->slave);
	}
	vterm_free(pty->terminal);
	free(pty->output);
	free(pty);
}
