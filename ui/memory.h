/* What the explorer remembers: short texts by name, "table.task-times.sort" = "-total". */
#ifndef LANESCOPE_UI_MEMORY_H
#define LANESCOPE_UI_MEMORY_H

struct memory;
struct memory *memory_new(void);
void memory_free(struct memory *memory); /* takes NULL */
void memory_set(struct memory *memory, const char *key,
                const char *value); /* copied; value NULL: forgets */
const char *memory_get(const struct memory *memory, const char *key); /* NULL if unknown */

#endif
