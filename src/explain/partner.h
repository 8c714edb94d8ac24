/*
 * The same in the other run: which task or call stands for one, matched as all of explain matches;
 * what ran beside both.
 * Used by ui/timeline.
 */
#ifndef LANESCOPE_EXPLAIN_PARTNER_H
#define LANESCOPE_EXPLAIN_PARTNER_H

#include "column/scan/scan.h"
#include "store/store.h"

#define PARTNERS_SPANS 300000 /* of more in a run it takes a while to match them */

/* What is matched of two runs; needs neither of their stores. Counted. */
struct explain_partners;
struct explain_partners *explain_partners_new(struct store *const stores[2],
                                              const struct cancel *cancel, struct err *err);
struct explain_partners *explain_partners_retain(struct explain_partners *partners);
void explain_partners_release(struct explain_partners *partners); /* takes NULL */

struct explain_partner {
	struct span_row span; /* of the other run */
	/* How many ran at once on its host while it did, itself included: the one asked about, the
	 * partner. 0: not known, as they are no tasks or calls that are matched one by one. */
	double at_once[2];
};
/* Of a span of one side (0: the first run). Where it is none that is matched (a queue, a transfer),
 * that of its name that comes as many-th in the other run. 1: found; 0: the other run has none; -1
 * on error. */
int explain_partner_find(const struct explain_partners *partners, struct store *const stores[2],
                         int side, const struct span_row *span, struct explain_partner *partner,
                         const struct cancel *cancel, struct err *err);

#endif
