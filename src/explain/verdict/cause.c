#include "config.h"
#include "explain/verdict/cause.h"

#include "util/mem.h"

struct portion
portion_all(void)
{
	return (struct portion){
	    {PORTION_ANY, PORTION_ANY, PORTION_ANY}, INT64_MIN, INT64_MAX, PORTION_ANY, 0, 0, 0, 1};
}

struct cause *
causes_add(struct causes *causes, enum cause_type type)
{
	MEM_GROW(causes->all, causes->capacity, causes->n + 1);
	struct cause *cause = &causes->all[causes->n++];
	*cause = (struct cause){.type = type, .portion = portion_all(), .chance = 1};
	return cause;
}
