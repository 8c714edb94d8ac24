/* The rows of the table in formats.c; each stands in its importer's file. */
#ifndef LANESCOPE_IMPORT_FORMATS_H
#define LANESCOPE_IMPORT_FORMATS_H

#include "import/import.h"

extern const struct import_format import_dftracer;
extern const struct import_format import_cascade;
extern const struct import_format import_chrome;
extern const struct import_format import_counters;
extern const struct import_format import_dasf;
extern const struct import_format import_dataload;
extern const struct import_format import_preemption;

#endif
