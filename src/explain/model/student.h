/*
 * Means of a few runs: Student's t.
 * Used by explain, explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_MODEL_STUDENT_H
#define LANESCOPE_EXPLAIN_MODEL_STUDENT_H

/* How often |t| or more comes by chance, with so many (maybe broken) degrees of freedom. NAN for
 * none. */
double student_chance(double t, double degrees);
/* The t that chance exceeds, to either side, as often. NAN for no degrees. */
double student_quantile(double chance, double degrees);

#endif
