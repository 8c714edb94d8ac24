/*
 * Regular expressions: a table of cases, the C library as the oracle for generated patterns,
 * hostile patterns.
 */
#include "config.h"

#include <ctype.h>
#include <regex.h>
#include <string.h>
#include <time.h>

#include "tests/unit/unit.h"
#include "util/mem.h"
#include "util/prng.h"
#include "util/regex.h"
#include "util/utf8.h"

static const struct {
	const char *pattern, *text, *replacement, *expected; /* text with every match replaced */
} cases[] = {
    {"a", "banana", "o", "bonono"},
    {"", "abc", "-", "-a-b-c-"},
    {"x*", "abc", "-", "-a-b-c-"},
    {"a*", "baaac", "x", "xbxcx"},
    {"a|ab|abc", "abcd", "x", "xd"},
    {"^a", "aaa", "x", "xaa"},
    {"a$", "aaa", "x", "aax"},
    {"^$", "", "x", "x"},
    {"$^", "", "x", "x"},
    {"^", "ab", "x", "xab"},
    {"$", "ab", "x", "abx"},
    {"(^|/)[0-9]+", "12/34/a5", "N", "NN/a5"},
    {"[[:digit:]]+\\.npy", "rank-12.npy", "*", "rank-*"},
    {"\\d+", "a12b345c", "#", "a#b#c"},
    {"[\\d.]+", "v1.2.3-x4", "#", "v#-x#"},
    {"\\w+", "foo_1, b\303\244r", "w", "w, w\303\244w"},
    {"\\W+", "a - b", "", "ab"},
    {"\\s\\S", "a b  c", "_", "a_ _"},
    {"[^a]", "abca", "x", "axxa"},
    {"[]a]", "]ab", "x", "xxb"},
    {"[^]a]", "]ab", "x", "]ax"},
    {"[a-c-]", "a-cd", "x", "xxxd"},
    {"[-a]", "-ab", "x", "xxb"},
    {"[\\]\\\\]", "a]\\b", "x", "axxb"},
    {"a{2}", "aaaaa", "x", "xxa"},
    {"a{2,}", "aaaaa b a", "x", "x b a"},
    {"a{,2}b", "aaab", "x", "ax"},
    {"a{2,3}", "aaaaaaa", "x", "xxa"},
    {"a{0}b", "ab", "x", "ax"},
    {"{a}{", "{a}{", "x", "x"},
    {"(ab)+", "ababxab", "<\\0>", "<abab>x<ab>"},
    {"rank_([0-9]+)_of_([0-9]+)", "rank_3_of_16.dat", "\\2/\\1", "16/3.dat"},
    {"(a)|(b)", "ab", "[\\1|\\2]", "[a|][|b]"},
    {"(a|ab)(c|bcd)", "abcd", "\\1-\\2", "a-bcd"},
    {"(?:a)(b)", "ab", "\\1", "b"},
    {"((((((((((a))))))))))", "a", "\\9\\0", "aa"},
    {".", "\303\251x\360\237\230\200", "_", "___"},
    {"[\303\240-\303\277]", "a\303\251\303\237", "_", "a_\303\237"},
    {"[^\303\251]", "\303\251a\303\250", "_", "\303\251__"},
    {"\303\251+", "a\303\251\303\251b", "_", "a_b"},
    {"z*", "\303\251", "_", "_\303\251_"},
    {".", "a\377b\303", "_", "____"},
    {"[^a]", "a\377", "_", "a_"},
    {"\303\251", "\377\303\251", "_", "\377_"},
    {"a", "xyz", "o", "xyz"},
    {"b", "abc", "\\\\\\n\\", "a\\\\n\\c"},
    {"\\.", "a.b", "\\0\\0", "a..b"},
    {"\\t", "a\tb", " ", "a b"},
    {"(a*)*b", "aaab", "<\\1>", "<aaa>"},
    {"(|a)+b", "aab", "x", "x"},
    {"[[:alpha:][:space:]]+", "ab c1", "x", "x1"},
    {"a.b", "a\nb", "x", "x"},
    {"a||b", "ab", "x", "xx"},
    {"(^$|^[b-d])+a", "ccbddcdabd", "x", "ccbddcdabd"},
    {"[b-d]", "abcde", "x", "axxxe"},
    {"[a-c][x-z]", "axaa", "_", "_aa"},
    {"[a-cb-ef]", "abcdefg", "x", "xxxxxxg"},
    {"[^a-cb-ef]", "abcdefg", "x", "abcdefx"},
    {"[ac]", "abc", "x", "xbx"},
    {"[^ac]", "abc", "x", "axc"},
    {"[^b-\364\217\277\277]", "ab\364\217\277\277", "x", "xb\364\217\277\277"},
    {"[^\\W]+", "a-b", "x", "x-x"},
    {"[\\W\\w]", "a-", "x", "xx"},
    {"[^\\W\\w]", "a-", "x", "a-"},
    {"[^\\W\\w]*", "a-", "x", "xax-x"},
    {"[\\d-]", "1-a", "x", "xxa"},
    {"[a\\-c]", "a-bc", "x", "xxbx"},
    {"[\\t\\n\\r]", "\t \n \r", "x", "x x x"},
    {"\\n\\r", "\n\r", "x", "x"},
    {"\\\303\251", "\303\251", "x", "x"},
    {"[[:digit:]x-z]", "0wxyz", "_", "_w___"},
    {"x{", "x{", "_", "_"},
    {"x{1", "x{1", "_", "_"},
    {"x{,}", "x{,}", "_", "_"},
    {"x{1,", "x{1,", "_", "_"},
    {"x{1,2", "x{1,2", "_", "_"},
    {"x{0}", "x", "_", "_x_"},
    {"x{,1}", "xx", "_", "__"},
    {"x{1,1}", "xx", "_", "__"},
    {"(x{2}){3}", "xxxxxxx", "_", "_x"},
    {"x{2}{3}", "xxxxxxx", "_", "_x"},
    {"x{2,3}?", "xxxx", "_", "_x_"},
    {"x++++", "xxx", "_", "_"},
    {"(){5}x", "x", "_", "_"},
    {"(^){2}x", "xx", "_", "_x"},
    {"(a|b|c|)d", "adbdcddd", "_", "_____"},
    {"(ab|cd|ef)g", "abgcdgefgabcdg", "_", "___ab_"},
    {"(a?b?c?){2}d", "abcabcdd", "<\\1>", "<abc><>"},
    {"(x)(y)?", "xxy", "\\1\\2,", "x,xy,"},
    {"(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)", "abcdefghij", "\\9\\8\\7\\6\\5\\4\\3\\2\\1\\0",
     "ihgfedcbaabcdefghij"},
    {"(a+)(b*)", "aab-a", "<\\2\\1>", "<baa>-<a>"},
    {"(a)", "a", "\\\\1", "\\1"},
    {"(a)", "a", "\\\\\\1\\", "\\a\\"},
    {"(a)", "a", "\\x\\1", "\\xa"},
    {"^(a)|(a)$", "aaa", "<\\1,\\2>", "<a,>a<,a>"},
    {"(b)$", "ab", "<\\1>", "a<b>"},
    {"(x*)", "axb", "<\\1>", "<>a<x>b<>"},
    {"aaaaaaaax", "-aaaaaaaaxaaaaaaaaaaaaaaaaxaaaaaaaa", "_", "-_aaaaaaaa_aaaaaaaa"},
    {"\303\251", "aaaaaaa\303\251aaaaaaa\303\251", "_", "aaaaaaa_aaaaaaa_"},
    {".", "aaaaaaaaaaaaaaa\303\251", "_", "________________"},
    {".", "aaaaaaaa\303", "_", "_________"},
    {"z*", "\377\200z", "_", "_\377_\200_"},
    {"[\303\251-\303\255]", "\377\303\250\303\251\303\255\303\256", "_", "\377\303\250__\303\256"},
};

