# DFTracer records with odd or contradictory figures, and metadata of every type.
aggregated() { # top-level members, arguments
	echo "{\"name\":\"read\",\"cat\":\"POSIX\",\"type\":3,\"ph\":3,\"pid\":8,\"tid\":9$1,\"args\":{\"hhash\":\"a1\"$2}}"
}
{
	echo '{"name":"HH","cat":"dftracer","pid":8,"tid":8,"ph":4,"args":{"name":"node0","value":"a1"}}'
	aggregated ',"ts":100' ',"dft_cnt":2,"dur_min":3,"dur_max":4,"dur_sum":7,"ret_sum":30,"ret_min":10,"ret_max":20'
	aggregated ',"ts":200,"dur":5' ',"dft_cnt":3'
	aggregated ',"ts":300,"dur":"soon"' ',"dft_cnt":3'
	aggregated ',"ts":400' ',"dft_cnt":3,"dur_sum":"soon"'
	aggregated ',"ts":500' ',"dft_cnt":3,"dur":[1]'
	aggregated ',"ts":600' ',"dft_cnt":3,"dur_sum":-7'
	aggregated ',"ts":700' ',"dft_cnt":2,"dur_sum":8,"dur_min":4,"dur_max":4,"ret_sum":5,"ret_min":10,"ret_max":20'
	aggregated ',"ts":800' ',"dft_cnt":2,"dur_sum":8,"dur_min":4,"dur_max":4,"ret_sum":99999999999999999999'
	aggregated ',"ts":900' ',"dft_cnt":2,"dur_sum":8,"dur_min":4,"dur_max":4,"ret":99999999999999999999'
	aggregated ',"ts":"never"' ',"dft_cnt":2,"dur_sum":8'
	aggregated ',"ts":1000,"dur":9000000000000000000' ',"dft_cnt":9'
	aggregated ',"ts":1100' ',"dft_cnt":2,"dur_sum":8,"dur_min":4,"dur_max":4,"ret_sum":0,"ret_min":0,"ret_max":0'
	aggregated ',"ts":1200' ',"dft_cnt":9000000000000000000,"dur_sum":8,"dur_min":4,"dur_max":4,"ret_sum":5,"ret_min":10,"ret_max":20'
	echo '{"name":"end","cat":"dftracer","type":1,"pid":8,"tid":8,"ts":2000,"dur":0,"ph":1,"args":{"hhash":"a1","n":1,"text":"x\"y","yes":true,"no":false,"none":null,"deep":{"a":[1]}}}'
	echo '{"name":"CM","cat":"dftracer","type":1,"pid":8,"tid":8,"ts":2000,"ph":4,"args":{"hhash":"a1","name":"own","value":"v","n":1,"text":"x\"y","yes":true,"none":null,"deep":{"a":[1]}}}'
	echo '{"name":"PR","cat":"dftracer","type":1,"pid":8,"tid":8,"ts":2000,"ph":4,"args":{"hhash":"a1"}}'
} >odd.pfw
lanescope import --quiet odd.pfw
lanescope query problems odd --format csv --no-header | cut -d, -f1-5
lanescope sql odd "SELECT start, duration, calls, size, call_sum, call_min, call_max, size_min, size_max FROM span ORDER BY start, id"
lanescope sql odd "SELECT scope, key, value FROM tags ORDER BY id"
. data/golden/contents
contents odd.lanes
echo "== ids of counters are apart from those of calls, and a key in the middle of something is none"
{
	for i in 1 2 3; do echo "{\"id\":10$i,\"name\":\"mem\",\"cat\":\"sys\",\"pid\":8,\"tid\":9,\"ts\":${i}00,\"dur\":0,\"ph\":\"C\",\"args\":{\"hhash\":\"a1\",\"x\":$i}}"; done
	for i in 1 2 3 4; do echo "{\"id\":$i,\"name\":\"read\",\"cat\":\"POSIX\",\"pid\":8,\"tid\":9,\"ts\":1${i}00,\"dur\":5,\"ph\":\"X\",\"args\":{\"hhash\":\"a1\",\"ret\":$i}}"; done
	echo '{ab"x":1}'
} >ids.pfw
lanescope import --quiet ids.pfw
lanescope query problems ids --format csv --no-header
