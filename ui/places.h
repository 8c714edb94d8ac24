/* The table of places: which view each kind of place (ui/app/place.h) is. Used by ui.c, which gives
 * it to the application.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_PLACES_H
#define LANESCOPE_UI_PLACES_H

#include "ui/app/view.h"

extern struct view *(*const places[PLACES])(struct app *app, const struct view_place *place);

#endif
