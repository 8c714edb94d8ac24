# All that comes of small DFTracer traces, every table of the run.
. data/golden/contents
for file in data/dftracer/*.pfw; do
	take dftracer "$file"
done
take dftracer data/golden/base-*
echo "== records of every form"
r() { # kind, top-level members, arguments
	echo "{\"name\":\"n\",\"cat\":\"c\",\"pid\":1,\"tid\":2,\"ph\":$1$2,\"args\":{\"hhash\":\"h\"$3}}"
}
{
	echo '{"name":"HH","cat":"dftracer","pid":1,"tid":1,"ph":4,"args":{"name":"node0","value":"h"}}'
	echo '{"name":"FH","cat":"dftracer","pid":1,"tid":1,"ph":4,"args":{"name":"/data/f","value":"f"}}'
	time=100
	for value in '"5"' '"-5"' '"-"' '"x"' '"x-1"' '""' '"nan"' '"inf"' '"1e400"' 7 -7.5 1e2 1e400 true null '[1]'; do
		time=$((time + 1))
		r '"C"' ",\"ts\":$time" ",\"v\":$value,\"w\":1"
	done
	r '"C"' ',"ts":200' ',"v":"x"'
	r '"C"' ',"ts":201,"dur":5' ',"p_idx":3,"level":2,"fhash":"f","v":2'
	r '"C"' ',"ts":"soon"' ',"v":2'
	r 2 ',"ts":202' ',"v":3'
	for value in 0 -0 -1 007 '"0"' '"07"' '"-0"' '"-3"' '"9223372036854775808"' 9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616 \
		-9223372036854775808 -9223372036854775809 1.50 1e3 1e999 true false null '"t"' '{"a":[1, 2]}' '[]'; do
		time=$((time + 1000))
		r '"X"' ",\"ts\":$time,\"dur\":5" ",\"v\":$value"
	done
	for dur in 0 '"7"' -1 '"x"' 1.5 null 9223372036854775 9223372036854776; do
		time=$((time + 1000))
		r 1 ",\"ts\":$time,\"dur\":$dur" ''
	done
	r '"X"' ',"ts":50000,"dur":1' ',"fname":"/own","fhash":"f","hostname":"other"'
	r '"X"' ',"ts":51000,"dur":1' ',"fname":5,"fhash":"f","ret":12'
	r '"X"' ',"ts":52000,"dur":1' ',"fhash":"unknown","image_size":12'
	r '"X"' ',"ts":53000,"dur":1' ',"image_size":"13","name":"twin","cat":1,"v":1,"v":2'
	for name in read write readdir pread64 fwrite open; do
		for size in 9 0 -1 '"8"' 1.5 99999999999999999999; do
			time=$((time + 1000))
			r '"X"' ",\"ts\":$time,\"dur\":1" ",\"ret\":$size,\"image_size\":4" | sed "s/\"n\",\"cat\":\"c\"/\"$name\",\"cat\":\"POSIX\"/"
		done
	done
	r '"Q"' ',"ts":1' ''
	r '"XX"' ',"ts":1' ''
	r null ',"ts":90000,"dur":3' ''
	r '[1]' ',"ts":1' ''
	r '"X"' ',"dur":1' ''
	echo '{"cat":"c","pid":1,"tid":2,"ts":1,"dur":1,"ph":"X"}'
	echo '{"name":"no cat","pid":"1","tid":"x","ts":91000,"dur":1,"ph":"X"}'
	echo '{"name":"bare","cat":5,"pid":1.5,"ts":91000}'
} >forms.pfw
take dftracer forms.pfw
