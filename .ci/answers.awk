# awk -v one=FILE -v other=FILE -f answers.awk: are two answers in TSV the same? Reals may differ by 1e-12 of their size: sums are added
# otherwise in other versions of SQLite. The first is the reference. Prints what differs.
function is_real(text) { return text ~ /^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/ && text ~ /[.e]/ }
function is_near(a, b,    d, size) {
	d = a - b; size = a < 0 ? -a : a
	return (d < 0 ? -d : d) <= 1e-12 * size
}
BEGIN {
	FS = "\t"
	while (1) {
		has_a = (getline a < one) > 0
		has_b = (getline b < other) > 0
		row++
		if (!has_a && !has_b) exit bad
		if (has_a && has_b && a == b) continue
		n = split(a, x); m = split(b, y)
		same = has_a && has_b && n == m
		for (i = 1; same && i <= n; i++) same = x[i] == y[i] || (is_real(x[i]) && is_real(y[i]) && is_near(x[i] + 0, y[i] + 0))
		if (!same) {
			if (bad++ < 3) print "  row " row ": " (has_a ? a : "(none)") "\n      is: " (has_b ? b : "(none)")
		}
	}
}
