/*
 * SQLite, for every file of this folder: the library itself, or (LANESCOPE_EXTENSION) the routines
 * that the program hands over which loads the extension.
 * Used by its room alone.
 */
#ifndef LANESCOPE_STORE_SQLITE_H
#define LANESCOPE_STORE_SQLITE_H

#ifdef LANESCOPE_EXTENSION
#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT3
#else
#include <sqlite3.h>
#endif

#define FLAG_INNOCUOUS 0x000200000 /* SQLITE_INNOCUOUS; versions before 3.31 ignore it */

#endif
