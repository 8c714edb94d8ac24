#!/bin/sh
# Cascade samples: most runs are predicted from others, the rows of replay, matched and contention add up between any two, and five tell contention.
. "$(dirname "$0")/lib.sh"
samples=$LANESCOPE_SHARED/cascade
[ -d "$samples" ] || skip_all "no cascade samples"

runs="f1 f4 m1_4 m2_2 m4_1 m2_2.run2 defects"
for name in $runs; do
	"$LANESCOPE" import --quiet -o "$work/$name.lanes" "$samples/$name.jsonl" || exit 2
done
"$LANESCOPE" import --quiet -o "$work/log.lanes" "$samples/m2_2.log" || exit 2
runs="$runs log"

# explain A B PART: its rows as CSV; amounts of A and B, delta and share follow the labels
explain() {
	"$LANESCOPE" explain "$work/$1.lanes" "$work/$2.lanes" --part "$3" --format csv 2>/dev/null >"$work/part.csv"
}

# adds_up LABELS: rows sum to the row "sum", A, B and delta each
adds_up() {
	awk -F, -v labels="$1" 'NR == 1 { next }
		$1 == "sum" { n = 1; for (i = 1; i <= 3; i++) if (sum[i] != $(labels + i)) exit 1; next }
		{ for (i = 1; i <= 3; i++) sum[i] += $(labels + i) }
		END { exit n != 1 }' "$work/part.csv"
}

# misses A B: by how many percent the prediction misses, that is A with what was measured of B put in
misses() {
	"$LANESCOPE" explain "$work/$1.lanes" "$work/$2.lanes" --part replay 2>&1 >/dev/null | sed -n 's/.*the prediction misses by \([0-9.]*\) %.*/\1/p'
}

for name in $runs; do
	explain "$name" "$name" replay
	[ "$(misses "$name" "$name")" = 0.0 ] && awk -F, 'NR > 1 && $4 != 0 { exit 1 }' "$work/part.csv"
	result $? "$name: beside itself, no factor makes a difference"
done

near=0
for a in f1 f4 m1_4 m2_2 m4_1; do
	for b in f1 f4 m1_4 m2_2 m4_1; do
		[ "$a" = "$b" ] || near=$((near + $(misses "$a" "$b" | awk '{ print $1 <= 10 }')))
	done
done
[ "$near" -ge 17 ]
result $? "of 20 pairs, $near are predicted but for 10 %"

for a in $runs; do
	for b in $runs; do
		[ "$a" = "$b" ] && continue
		status=0
		explain "$a" "$b" replay && adds_up 1 || status=1
		explain "$a" "$b" matched && adds_up 2 || status=1
		explain "$a" "$b" contention && adds_up 2 || status=1
		result $status "$a to $b: rows of replay, matched and contention add up"
	done
done

# All five: one rule of contention, which two of them can't show.
notes() {
	(cd "$work" && "$LANESCOPE" explain "$@" 2>&1 >/dev/null)
}
notes f1 m1_4 m2_2 m4_1 f4 --part contention >"$work/notes"
head -1 "$work/notes" | grep -q 'on its host (1 to 3.71 on average; R2 0.85); slopes of the other runs foretell a run with R2 0.84' &&
	grep -q 'host 0.85, 0.84, 0.85; all lanes 0.46, ' "$work/notes"
result $? "five runs tell contention on hosts"
indicator='^lanescope: note: contention host at_once tells slow runs from fast best of what is no time itself (correlation 0.99 .* in 5 runs a task takes longer the more run at once on its host'
notes f1 m1_4 m2_2 m4_1 f4 --part indicators | head -1 | grep -q "$indicator" && notes f1 m1_4 m2_2 m4_1 f4 | grep -q "$indicator"
result $? "what makes a good indicator: how many run at once on a host"
for pair in "f1 f4" "f1 m1_4" "m4_1 m1_4" "m1_4 m4_1"; do
	notes $pair --part contention | grep -q 'weak: .*cannot be told from a slower machine: give a third run'
	result $? "$pair: two runs do not"
done
notes f1 m4_1 --part contention | grep -q "contention can't be told"
result $? "f1 m4_1: as many at once on a host"

finish
