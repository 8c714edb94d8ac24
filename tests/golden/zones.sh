# Times of day are those of the user's time zone, with their offset from UTC; programs get nanoseconds since 1970.
lanescope import --quiet --name base data/golden/base-0.pfw
lanescope import --quiet data/golden/four.jsonl
for zone in UTC0 CET-1CEST,M3.5.0,M10.5.0/3 NST+3:30NDT,M3.2.0,M11.1.0 Nowhere/Here; do
	echo "== $zone"
	TZ=$zone lanescope info base | grep started
	TZ=$zone lanescope runs . --format table
	TZ=$zone lanescope info base --format csv | grep started
	printf '%s\n' '' >keys
	TZ=$zone lanescope --keys keys --size 90x10 . | grep -a "base "
	TZ=$zone lanescope --keys keys --size 90x10 base | head -2
done
