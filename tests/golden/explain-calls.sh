# Explain for I/O on calls few enough to be reckoned by hand: what is in flight at once, ranks, sizes, files of one run only.
call() { # name, process, thread, start and duration in ms, size, path
	n=$((${n:-0} + 1))
	result=
	[ "$6" = - ] || result="\"ret\":$6,"
	echo "{\"id\":$n,\"name\":\"$1\",\"cat\":\"POSIX\",\"pid\":$2,\"tid\":$3,\"ts\":$(($4 * 1000)),\"dur\":$(($5 * 1000)),\"ph\":\"X\",\"args\":{$result\"fname\":\"$7\"}}"
}
{
	call write 1 11 0 100 1000000 /l/ssd/ckpt-1.pt     # alone: 10 MB/s
	call write 1 12 200 100 1000000 /l/ssd/ckpt-2.pt   # beside the file system from 250 to 300
	call write 2 21 250 150 3000000 /p/lustre/out.1    # alone from 300 to 400
	call read 2 21 500 10 4096 /p/lustre/in.1
	call read 2 21 520 10 4095 /p/lustre/in.1
	call open 2 21 540 5 - /p/lustre/in.1
	call read 2 21 550 20 8192 /p/lustre/in.1
	echo '{"id":50,"name":"compute","cat":"APP","pid":2,"tid":21,"ts":495000,"dur":80000,"ph":"X","args":{}}' # around the reads
} >plain.pfw
{
	call write 5 51 0 400 1000000 /l/ssd/ckpt-3.pt    # a quarter of the speed, beside the other from 100 to 300
	call write 5 52 500 100 2000000 /l/ssd/ckpt-4.pt
	call write 6 61 100 200 3000000 /p/lustre/out.2
	call write 6 61 310 20 70000 /p/lustre/new.log
	call read 6 61 500 10 4096 /p/lustre/in.1
	call open 6 61 540 5 - /p/lustre/in.1
	call open 6 61 550 5 - /p/lustre/in.1
	call open 6 61 560 5 - /tmp/x
	call close 6 61 570 0 - /tmp/x
} >slow.pfw
echo '{"id":99,"name":"PR","cat":"dftracer","pid":6,"tid":6,"ph":"M","args":{"name":"rank","value":"7"}}' >>slow.pfw
lanescope import --quiet plain.pfw
lanescope import --quiet slow.pfw
echo "== bandwidth: while any, alone, beside the other class"
lanescope explain plain slow --part io-bandwidth --format csv
lanescope explain slow plain --part io-bandwidth -p filter='name = "write"' -p classes='pfs=/l/*|/p/*' --format csv
lanescope explain plain slow --part io-bandwidth -p filter='name = "open"' --format csv
echo "== time of calls, by each of the lists"
lanescope explain plain slow --part io --format csv -p fold=0
for by in class,operation,size rank operation,thread rank,file pattern,size file,operation class; do
	echo "by $by"
	lanescope explain plain slow --part io --format csv -p fold=0 -p by=$by 2>/dev/null
done
lanescope explain plain slow --part io --format csv -p fold=0 -p by=class,class
lanescope explain plain slow --part io --format csv -p fold=0 -p by=file,pattern
lanescope explain plain slow --part io --format csv -p fold=0 -p by=
lanescope explain plain slow --part io --format csv -p filter='name = "nothing"'
echo "== calls that one makes more often; an example of each, and what it lies in"
lanescope explain plain slow --part io-calls --format csv
for by in operation rank,operation file class,size thread; do
	echo "by $by"
	lanescope explain plain slow --part io-calls --format csv -p by=$by 2>/dev/null
done
lanescope explain slow plain --part io-calls --format csv -p by=operation
echo "== files: by path, else by name, else by its pattern"
lanescope explain plain slow --part io-files --format csv
lanescope explain plain slow --part io-files --format csv -p by=pattern -p filter='name = "write"'
grep -v -e in.1 -e new.log -e /tmp slow.pfw >writes.pfw
lanescope import --quiet writes.pfw
grep '"write"' plain.pfw | sed 's,"/p/,"/q/,; s,/l/ssd,/m,' >moved.pfw
lanescope import --quiet moved.pfw
lanescope explain moved writes --part io-files --format csv
lanescope explain plain moved --part io-files --format csv
lanescope explain moved plain --part matched --format csv
lanescope explain plain slow --part matched --format csv
lanescope explain plain slow --part matched-tasks --format csv
echo "== how much of it lies beside compute"
lanescope explain plain slow --part io-overlap --format csv -p window=50ms
echo "== records of many calls, where a filter can't tell which of them it holds for"
lanescope import --quiet -o many.lanes data/dftracer/aggregated.pfw
lanescope explain plain many --part io -p filter='duration > 12ms' --format csv
lanescope explain many plain --part io-calls -p by=operation,size -p filter='' --format csv
lanescope explain many plain --part io-bandwidth -p filter='' --format csv
