/* What a signal sets for all long work at once. */
#include "config.h"
#include "util/cancel.h"

atomic_bool cancel_all_requested;
