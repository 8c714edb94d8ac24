/* The whole program as a fuzz target has it: its commands in this process, in a folder of its
 * own. */
#ifndef LANESCOPE_TESTS_FUZZ_COMMANDS_H
#define LANESCOPE_TESTS_FUZZ_COMMANDS_H

/* That folder, empty at first; home and XDG folders lie in it, so nothing of the user's is read or
 * written. Gone at the end of the program. */
const char *fuzz_folder(void);
/* Calls the program in that folder with these words (NULL-terminated, without its name); its
 * standard output goes nowhere. Its exit status. */
int fuzz_command(const char *const *words);
#define FUZZ_COMMAND(...) fuzz_command((const char *const[]){__VA_ARGS__, NULL})
/* The absolute path of a trace of tests/data (free()). */
char *fuzz_trace(const char *trace);
/* Imports one as NAME.lanes into the folder. The path (free()). */
char *fuzz_run(const char *trace, const char *name);
/* The same as the only part of a run, NAME.part. */
char *fuzz_part(const char *trace, const char *name);

#endif