START_TEST(test_replace)
{
	struct err err = ERR_INIT;
	struct regex *regex = regex_compile(slice_of(cases[_i].pattern), &err);
	ck_assert_msg(regex, "%s: %s", cases[_i].pattern, err.message);
	struct slice text = slice_of(cases[_i].text);
	for (int round = 0; round < 2; round++) {
		struct strbuf out = {NULL, 0, 0};
		size_t n = regex_replace(regex, text, slice_of(cases[_i].replacement), &out);
		strbuf_add(&out, "", 0);
		ck_assert_msg(slice_is(strbuf_slice(&out), cases[_i].expected),
		              "%s on %s: %.*s, not %s", cases[_i].pattern, cases[_i].text,
		              (int)out.len, out.data, cases[_i].expected);
		ck_assert_int_eq(regex_matches(regex, text), n > 0);
		strbuf_free(&out);
	}
	regex_free(regex);
}
END_TEST

static const struct {
	const char *pattern, *reason;
} refused[] = {
    {"ab*c**+**", "character 10: repetitions are nested too deeply"},
    {"(a", "character 3: '(' without ')'"},
    {"ab)c", "character 3: ')' without '('"},
    {"x[ab", "character 5: '[' without ']'"},
    {"x[a-", "character 5: '[' without ']'"},
    {"x[^", "character 4: '[' without ']'"},
    {"x[^]", "character 5: '[' without ']'"},
    {"ab|*", "character 4: nothing to repeat"},
    {"(?)", "character 2: of (?...) only (?:...) is known"},
    {"(?:a", "character 5: '(' without ')'"},
    {"ab\\", "character 4: a backslash at the end"},
    {"[ab\\", "character 5: a backslash at the end"},
    {"a\\1b", "character 4: no such escape"},
    {"[a\\q]", "character 5: no such escape"},
    {"[a-\\q]", "character 6: no such escape"},
    {"[a-[:foo:]]", "character 4: no such [:class:]"},
    {"[[=a=]]", "character 2: [. .] and [= =] are not supported"},
    {"[\\d-a]", "character 6: a range that is not from low to high"},
    {"[b-a]", "character 5: a range that is not from low to high"},
    {"a{2,1}", "character 6: repetition counts go from 0 to 1000, the smaller first"},
    {"a{,1001}", "0 to 1000"},
    {"a{1001,}", "0 to 1000"},
    {"a{1,99999999999}", "0 to 1000"},
    {"a{4294967297}", "0 to 1000"},
    {"(", "'(' without ')'"},
    {"a)", "')' without '('"},
    {"[a", "'[' without ']'"},
    {"[", "'[' without ']'"},
    {"[]", "'[' without ']'"},
    {"*a", "nothing to repeat"},
    {"a|+", "nothing to repeat"},
    {"(?=a)", "only (?:...)"},
    {"\\", "backslash"},
    {"\\q", "no such escape"},
    {"\\1", "no such escape"},
    {"[b-a]", "from low to high"},
    {"[a-\\d]", "low to high"},
    {"[[:foo:]]", "no such [:class:]"},
    {"[[.a.]]", "not supported"},
    {"a{3,2}", "smaller first"},
    {"a{1001}", "0 to 1000"},
    {"\303", "not valid UTF-8"},
    {"a+++++", "too deeply"},
    {"(a{1000}){1000}", "too large"},
    {"((((a{9}){9}){9}){9}){99}", "too large"},
};

