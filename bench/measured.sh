# What the benchmarks share: . bench/measured.sh, with $work a folder and $RUNS the repetitions.

# measured COMMAND...: medians of wall seconds, CPU seconds and peak KiB of RUNS runs; nothing where it fails.
measured() {
	: >"$work/times"
	i=0
	while [ $i -lt "$RUNS" ]; do
		start=$(date +%s%N)
		/usr/bin/time -f '%U %S %M' -o "$work/time" "$@" >/dev/null 2>"$work/stderr" || { head -1 "$work/stderr" >&2; return 0; }
		end=$(date +%s%N)
		tail -1 "$work/time" | awk -v wall=$((end - start)) '{ printf "%.3f %.2f %d\n", wall / 1e9, $1 + $2, $3 }' >>"$work/times"
		i=$((i + 1))
	done
	sort -n "$work/times" | awk -v n="$RUNS" 'NR == int((n + 1) / 2)'
}
# parameters_of QUERY: options for what it can't be asked without, a line each.
parameters_of() {
	case $1 in
	file-spans) printf '%s\n' -p 'file=*' ;;
	interference) printf '%s\n' -p 'of=name="write"' -p 'while=name="read"' ;;
	esac
}
# measured_query QUERY RUN: measured, its answer as CSV.
measured_query() {
	query=$1 run_file=$2
	set --
	while IFS= read -r option; do
		[ -z "$option" ] || set -- "$@" "$option"
	done <<-LIST
		$(parameters_of "$query")
	LIST
	measured "$program" query "$query" "$run_file" "$@" --format csv
}
# put_between BEGIN END FILE INTO: what stands in FILE between the lines BEGIN and END of INTO.
put_between() {
	awk -v begin="<!-- $1 -->" -v end="<!-- $2 -->" -v report="$3" '
		$0 == end { skip = 0 }
		!skip { print }
		$0 == begin { while ((getline line < report) > 0) print line; skip = 1 }' "$4" >"$work/readme"
	cat "$work/readme" >"$4"
}
