#include "config.h"

#include "ui/places.h"

#include "ui/lists/views.h"
#include "ui/table/view_table.h"
#include "ui/timeline/view_pair.h"
#include "ui/timeline/view_timeline.h"

struct view *(*const places[PLACES])(struct app *app, const struct view_place *place) = {
    [PLACE_RUNS] = view_runs_new,       [PLACE_OVERVIEW] = view_overview_new,
    [PLACE_QUERIES] = view_queries_new, [PLACE_SPANS] = view_spans_new,
    [PLACE_SPAN] = view_span_new,       [PLACE_TIMELINE] = view_timeline_new,
    [PLACE_QUERY] = view_table_new,     [PLACE_SQL] = view_table_new,
    [PLACE_RESULT] = view_table_new,    [PLACE_SOURCE] = view_table_new,
    [PLACE_QUESTIONS] = view_diff_new,  [PLACE_DIFFERENCE] = view_table_new,
    [PLACE_EXPLAIN] = view_explain_new, [PLACE_PART] = view_table_new,
    [PLACE_PAIR] = view_pair_new,       [PLACE_TEXT] = view_text_new,
    [PLACE_SOURCE_SQL] = view_text_new, [PLACE_HELP] = view_help_new,
};
