/* The forms of traces of spot instances. */
#include "config.h"
#include "import/import_preemption.h"

/* Names of columns that people give forms without a header. */
#define TIMES "ms|time|timestamp|time_ms|t|at"
#define ACTIONS "event|action|kind|type|op|operation|change"
#define NAMES "node|name|instance|id|host|worker|node_id|node_name|instance_id|instance_name"
#define COUNTS "count|number|nodes|instances|n"

const struct preemption_shape preemption_shapes[PREEMPTION_FORMS] = {
    [FORM_NODE] = {"node", "timestamp,count", "timestamp,count", "ti", 95, true, false, false},
    [FORM_TERMINATE] = {"terminate", "timestamp,number", "timestamp,number", "ti", 95, true, false,
                        false},
    [FORM_ADDITIONS] = {"additions", ",timestamp,dt,count", ",timestamp,dt,count", "itti", 95, true,
                        false, false},
    [FORM_FOUND] = {"found", ",dt,count", ",dt,count", "iti", 95, true, false, false},
    [FORM_ASG] = {"asg", "time,count", "time,count", "tr", 95, true, false, false},
    [FORM_EVENTS] = {"events", NULL, TIMES "," ACTIONS "," NAMES, "maw", 90, false, false, true},
    [FORM_P3COUNTS] = {"p3counts", NULL, TIMES "," COUNTS, "ii", 30, false, false, true},
    [FORM_GCLOUD] = {"gcloud", NULL, "date|day,time|clock," COUNTS, "dci", 85, true, false, true},
    [FORM_STEPS] = {"steps", NULL, "x|time|t|seconds|hours,y|" COUNTS, "ri", 30, false, false,
                    true},
    [FORM_JSONL] = {"jsonl", NULL, NULL, NULL, 90, false, false, true},
    [FORM_SKY] = {"sky", NULL, NULL, NULL, 95, false, false, true},
    [FORM_LIVEPUT] = {"liveput", NULL, NULL, NULL, 95, false, false, true},
    [FORM_RECONFIG] = {"reconfig", NULL, NULL, "iuur", 80, true, true, false},
    [FORM_LOOP_TIMES] = {"loop_times", NULL, NULL, "iiuurrr", 85, true, true, false},
    [FORM_CHECKPOINT] = {"async-checkpoint", NULL, NULL, "r", 20, true, true, false},
    [FORM_LOAD_TIMES] = {"load_times", NULL, NULL, "iir", 20, true, true, false},
    [FORM_ENGINE] = {"engine-timing", NULL, NULL, "wuur", 80, true, true, false},
    [FORM_LOSS] = {"train-loss-time", NULL, NULL, "uir", 70, true, true, false},
    [FORM_DT_LOSS] = {"dt_tlt", ",timestamp,step,loss,dt", ",timestamp,step,loss,dt", "iuirt", 95,
                      true, true, false},
    [FORM_DT_RECONFIG] = {"dt_reconfig", ",ws,start,end,elapsed,dt_start,dt_end",
                          ",ws,start,end,elapsed,dt_start,dt_end", "iiuurtt", 95, true, true,
                          false},
    [FORM_EXPERIMENT] = {"exp-info", NULL, NULL, NULL, 90, true, true, false},
    [FORM_CRASH] = {"crash-time", NULL, NULL, "u", 20, true, true, false},
};