START_TEST(test_refused)
{
	struct err err = ERR_INIT;
	ck_assert_ptr_null(regex_compile(slice_of(refused[_i].pattern), &err));
	ck_assert_msg(strstr(err.message, refused[_i].reason), "%s: %s", refused[_i].pattern,
	              err.message);
}
END_TEST

static const struct {
	const char *pattern;
	int (*contains)(int c);
	bool is_inverted;
} classes[] = {
    {"[[:alnum:]]", isalnum, false}, {"[[:alpha:]]", isalpha, false},
    {"[[:blank:]]", isblank, false}, {"[[:cntrl:]]", iscntrl, false},
    {"[[:digit:]]", isdigit, false}, {"[[:graph:]]", isgraph, false},
    {"[[:lower:]]", islower, false}, {"[[:print:]]", isprint, false},
    {"[[:punct:]]", ispunct, false}, {"[[:space:]]", isspace, false},
    {"[[:upper:]]", isupper, false}, {"[[:xdigit:]]", isxdigit, false},
    {"\\d", isdigit, false},         {"\\D", isdigit, true},
    {"\\s", isspace, false},         {"\\S", isspace, true},
    {"[\\S]", isspace, true},        {"[^\\D]", isdigit, false},
    {"[^[:alpha:]]", isalpha, true},
};

