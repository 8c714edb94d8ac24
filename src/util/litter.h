/* Files, and folders with all that is in them, that are of no use once the program has ended: those
 * that it is about to rename or to remove. Whatever ends it on the spot (no memory, a second
 * signal) removes them first.
 * Used by cli, store, ui/table. */
#ifndef LANESCOPE_UTIL_LITTER_H
#define LANESCOPE_UTIL_LITTER_H

/* The path is copied. Of more than some dozens at a time, those that came last stay. */
void litter_add(const char *path);
/* It has its name, or is gone. */
void litter_forget(const char *path);
/* Removes it, and forgets it. */
void litter_remove(const char *path);
/* Removes them all; may be called in a handler of signals. */
void litter_remove_all(void);

#endif
