/* Run files as older versions wrote them. */
#ifndef LANESCOPE_TESTS_UNIT_OLD_RUN_H
#define LANESCOPE_TESTS_UNIT_OLD_RUN_H

/* Writes the run at run_path as that version would have, whose schema sql is, in pages of so many
 * bytes, in the place of what is at old_path. What fails ends the program with a message. */
void old_run_write(const char *run_path, const char *old_path, int version, const char *sql,
                   int page_bytes);

#endif