START_TEST(test_classes_are_those_of_ascii)
{
	struct err err = ERR_INIT;
	struct regex *regex = regex_compile(slice_of(classes[_i].pattern), &err);
	ck_assert_msg(regex, "%s", err.message);
	for (int c = 0; c < 0x80; c++) {
		char byte = (char)c;
		ck_assert_msg(regex_matches(regex, (struct slice){&byte, 1}) ==
		                  ((classes[_i].contains(c) != 0) != classes[_i].is_inverted),
		              "%s and %d", classes[_i].pattern, c);
	}
	ck_assert_int_eq(regex_matches(regex, slice_of("\303\251")), classes[_i].is_inverted);
	ck_assert_int_eq(regex_matches(regex, slice_of("\377")), classes[_i].is_inverted);
	regex_free(regex);
}
END_TEST

/* Of letters and digits only those that mean something may be escaped, all others always. */
START_TEST(test_escapes)
{
	for (int c = 1; c < 0x80; c++) {
		char pattern[] = {'\\', (char)c, '\0'};
		struct err err = ERR_INIT;
		struct regex *regex = regex_compile(slice_of(pattern), &err);
		ck_assert_msg((regex != NULL) == (!isalnum(c) || strchr("tnrdDwWsS", c)), "%s",
		              pattern);
		for (int k = 0; regex && !isalnum(c) && k < 0x80; k++) {
			char byte = (char)k;
			ck_assert_int_eq(regex_matches(regex, (struct slice){&byte, 1}), k == c);
		}
		regex_free(regex);
	}
}
END_TEST

static char *
repeated(const char *head, const char *unit, size_t n, const char *tail)
{
	struct strbuf text = {NULL, 0, 0};
	strbuf_add_text(&text, head);
	for (size_t i = 0; i < n; i++) {
		strbuf_add_text(&text, unit);
	}
	strbuf_add_text(&text, tail);
	return text.data;
}

/* What a pattern may be at most is compiled, one more is refused; both are freed. */
static void
check_limit(char *pattern, const char *reason)
{
	struct err err = ERR_INIT;
	struct regex *regex = regex_compile(slice_of(pattern), &err);
	ck_assert_msg((regex == NULL) == (reason != NULL), "%s", err.message);
	if (reason) {
		ck_assert_msg(strstr(err.message, reason), "%s", err.message);
	}
	regex_free(regex);
	free(pattern);
}

START_TEST(test_limits)
{
	char *nested = repeated("", "(", 100, "a"), *deeper = repeated("", "(", 101, "a");
	check_limit(repeated(nested, ")", 100, ""), NULL);
	check_limit(repeated(deeper, ")", 101, ""), "character 102: groups are nested too deeply");
	free(nested);
	free(deeper);
	check_limit(repeated("", "(a)", 200, ""), NULL);
	check_limit(repeated("[", "a", 65534, "]"), NULL);
	check_limit(repeated("[", "a", 65535, "]"), "longer than 65536 bytes");
	check_limit(repeated("", "a", 32767, ""), NULL); /* and the end of the program */
	check_limit(repeated("", "a", 32768, ""), "too large");
	check_limit(repeated("a{1000}", "", 0, ""), NULL);
	check_limit(repeated("a{0,1000}", "", 0, ""), NULL);
}
END_TEST

