/*
 * Durations, sizes and decimal times, exactly: "0.1" s is 100 000 000 ns, which no double can
 * promise for the 64-bit times of a trace. Everything rests on decimal_to_ns, whose usual case (up
 * to 18 digits, no exponent) is a few integer operations, as it runs for every record of some
 * formats.
 */
#include "config.h"
#include "util/format.h"

#include "util/ascii.h"
#include "util/order.h"

#define NS_PER_SECOND INT64_C(1000000000)

/* A decimal number taken apart; digits is lent. */
struct parts {
	bool negative;
	const char *digits, *end; /* of the mantissa, its point included */
	const char *point;        /* = end if there is none */
	int64_t exponent10;
};

static bool
read_exponent(const char *at, const char *end, int64_t *exponent10)
{
	bool negative = at < end && *at == '-';

	if (at < end && (*at == '-' || *at == '+')) {
		at++;
	}
	if (at == end) {
		return false;
	}
	for (*exponent10 = 0; at < end; at++) {
		if (!is_digit(*at)) {
			return false;
		}
		if (*exponent10 < INT64_C(1000000000000)) {
			*exponent10 = *exponent10 * 10 + (*at - '0');
		}
	}
	*exponent10 = negative ? -*exponent10 : *exponent10;
	return true;
}

static bool
take_apart(struct slice number, struct parts *parts)
{
	const char *at = number.ptr;
	const char *end = at + number.len;
	size_t n_digits = 0;

	parts->negative = at < end && *at == '-';
	at += parts->negative;
	parts->digits = at;
	parts->point = NULL;
	parts->exponent10 = 0;
	for (; at < end && (is_digit(*at) || (*at == '.' && !parts->point)); at++) {
		if (*at == '.') {
			parts->point = at;
		} else {
			n_digits++;
		}
	}
	parts->end = at;
	if (!parts->point) {
		parts->point = at;
	}
	if (n_digits == 0) {
		return false;
	}
	return at == end ||
	       ((*at == 'e' || *at == 'E') && read_exponent(at + 1, end, &parts->exponent10));
}

/* The i-th digit of the mantissa, the point not counted. */
static unsigned
digit_at(const struct parts *parts, size_t i)
{
	const char *at = parts->digits + i;
	return (unsigned)((at < parts->point ? at[0] : at[1]) - '0');
}

/*
 * Any length, any exponent. The digits before the (moved) point are summed up; those after it are
 * folded from the last to the first into floor(2 * fraction * unit): floor((digit * unit + x) / 10)
 * is the same for x and floor(x), so nothing is lost, and (floor(2v) + 1) / 2 rounds v half up.
 */
static bool
convert_slowly(const struct parts *parts, uint64_t unit, uint64_t *result)
{
	size_t n = (size_t)(parts->end - parts->digits) - (parts->point < parts->end);
	size_t first = 0;
	while (first < n && digit_at(parts, first) == 0) {
		first++;
	}
	if (first == n) {
		*result = 0;
		return true;
	}
	int64_t point = (parts->point - parts->digits) +
	                parts->exponent10; /* index of the first digit behind it */
	unsigned __int128 whole = 0;
	for (int64_t i = (int64_t)first; i < point; i++) {
		whole = whole * 10 + ((size_t)i < n ? digit_at(parts, (size_t)i) : 0);
		if (whole > UINT64_MAX) {
			return false;
		}
	}
	int64_t leading = (int64_t)first - point; /* zeros between the point and the first digit */
	unsigned __int128 twice = 0;
	if (leading < 24) { /* else below 10^-24 of a unit below 2^64 */
		for (int64_t i = (int64_t)n; i-- > point && i >= (int64_t)first;) {
			twice =
			    ((unsigned __int128)digit_at(parts, (size_t)i) * unit * 2 + twice) / 10;
		}
		for (int64_t i = 0; i < leading; i++) {
			twice /= 10;
		}
	}
	whole = whole * unit + (twice + 1) / 2;
	*result = (uint64_t)whole;
	return whole <= (uint64_t)INT64_MAX + 1;
}

/* Up to 18 digits without exponent, and a unit that the fraction's power of ten divides. */
static bool
convert_quickly(const struct parts *parts, uint64_t unit, uint64_t *result)
{
	static const uint64_t powers[] = {1,      10,      100,      1000,      10000,
	                                  100000, 1000000, 10000000, 100000000, 1000000000};
	size_t n_fraction = parts->point < parts->end ? (size_t)(parts->end - parts->point - 1) : 0;

	if (parts->exponent10 || parts->end - parts->digits > 18 || n_fraction > 9 ||
	    unit % powers[n_fraction]) {
		return false;
	}
	uint64_t sum = 0;
	for (const char *at = parts->digits; at < parts->end; at++) {
		sum = at == parts->point ? sum : sum * 10 + (uint64_t)(*at - '0');
	}
	return !__builtin_mul_overflow(sum, unit / powers[n_fraction], result) &&
	       *result <= INT64_MAX;
}

bool
decimal_to_ns(struct slice number, int64_t unit_ns, int64_t *ns)
{
	struct parts parts;
	uint64_t result;

	if (unit_ns <= 0 || !take_apart(number, &parts)) {
		return false;
	}
	if (!convert_quickly(&parts, (uint64_t)unit_ns, &result) &&
	    !convert_slowly(&parts, (uint64_t)unit_ns, &result)) {
		return false;
	}
	if (result > (uint64_t)INT64_MAX + parts.negative) {
		return false;
	}
	*ns = (int64_t)(parts.negative ? 0 - result : result);
	return true;
}

struct unit {
	const char *name;
	int64_t value;
};

