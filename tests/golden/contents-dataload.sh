# All that comes of a small study of data loading and of counters from elsewhere, every table of the run.
. data/golden/contents
take dataload data/dataload
take counters data/chrome/power.csv
echo "== counters: columns in any order among others, hosts that are empty, units of time, rows that are wrong"
cat >any.csv <<'END'
above
rack; Value ;HOST; name ; time ;note;
r1; 1.5 ;h1; c ; 1700000000.25 ;hello;x
r1;-2e3;h1;c;1700000001;;
7;3;h2;"c;d";1700000002;"two
lines";
;4;;c;1700000003;9223372036854775808;
r1;5;h1;c;2023-11-14T22:13:24Z;-5;
r1;6;h1;c;2023-11-15 00:13:25+02:00;;
rack; Value ;HOST; name ; time ;note;
r1;nan;h1;c;1700000006;;
r1;x;h1;c;1700000006;;
r1;;h1;c;1700000006;;
r1;1;h1;c;-1;;
r1;1;h1;c;soon;;
r1;1;h1;c;1969-12-31T23:59:59Z;;
r1;1;h1;c;1e30;;
r1;1;h1;c
r1;1;h1;c;1700000006;;;
r1;1;"h1;c;1700000006;;
r1;7;h1;c;1700000007;;
END
take counters any.csv
for time in 0 99999999999 100000000000 99999999999999 100000000000000 99999999999999999 100000000000000000 1700000000123456789; do
	printf 'time,host,name,value\n%s,h,c,1\n' "$time" >unit.csv
	lanescope import --quiet --force --format counters unit.csv
	lanescope sql unit "SELECT start_ns, wall_start_ns, clock FROM run" --format csv --no-header
done
printf '1700000000,h,c,1\n1700000001,h,c,2,3\n1700000002,h,c' >bare.csv
take counters bare.csv
