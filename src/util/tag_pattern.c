/*
 * The pattern becomes a list of pieces, which are tried from the left, the shortest first, and
 * taken back where the rest does not fit. What has failed once at a place is remembered, so that
 * time is bounded by pieces times the square of the path's length.
 */
#include "config.h"
#include "util/tag_pattern.h"

#include <stdlib.h>

#define PIECES_MAX 64u
#define PATH_MAX_BYTES 4096u

struct pattern_piece {
	enum { PIECE_TEXT, PIECE_NAME, PIECE_ANY } type;
	struct slice text; /* itself, or the name */
};
struct pattern_pieces {
	struct pattern_piece all[PIECES_MAX];
	size_t n;
};

static int
take_name(const char *pattern, const char *open, struct pattern_pieces *pieces, struct err *err)
{
	struct pattern_piece *piece = &pieces->all[pieces->n];
	const char *end = strchr(open, '}');
	if (!end) {
		return err_set(err, ERR_USAGE, "%s: { at character %zu does not end", pattern,
		               (size_t)(open - pattern) + 1);
	}
	*piece = (struct pattern_piece){PIECE_NAME, {open + 1, (size_t)(end - open) - 1}};
	if (tag_check_key(piece->text, err)) {
		return err_wrap(err, "%s", pattern);
	}
	if (pieces->n > 0 && pieces->all[pieces->n - 1].type != PIECE_TEXT) {
		return err_set(err, ERR_USAGE,
		               "%s: nothing stands before {%.*s} that would tell where it begins",
		               pattern, (int)piece->text.len, piece->text.ptr);
	}
	for (size_t i = 0; i < pieces->n; i++) {
		if (pieces->all[i].type == PIECE_NAME &&
		    slice_equal(pieces->all[i].text, piece->text)) {
			return err_set(err, ERR_USAGE, "%s: {%.*s} stands there twice", pattern,
			               (int)piece->text.len, piece->text.ptr);
		}
	}
	pieces->n++;
	return 0;
}

static int
read_pieces(const char *pattern, struct pattern_pieces *pieces, struct err *err)
{
	bool has_name = false;
	pieces->n = 0;
	for (const char *at = pattern; *at;) {
		size_t plain = strcspn(at, "{*");
		if (pieces->n == PIECES_MAX || plain > PATH_MAX_BYTES) {
			return err_set(err, ERR_LIMIT, "%.40s...: more than %u parts", pattern,
			               PIECES_MAX);
		}
		if (plain > 0) {
			pieces->all[pieces->n++] = (struct pattern_piece){PIECE_TEXT, {at, plain}};
			at += plain;
		} else if (*at == '*') {
			pieces->all[pieces->n++] = (struct pattern_piece){PIECE_ANY, {at, 1}};
			at++;
		} else if (take_name(pattern, at, pieces, err)) {
			return -1;
		} else {
			has_name = true;
			at = strchr(at, '}') + 1;
		}
	}
	return has_name ? 0
	                : err_set(err, ERR_USAGE,
	                          "%s: names no tag: write {NAME} where its value stands", pattern);
}

int
tag_pattern_check(const char *pattern, struct err *err)
{
	struct pattern_pieces pieces;
	return read_pieces(pattern, &pieces, err);
}

struct pattern_fit {
	const struct pattern_pieces *pieces;
	struct slice path;
	bool *failed; /* by piece and place */
	size_t ends[PIECES_MAX];
};

/* Do the pieces from this one on fit the path from this place on, up to the end of a name? */
static bool
fits(struct pattern_fit *matching, size_t piece, size_t at)
{
	struct slice path = matching->path;
	if (piece == matching->pieces->n) {
		return at == path.len || path.ptr[at] == '/';
	}
	bool *failed = &matching->failed[piece * (path.len + 1) + at];
	const struct pattern_piece *now = &matching->pieces->all[piece];
	size_t shortest = now->type == PIECE_TEXT ? now->text.len : now->type == PIECE_NAME ? 1 : 0;
	size_t longest = now->type == PIECE_TEXT ? shortest : path.len - at;
	if (*failed) {
		return false;
	}
	for (size_t n = 0; n <= longest && at + n <= path.len; n++) {
		bool is_open = now->type != PIECE_TEXT;
		if (n > 0 && is_open && path.ptr[at + n - 1] == '/') {
			break;
		}
		matching->ends[piece] = at + n;
		if (n >= shortest && (is_open || memcmp(path.ptr + at, now->text.ptr, n) == 0) &&
		    fits(matching, piece + 1, at + n)) {
			matching->ends[piece] = at + n;
			return true;
		}
	}
	*failed = true;
	return false;
}

static void
take_values(const struct pattern_fit *matching, size_t start, struct tag_list *tags)
{
	for (size_t i = 0; i < matching->pieces->n; i++) {
		size_t from = i ? matching->ends[i - 1] : start;
		struct slice value = {matching->path.ptr + from, matching->ends[i] - from};
		struct err ignored = ERR_INIT; /* bytes that no value has: no tag */
		if (matching->pieces->all[i].type == PIECE_NAME) {
			(void)tag_list_set(tags, matching->pieces->all[i].text, value, &ignored);
		}
	}
}

bool
tag_pattern_read(const char *pattern, struct slice path, struct tag_list *tags)
{
	struct pattern_pieces pieces;
	struct err ignored = ERR_INIT;
	if (path.len > PATH_MAX_BYTES || read_pieces(pattern, &pieces, &ignored)) {
		return false;
	}
	struct pattern_fit matching = {.pieces = &pieces, .path = path};
	MEM_NEW(matching.failed, pieces.n * (path.len + 1));
	bool is_fit = false;
	for (size_t start = path.len + 1; !is_fit && start-- > 0;) {
		is_fit = (start == 0 || path.ptr[start - 1] == '/') && fits(&matching, 0, start);
		if (is_fit) {
			take_values(&matching, start, tags);
		}
	}
	free(matching.failed);
	return is_fit;
}