START_TEST(test_counts_are_exact)
{
	struct err err = ERR_INIT;
	struct regex *regex = regex_compile(slice_of("^a{3,1000}$"), &err);
	for (size_t n = 0; n < 1003; n += n < 5 || n > 990 ? 1 : 491) {
		char *text = repeated("", "a", n, "");
		ck_assert_int_eq(text && regex_matches(regex, slice_of(text)), n >= 3 && n <= 1000);
		free(text);
	}
	regex_free(regex);
}
END_TEST

/* A range has the characters from its first to its last, however many bytes they have. */
START_TEST(test_ranges_of_characters)
{
	static const uint32_t points[] = {0x01,    0x41,    0x7f,    0x80,    0xbf,    0xc0,
	                                  0x3ff,   0x400,   0x7ff,   0x800,   0xfff,   0x1000,
	                                  0x1234,  0xd7ff,  0xe000,  0xfffd,  0xffff,  0x10000,
	                                  0x10001, 0x3ffff, 0x40000, 0x5f00d, 0x10fffe};
	enum { N_POINTS = sizeof points / sizeof *points };
	for (unsigned i = 0; i < N_POINTS; i++) {
		for (unsigned k = i; k < N_POINTS; k++) {
			struct strbuf pattern = {NULL, 0, 0};
			struct err err = ERR_INIT;
			char code[4];
			strbuf_add_text(&pattern, "[");
			strbuf_add(&pattern, code, utf8_encode(points[i], code));
			strbuf_add_text(&pattern, "-");
			strbuf_add(&pattern, code, utf8_encode(points[k], code));
			strbuf_add_text(&pattern, "]");
			struct regex *regex = regex_compile(strbuf_slice(&pattern), &err);
			ck_assert_msg(regex, "%s", err.message);
			for (unsigned p = 0; p < N_POINTS; p++) {
				for (uint32_t c = points[p] - 1; c <= points[p] + 1; c++) {
					if (c > 0 && (c < 0xd800 || c > 0xdfff)) {
						struct slice text = {code, utf8_encode(c, code)};
						ck_assert_msg(
						    regex_matches(regex, text) ==
							(c >= points[i] && c <= points[k]),
						    "%x-%x: %x", points[i], points[k], c);
					}
				}
			}
			regex_free(regex);
			strbuf_free(&pattern);
		}
	}
}
END_TEST

/* More states than are kept: the table is emptied on the way, and what is found stays the same. */
START_TEST(test_more_states_than_are_kept)
{
	struct err err = ERR_INIT;
	struct regex *regex = regex_compile(slice_of("a[ab]{16}c"), &err);
	struct prng prng = {5};
	static char text[60001], expected[60001];
	struct strbuf out = {NULL, 0, 0};
	size_t n = 0, n_matches = 0;

	for (size_t i = 0; i + 1 < sizeof text; i++) {
		text[i] = prng_below(&prng, 40) == 0 ? 'c' : "ab"[prng_below(&prng, 2)];
	}
	for (size_t i = 0; text[i]; n++) {
		bool is_match =
		    text[i] == 'a' && strspn(text + i + 1, "ab") == 16 && text[i + 17] == 'c';
		expected[n] = is_match ? '_' : text[i];
		i += is_match ? 18 : 1;
		n_matches += is_match;
	}
	ck_assert_uint_gt(n_matches, 100);
	for (int round = 0; round < 2; round++) {
		strbuf_clear(&out);
		ck_assert_uint_eq(regex_replace(regex, slice_of(text), slice_of("_"), &out),
		                  n_matches);
		ck_assert(slice_is(strbuf_slice(&out), expected));
	}
	ck_assert(regex_matches(regex, slice_of(text)));
	regex_free(regex);

	regex = regex_compile(slice_of("(a|b)*a(a|b){16}d"), &err);
	ck_assert(!regex_matches(regex, slice_of(text)));
	text[59000] = 'a', text[59017] = 'd';
	for (size_t i = 59001; i < 59017; i++) {
		text[i] = 'b';
	}
	ck_assert(regex_matches(regex, slice_of(text)));
	regex_free(regex);
	strbuf_free(&out);
}
END_TEST

