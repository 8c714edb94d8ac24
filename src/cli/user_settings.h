/* The user's settings, for commands other than the explorer.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_USER_SETTINGS_H
#define LANESCOPE_CLI_USER_SETTINGS_H

#include "ui/base/settings.h"

/* The defaults and what the user's file says; binds no keys. settings_fini(). */
void user_settings_read(struct settings *settings);

#endif
