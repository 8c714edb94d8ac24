# Spans beside others: steps that take 1.25 times as long during flushes, and steps that do not care; made by a generator of few lines.
make() { # file, part of a time during a flush that is lost, in percent
	awk -v lost="$2" 'BEGIN {
		seed = 7
		printf "{\"traceEvents\":["
		for (f = at = 0; f < 40; f++) {
			from[f] = at += 15000 + draw(70000)
			to[f] = at += 10000 + draw(40000)
			span("flush", 9, from[f], to[f])
		}
		for (lane = 1; lane <= 2; lane++)
			for (i = f = time = 0; i < 250; i++) {
				begin = time
				for (work = 9000 + draw(2000); work > 0; ) {
					while (f < 40 && to[f] <= time) f++
					rate = f < 40 && from[f] <= time ? 1 - lost / 100 : 1
					edge = f == 40 ? time + 1e9 : from[f] <= time ? to[f] : from[f]
					most = edge - time < work / rate ? edge - time : work / rate
					time += most
					work = most < work / rate ? work - most * rate : 0
				}
				span("step", lane, begin, time)
				time += draw(500)
			}
		print "]}"
	}
	function draw(below) { return (seed = seed * 16807 % 2147483647) / 2147483647 * below }
	function span(name, lane, start, end) {
		printf "%s{\"ph\":\"X\",\"name\":\"%s\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f}", n++ ? "," : "", name, lane, start, end - start
	}' >"$1.json"
	lanescope import --quiet "$1.json"
}
make slow 20
make same 0
lanescope query interference slow same -p of='name = "step"' -p while='name = "flush"' --format table
lanescope explain same slow --part interference -p of='name = "step"' -p while='name = "flush"' --format csv
lanescope query interference slow -p of='name = "step"' -p while='name = "flush"' -p shifts=0 -p within=run
echo "== what can't be told"
lanescope query interference slow -p of='name = "flush"' -p while='name = "step"' -p within=process
lanescope explain same slow --part interference -p of='name = "step"' -p while='name = "none"'
lanescope explain same slow --part interference -p of='name = "none"' -p while='name = "step"'
echo "== mistakes"
lanescope explain same slow --part interference -p of=step
lanescope query interference slow -p of='name = "step"' -p while='nme = "flush"'
lanescope query interference slow -p of='name = "step"' -p while='name = "flush"' -p within=cluster