static void
random_pattern(struct prng *prng, struct strbuf *out, unsigned depth)
{
	static const char *const atoms[] = {"a", "b", "c", ".", "[ab]", "[^a]", "[b-d]"};
	static const char *const repeats[] = {"*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}"};
	unsigned n = 1 + (unsigned)prng_below(prng, 3);
	for (unsigned i = 0; i < n; i++) {
		unsigned kind = (unsigned)prng_below(prng, 12);
		if (kind == 0 && depth == 0) { /* in loops the C library gets anchors wrong */
			strbuf_add_text(out, i == 0 ? "^" : "a");
		} else if (kind == 1 && depth == 0 && i + 1 == n) {
			strbuf_add_text(out, "$");
			continue;
		} else if (kind < 5 && depth < 3) {
			strbuf_add_char(out, '(');
			random_pattern(prng, out, depth + 1);
			if (prng_below(prng, 2)) {
				strbuf_add_char(out, '|');
				random_pattern(prng, out, depth + 1);
			}
			strbuf_add_char(out, ')');
		} else {
			strbuf_add_text(out,
			                atoms[prng_below(prng, sizeof(atoms) / sizeof(*atoms))]);
		}
		if (prng_below(prng, 3) == 0 && out->data[out->len - 1] != '^') {
			strbuf_add_text(
			    out, repeats[prng_below(prng, sizeof(repeats) / sizeof(*repeats))]);
		}
	}
}

/* The first match in <>, as the C library finds it. */
static bool
oracle(const char *pattern, const char *text, struct strbuf *out)
{
	regex_t compiled;
	regmatch_t match;
	ck_assert_int_eq(regcomp(&compiled, pattern, REG_EXTENDED), 0);
	bool found = regexec(&compiled, text, 1, &match, 0) == 0;
	if (found) {
		strbuf_printf(out, "%.*s<%.*s>", (int)match.rm_so, text,
		              (int)(match.rm_eo - match.rm_so), text + match.rm_so);
	}
	regfree(&compiled);
	return found;
}

START_TEST(test_against_library)
{
	struct prng prng = {20260301};
	struct err err = ERR_INIT;
	unsigned n_found = 0;
	for (int i = 0; i < 1500; i++) {
		struct strbuf pattern = {NULL, 0, 0};
		random_pattern(&prng, &pattern, 0);
		struct regex *regex = regex_compile(strbuf_slice(&pattern), &err);
		ck_assert_msg(regex, "%s: %s", pattern.data, err.message);
		for (int k = 0; k < 8; k++) {
			char text[16] = "";
			size_t length = prng_below(&prng, 12);
			for (size_t c = 0; c < length; c++) {
				text[c] = (char)('a' + prng_below(&prng, 4));
			}
			struct strbuf expected = {NULL, 0, 0}, got = {NULL, 0, 0};
			bool found = oracle(pattern.data, text, &expected);
			ck_assert_msg(regex_matches(regex, slice_of(text)) == found, "%s on %s",
			              pattern.data, text);
			size_t n = regex_replace(regex, slice_of(text), slice_of("<\\0>"), &got);
			ck_assert_int_eq(n > 0, found);
			if (found) {
				n_found++;
				ck_assert_msg(got.len >= expected.len &&
				                  memcmp(got.data, expected.data, expected.len) ==
				                      0,
				              "%s on %s: %s, not %s", pattern.data, text, got.data,
				              expected.data);
			}
			strbuf_free(&expected);
			strbuf_free(&got);
		}
		regex_free(regex);
		strbuf_free(&pattern);
	}
	ck_assert_uint_gt(n_found, 2000);
}
END_TEST

