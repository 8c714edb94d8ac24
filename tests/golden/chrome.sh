# The queries of Chrome traces on small ones whose figures can be worked out by hand (tests/data/chrome).
trace=data/chrome
lanescope import --quiet $trace/gpu.json $trace/build.json $trace/clang.json
echo "device: 1010-1035, 1050-1055 and 1060-1064 us are 34 of 54; kernels that compute 20, communicate 20, both at once 10"
lanescope query gpu-busy gpu
lanescope query gpu-overlap gpu
echo "gaps of stream 7: 0.02 (kernel), 24.98 (launched at 1040: host), 5 us (launched at 1042: other)"
lanescope query gpu-idle gpu -p least=30ns
echo "the annotation around them is no work of the stream: it has a lane of its own"
lanescope query idle-by-lane gpu
lanescope query idle-by-lane gpu -p least=10us
lanescope query idle-gaps gpu -p lane='*7*'
lanescope query lane-totals gpu
lanescope sql gpu "SELECT name, kind, process, thread FROM lanes ORDER BY 1"
lanescope query idle-gaps gpu -p lane='*20'
lanescope query idle-gaps build
echo "launch to start: gemm 9 and 16.02, relu 10, copy 18, all-reduce 5 us"
lanescope query launch-delay gpu
lanescope query flow-times gpu
echo "150 + 300, 20 later 100"
lanescope query critical-path build
lanescope query counter-times build -p window=1ms
echo "a.h holds b.h twice: 50 - 15"
lanescope query clang-headers clang
lanescope query clang-templates clang
lanescope query clang-templates clang -p by=instance
lanescope sql clang "SELECT name, n, rows, dur_sum FROM span_totals WHERE name GLOB '*Source' ORDER BY name"
lanescope info build
echo "offered first: what is made for the trace's producer; last: what is made for others"
for run in gpu build clang; do
	lanescope info $run | sed -n 's/^dialect *//p'
	lanescope queries $run --no-header --format csv | cut -d, -f1,2 | sed -n '1,3p;$p'
done
