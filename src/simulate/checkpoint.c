/*
 * n nodes write n times the data of one, at a bandwidth that grows by a factor for every node more
 * (n - 1 times), or for every doubling (log2 n times): the text that the model comes from uses the
 * former and may mean the latter, so both are offered. A flush reads the local disk and writes the
 * parallel file system.
 *
 * Young's interval is the first-order optimum; Daly's adds the next two terms of the series and,
 * where a checkpoint takes more than twice the time between failures, gives up and says that time.
 */
#include "config.h"
#include "simulate/checkpoint.h"

#include <math.h>

const struct checkpoint_model checkpoint_defaults = {
    .data_bytes = 277e9, .pfs_rate = 4.8e9, .ssd_rate = 2.5e9, .pfs_factor = 1.6, .ssd_factor = 2};

const char *
checkpoint_rule_name(enum checkpoint_rule rule)
{
	return rule == CHECKPOINT_BY_NODE ? "n-1" : "log2 n";
}

static int
is_above_zero(double value)
{
	return isfinite(value) && value > 0;
}

int
checkpoint_model_check(const struct checkpoint_model *model, struct err *err)
{
	if (!is_above_zero(model->data_bytes) || !is_above_zero(model->pfs_rate) ||
	    !is_above_zero(model->ssd_rate) || !is_above_zero(model->pfs_factor) ||
	    !is_above_zero(model->ssd_factor)) {
		return err_set(err, ERR_USAGE, "data, rates and factors must be above 0");
	}
	return 0;
}

struct checkpoint_times
checkpoint_model_times(const struct checkpoint_model *model, int64_t nodes,
                       enum checkpoint_rule rule)
{
	double n = (double)nodes, data = n * model->data_bytes;
	struct checkpoint_times times = {.exponent = rule == CHECKPOINT_BY_NODE ? n - 1 : log2(n)};

	times.pfs_s = data / (model->pfs_rate * pow(model->pfs_factor, times.exponent));
	times.ssd_s = data / (model->ssd_rate * pow(model->ssd_factor, times.exponent));
	times.flush_s = times.ssd_s + times.pfs_s;
	return times;
}

double
checkpoint_young(double cost_s, double mtbf_s)
{
	return sqrt(2 * cost_s * mtbf_s);
}

double
checkpoint_daly(double cost_s, double mtbf_s)
{
	if (cost_s >= 2 * mtbf_s) {
		return mtbf_s;
	}
	double x = cost_s / (2 * mtbf_s);
	return checkpoint_young(cost_s, mtbf_s) * (1 + sqrt(x) / 3 + x / 9) - cost_s;
}