static bool
find_unit(struct slice name, const struct unit *units, int64_t *value)
{
	for (; units->name; units++) {
		if (slice_is(name, units->name)) {
			*value = units->value;
			return true;
		}
	}
	return false;
}

static void
skip_blanks(struct slice *text)
{
	while (text->len && text->ptr[0] == ' ') {
		*text = slice_from(*text, 1);
	}
}

/* The longest prefix of `text` that is (or is not) made of digits and points. */
static struct slice
take_run(struct slice *text, bool numeric)
{
	struct slice run = {text->ptr, 0};

	while (text->len && text->ptr[0] != ' ' &&
	       (is_digit(text->ptr[0]) || text->ptr[0] == '.') == numeric) {
		*text = slice_from(*text, 1);
		run.len++;
	}
	return run;
}

/* "1:29.0412", "2:03:59" and "12d 0:00:10", as format_position writes them; the sign is taken. */
static bool
read_clock(struct slice text, int64_t *ns)
{
	int64_t sum = 0, days, part;
	int parts = 0;
	struct slice number = take_run(&text, true);

	if (text.len > 2 && text.ptr[0] == 'd' && text.ptr[1] == ' ') {
		if (!slice_int64(number, &days) ||
		    __builtin_mul_overflow(days, INT64_C(24), &sum)) {
			return false;
		}
		text = slice_from(text, 2);
		number = take_run(&text, true);
		parts = -1; /* hours are added to those of the days */
	}
	while (text.len > 0 && text.ptr[0] == ':' && parts < 2) {
		if (!slice_int64(number, &part) || (parts != 0 && parts != -1 && part >= 60) ||
		    __builtin_add_overflow(sum, part, &sum) ||
		    __builtin_mul_overflow(sum, INT64_C(60), &sum)) {
			return false;
		}
		text = slice_from(text, 1);
		number = take_run(&text, true);
		parts = parts < 0 ? 1 : parts + 1;
	}
	return parts > 0 && text.len == 0 && decimal_to_ns(number, NS_PER_SECOND, &part) &&
	       part < 60 * NS_PER_SECOND && !__builtin_mul_overflow(sum, NS_PER_SECOND, &sum) &&
	       !__builtin_add_overflow(sum, part, ns);
}

bool
parse_duration(struct slice text, int64_t *ns)
{
	static const struct unit units[] = {{"ns", 1},
	                                    {"us", 1000},
	                                    {"\xc2\xb5s", 1000},
	                                    {"\xce\xbcs", 1000},
	                                    {"ms", 1000000},
	                                    {"s", 1000000000},
	                                    {"m", INT64_C(60000000000)},
	                                    {"min", INT64_C(60000000000)},
	                                    {"h", INT64_C(3600000000000)},
	                                    {"d", INT64_C(86400000000000)},
	                                    {NULL, 0}};
	int64_t sum = 0;
	bool negative = text.len && text.ptr[0] == '-';

	text = slice_from(text, negative);
	if (read_clock(text, ns)) {
		*ns = negative ? -*ns : *ns;
		return true;
	}
	for (unsigned n = 0;; n++) {
		int64_t unit, part;
		struct slice number = take_run(&text, true);
		skip_blanks(&text);
		struct slice name = take_run(&text, false);
		skip_blanks(&text);
		if (name.len == 0 && n == 0 && text.len == 0) {
			unit = 1; /* a bare number, alone, is in ns */
		} else if (!find_unit(name, units, &unit)) {
			return false;
		}
		if (!decimal_to_ns(number, unit, &part) ||
		    __builtin_add_overflow(sum, part, &sum)) {
			return false;
		}
		if (text.len == 0) {
			break;
		}
	}
	*ns = negative ? -sum : sum;
	return true;
}

bool
parse_size(struct slice text, int64_t *bytes)
{
#define KI INT64_C(1024)
	static const struct unit units[] = {{"", 1},
	                                    {"B", 1},
	                                    {"K", KI},
	                                    {"KiB", KI},
	                                    {"M", KI * KI},
	                                    {"MiB", KI * KI},
	                                    {"G", KI * KI * KI},
	                                    {"GiB", KI * KI * KI},
	                                    {"T", KI * KI * KI * KI},
	                                    {"TiB", KI * KI * KI * KI},
	                                    {"P", KI * KI * KI * KI * KI},
	                                    {"PiB", KI * KI * KI * KI * KI},
	                                    {"k", KI},
	                                    {"kB", 1000},
	                                    {"KB", 1000},
	                                    {"MB", 1000000},
	                                    {"GB", 1000000000},
	                                    {"TB", INT64_C(1000000000000)},
	                                    {"PB", INT64_C(1000000000000000)},
	                                    {NULL, 0}};
#undef KI
	int64_t unit;
	struct slice number = take_run(&text, true);

	skip_blanks(&text);
	return find_unit(text, units, &unit) && decimal_to_ns(number, unit, bytes);
}

bool
decimal_to_int64(struct slice number, int64_t *value)
{
	struct parts parts;

	if (slice_int64(number, value)) {
		return true;
	}
	if (!take_apart(number, &parts)) {
		return false;
	}
	int64_t n = (int64_t)(parts.end - parts.digits) - (parts.point < parts.end);
	int64_t point = (parts.point - parts.digits) + parts.exponent10;
	for (int64_t i = MOST(0, point); i < n; i++) {
		if (digit_at(&parts, (size_t)i) != 0) {
			return false; /* a fraction */
		}
	}
	return decimal_to_ns(number, 1, value);
}

bool
parse_rate(struct slice text, int64_t *bytes_per_second)
{
	bool is_rate = slice_ends_with(slice_from(text, 1), "/s");

	text.len -= is_rate ? 2 : 0;
	return parse_size(text, bytes_per_second);
}