static double
seconds_of(const char *pattern, const char *unit, size_t n)
{
	struct err err = ERR_INIT;
	struct strbuf text = {NULL, 0, 0}, out = {NULL, 0, 0};
	for (size_t i = 0; i < n; i++) {
		strbuf_add_text(&text, unit);
	}
	struct regex *regex = regex_compile(slice_of(pattern), &err);
	ck_assert_msg(regex, "%s", err.message);
	clock_t start = clock();
	(void)regex_matches(regex, strbuf_slice(&text));
	(void)regex_replace(regex, strbuf_slice(&text), slice_of("\\0"), &out);
	double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	ck_assert_uint_eq(out.len, text.len);
	regex_free(regex);
	strbuf_free(&text);
	strbuf_free(&out);
	return seconds;
}

/* Patterns that make backtracking matchers hang. */
START_TEST(test_hostile)
{
	ck_assert(seconds_of("(a*)*b", "a", 100000) < 2);
	ck_assert(seconds_of("(a|aa)+$", "aaab", 20000) < 2);
	ck_assert(seconds_of("(x+x+)+y", "x", 100000) < 2);
	ck_assert(seconds_of("a[^x]*b", "aaaaaaaaaaaaaaaaaaax", 5000) < 2);
	ck_assert(seconds_of("(a|b)*a(a|b){16}c", "abbabaabaaab", 5000) < 4);
}
END_TEST

static void
fuzz_round(struct prng *prng)
{
	static const char alphabet[] = "ab(|)*+?{}[]^$.\\-,01:d\303\251\n";
	char bytes[64];
	size_t length = prng_below(prng, 24);
	for (size_t k = 0; k < length; k++) {
		bytes[k] = alphabet[prng_below(prng, sizeof(alphabet))];
	}
	struct err err = ERR_INIT;
	struct regex *regex = regex_compile((struct slice){bytes, length}, &err);
	if (!regex) {
		ck_assert_int_ne(err.code, ERR_NONE);
		return;
	}
	for (size_t k = 0; k < sizeof(bytes); k++) {
		bytes[k] = (char)prng_next(prng);
	}
	struct strbuf out = {NULL, 0, 0};
	struct slice text = {bytes, prng_below(prng, sizeof(bytes))};
	bool found = regex_matches(regex, text);
	ck_assert_int_eq(regex_replace(regex, text, slice_of("<\\1\\2>"), &out) > 0, found);
	strbuf_clear(&out);
	(void)regex_replace(regex, text, slice_of("\\0"), &out);
	ck_assert(slice_equal(strbuf_slice(&out), text));
	strbuf_free(&out);
	regex_free(regex);
}

START_TEST(test_fuzz)
{
	struct prng prng = {7};
	for (int i = 0; i < 4000; i++) {
		fuzz_round(&prng);
	}
}
END_TEST

static Suite *
regex_suite(void)
{
	Suite *suite = suite_create("regex");
	TCase *tc = tcase_create("regex");
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, test_replace, 0, sizeof(cases) / sizeof(cases[0]));
	tcase_add_loop_test(tc, test_refused, 0, sizeof(refused) / sizeof(refused[0]));
	tcase_add_loop_test(tc, test_classes_are_those_of_ascii, 0,
	                    sizeof classes / sizeof *classes);
	tcase_add_test(tc, test_escapes);
	tcase_add_test(tc, test_limits);
	tcase_add_test(tc, test_counts_are_exact);
	tcase_add_test(tc, test_ranges_of_characters);
	tcase_add_test(tc, test_more_states_than_are_kept);
	tcase_add_test(tc, test_against_library);
	tcase_add_test(tc, test_hostile);
	tcase_add_test(tc, test_fuzz);
	suite_add_tcase(suite, tc);
	return suite;
}

int
main(void)
{
	return unit_run(regex_suite());
}
