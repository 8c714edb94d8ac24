/*
 * Parts of the importer of data-loading results, private to it:
 *
 *   import_dataload.c         one file -> samples of its folder's trial; recognition
 *   import_dataload_memory.c  an array of dicts -> what containers used together
 *   import_dataload_trial.c what a folder's name says; tags of each trial; what is missing over all
 *   files
 * Used by its room alone.
 */
#ifndef LANESCOPE_IMPORT_IMPORT_DATALOAD_H
#define LANESCOPE_IMPORT_IMPORT_DATALOAD_H

#include "import/shared.h"
#include "input/npy.h"
#include "util/mem.h"

/* A folder: texts are "" where the path does not tell. */
struct dataload_trial {
	/* from the first element that means something: "ours/librispeech/run1/..." */
	const char *name;
	const char *path; /* from the folder that all files of the run share; "." */
	const char *kind; /* baseline1, baseline2, ours */
	const char *dataset, *run, *mode;
	const char *variant; /* elements between these that mean nothing known */
	bool is_measured;    /* the folder is called sim_compute_time=... */
	const char *sim_compute_time, *block_size;
	const char *problem; /* why its name does not fit, or NULL */
	size_t study_bytes;  /* of the folder's path, to where name begins */
};

/* What conclude needs of one file; all texts live in the arena. */
struct dataload_facts {
	struct arena *arena;
	struct dataload_trial trial;
	const char *file;                         /* "memory.npy" */
	const char *noted_time;                   /* readme.txt: sim_compute_time, or NULL */
	const char *chosen_threads, *chosen_size; /* opt_config, or NULL */
};

struct dataload_reader {
	struct input *input;
	struct sink *sink;
	const struct cancel *cancel;
	struct source_facts counts;
	struct dataload_facts *facts;
	uint32_t trial; /* from the sink */
	struct err *err;
};

/* The trial of a file. Its first folder_bytes are what all files of the run share. */
void dataload_trial_of(struct arena *arena, const char *file_path, size_t folder_bytes,
                       struct dataload_trial *trial);
/* How many bytes of a folder's path are the study that the trial there is of: the folder above all
 * that tells of the trial. */
size_t dataload_study_of(const char *folder);
void dataload_conclude(void *const *facts, size_t n_facts, struct sink *sink);

/* Nonzero: the sink stopped. */
int dataload_problem(struct dataload_reader *reader, enum problem_kind kind, uint64_t record,
                     const char *reason);
int dataload_sample(struct dataload_reader *reader, const char *name, const char *type,
                    const double *values, size_t n_values);

/* The rest of the input, at an array of n_items dicts: a value an item, NaN for one that can't be
 * used. 0, or -1 with err->code set or the sink stopped. */
int dataload_read_memory(struct dataload_reader *reader, const char *name, uint64_t n_items);

#endif
