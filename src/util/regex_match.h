/* Inside of regex: the two matchers.
 * Used by its room alone. */
#ifndef LANESCOPE_UTIL_REGEX_MATCH_H
#define LANESCOPE_UTIL_REGEX_MATCH_H

#include "util/regex_program.h"

/* A deterministic automaton that is built while it runs, in bounded memory. Its edges: `near` is
 * the end of the text where reading starts (the beginning, or the end for a reverse program), `far`
 * the other one. */
struct dfa;
/* program: borrowed. is_floating: a match may start anywhere, not only where reading starts. */
struct dfa *dfa_new(const struct regex_program *program, bool is_floating);
void dfa_free(struct dfa *dfa); /* takes NULL */

/* Whether the program matches the empty text. */
bool dfa_matches_empty(struct dfa *dfa);
/* Floating: does it match anywhere in the text (not empty)? */
bool dfa_search(struct dfa *dfa, struct slice text);
/* Anchored: end of the longest match that starts at `start`; SIZE_MAX: none. */
size_t dfa_longest(struct dfa *dfa, struct slice text, size_t start);
/* Floating, of a reverse program: sets bit i of starts (text.len + 1 bits, zeroed) where a match
 * starts; false: nowhere. The text is not empty. */
bool dfa_starts(struct dfa *dfa, struct slice text, unsigned char *starts);

/* The groups of the match text[start, end): slots[2 * k] and slots[2 * k + 1] bound group k,
 * SIZE_MAX if it took no part. Forward programs. */
#define REGEX_SLOTS (2 * REGEX_GROUPS)
void regex_groups(const struct regex_program *program, struct slice text, size_t start, size_t end,
                  size_t slots[REGEX_SLOTS]);

#endif
