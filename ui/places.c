#include "config.h"

#include "ui/places.h"

struct view *(*const places[PLACES])(struct app *app, const struct view_place *place) = {
#define PLACE(kind, make) [PLACE_##kind] = make,
    PLACE_KINDS(PLACE)
#undef PLACE
};
