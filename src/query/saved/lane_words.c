#include "config.h"
#include "query/saved/lane_words.h"

#include "util/format.h"
#include "util/mem.h"

int
lane_words_read(struct store *store, struct lane_words *words, struct err *err)
{
	struct stmt *stmt = store_prepare_plain(
	    store,
	    "SELECT " LANES_COUNTED ", CASE WHEN min(kind) = max(kind) THEN min(kind) END, "
	    "count(DISTINCT CASE WHEN kind <> 'instance' THEN host END) FROM lane "
	    "WHERE NOT lane_is_beside(kind) AND kind <> 'counter'",
	    err);
	int state = stmt_step(stmt, err);

	if (state > 0) {
		enum lane_kind kind = lane_kind_named(stmt_text(stmt, 1));

		*words = (struct lane_words){.n = stmt_integer(stmt, 0),
		                             .one = lane_word(kind),
		                             .n_hosts = stmt_integer(stmt, 2)};
	}
	stmt_free(stmt);
	return state < 0 ? -1 : 0;
}

void
lane_words_add(const struct lane_words *words, struct strbuf *out)
{
	char count[FORMAT_BYTES];

	if (words->n > 0) {
		strbuf_printf(out, ", %s %s%s", format_count(count, words->n), words->one,
		              words->n == 1 ? "" : "s");
	}
	if (words->n > 0 && words->n_hosts > 0) {
		strbuf_printf(out, " on %s host%s", format_count(count, words->n_hosts),
		              words->n_hosts == 1 ? "" : "s");
	}
}
