/*
 * What columns are: unit, which way is better, what the name means. Saved queries say the kind in
 * their headers, and queries/columns says the rest of all names that they use. Of SQL typed at the
 * prompt the kind is guessed from the column's name, since the names of the run file's own columns
 * are few and regular (dur_sum, self_max, size_p95, start_min, n_a, ...). A wrong guess only
 * changes how a number is shown: values stay what SQL gave, and CSV, TSV and JSON print them raw.
 */
#include "config.h"
#include "query/saved/query.h"

#include <string.h>
#include <strings.h>

#include "query/saved/builtin_columns.h"
#include "util/ascii.h"
#include "util/order.h"

/* An alias is found as what it stands for; both tables are sorted by name. */
static const struct column_meaning *
find_meaning(const char *name)
{
	size_t alias = 0, found = 0;

	ORDER_FIND(alias, COUNT_OF(aliases), i, strcmp(aliases[i].name, name) < 0);
	if (alias < COUNT_OF(aliases) && strcmp(aliases[alias].name, name) == 0) {
		name = aliases[alias].of;
	}
	ORDER_FIND(found, COUNT_OF(meanings), i, strcmp(meanings[i].name, name) < 0);
	return found < COUNT_OF(meanings) && strcmp(meanings[found].name, name) == 0
	           ? &meanings[found]
	           : NULL;
}

const struct column_meaning *
column_meaning_at(size_t i)
{
	return i < COUNT_OF(meanings) ? &meanings[i] : NULL;
}

const char *
column_alias(const char *name, size_t i)
{
	const struct column_meaning *meaning = find_meaning(name);

	for (size_t k = 0; meaning && i > 0 && k < COUNT_OF(aliases); k++) {
		if (strcmp(aliases[k].of, meaning->name) == 0 && --i == 0) {
			return aliases[k].name;
		}
	}
	return meaning && i == 0 ? meaning->name : NULL;
}

const struct column_meaning *
column_meaning(const struct result_column *column)
{
	const struct column_meaning *meaning = find_meaning(column->name);
	return meaning && (meaning->kinds & 1u << column->kind) ? meaning : NULL;
}

const char *
column_unit(const struct result_column *column)
{
	const struct column_meaning *meaning = column_meaning(column);
	const char *unit = column->unit ? column->unit : column_kinds[column->kind].unit;
	return unit || !meaning ? unit : meaning->unit;
}

const char *
column_bare_unit(const struct result_column *column)
{
	return column_kinds[column->kind].unit ? NULL : column_unit(column);
}

void
column_title(const struct result_column *column, struct strbuf *out)
{
	const char *unit = column_bare_unit(column), *end = strrchr(column->name, '_');

	strbuf_add_text(out, column->name);
	if (unit && (!end || strcasecmp(end + 1, unit) != 0)) {
		strbuf_printf(out, " [%s]", unit);
	}
}

const char *
column_about(const struct result_column *column)
{
	const struct column_meaning *meaning = column_meaning(column);
	return column->about || !meaning ? column->about : meaning->about;
}

/* Words of names of columns whose values do not add up. */
static const char *const no_sums[] = {
    "mean",    "median",   "avg",   "average",  "std",   "stddev",  "min",  "max",
    "longest", "shortest", "least", "smallest", "most",  "largest", "best", "worst",
    "first",   "last",     "early", "late",     "share", "ratio",   "rate", "rel",
    "after",   "before",   "peak",  "id",       "limit",
};

/* Whole names, and the stem that stands before _sum, _min, _max, _mean, _pNN, ... */
static bool
find_known(struct slice name, enum column_kind *kind)
{
	size_t i = NAME_FIND(name, run_file_kinds);
	if (i < COUNT_OF(run_file_kinds)) {
		*kind = run_file_kinds[i].kind;
	}
	return i < COUNT_OF(run_file_kinds);
}

static bool
is_quantile(struct slice word)
{
	return word.len == 3 && word.ptr[0] == 'p' && is_digit(word.ptr[1]);
}

static bool
is_no_sum(struct slice word)
{
	return NAME_FIND(word, no_sums) < COUNT_OF(no_sums) || is_quantile(word);
}

bool
column_adds_up(const struct result_column *column)
{
	bool adds_up = column_kinds[column->kind].adds_up;

	if (column->sums != SUMS_BY_NAME) {
		return column->sums == SUMS_UP;
	}
	for (const char *word = column->name; adds_up && *word;) {
		size_t n = strcspn(word, "_");
		adds_up = !is_no_sum((struct slice){word, n});
		word += n + (word[n] == '_');
	}
	return adds_up;
}

bool
column_kind_guess(const char *column_name, enum column_kind *kind)
{
	static const char *const aggregates[] = {"_sum", "_min", "_max", "_mean", "_median"};
	struct slice name = slice_of(column_name);
	struct slice end = slice_from(name, 1); /* behind something: "_n" alone is a name */

	if (find_known(name, kind)) {
		return true;
	}
	if (slice_ends_with(end, "_ns")) {
		*kind = KIND_DURATION;
		return true;
	}
	if (slice_ends_with(end, "_bytes")) {
		*kind = KIND_SIZE;
		return true;
	}
	if (slice_ends_with(end, "_n")) {
		*kind = KIND_COUNT;
		return true;
	}
	for (size_t i = 0; i < COUNT_OF(aggregates); i++) {
		if (slice_ends_with(end, aggregates[i])) {
			name.len -= strlen(aggregates[i]);
			return find_known(name, kind);
		}
	}
	if (name.len > 4 && slice_starts_with(slice_from(name, name.len - 4), "_p")) {
		name.len -= 4; /* dur_p95 */
		return find_known(name, kind);
	}
	return false;
}
